import { empty, initially, type Step, zero } from '../src/core/storage/columns.ts';

export const modelSquare: Step = async (schema) => {
  await schema
    .createTable('model_square')
    .addColumn('model', 'text', (column) => column.primaryKey().notNull())
    .addColumn('icon', 'text', empty)
    .addColumn('description', 'text', empty)
    .addColumn('description_en', 'text', empty)
    .addColumn('type', 'text', empty)
    .addColumn('type_en', 'text', empty)
    .addColumn('tags', 'text', initially('[]'))
    .addColumn('tags_en', 'text', initially('[]'))
    .addColumn('manufacturer', 'text', empty)
    .addColumn('price_type', 'integer', initially(2))
    .addColumn('context', 'text', empty)
    .addColumn('specification', 'text', initially('[]'))
    .addColumn('publish_time', 'text', empty)
    .addColumn('status', 'integer', initially(1))
    .addColumn('model_price', 'text')
    .addColumn('created_time', 'bigint', zero)
    .addColumn('updated_time', 'bigint', zero)
    .execute();
};
