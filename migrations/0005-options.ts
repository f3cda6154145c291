import { required, type Step, zero } from '../src/core/storage/columns.ts';

export const options: Step = async (schema) => {
  await schema
    .createTable('options')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', required)
    .addColumn('sealed', 'integer', zero)
    .execute();
};
