import { empty, required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

export const uploads: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('uploads'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('path', 'text', required)
    .addColumn('mime', 'text', empty)
    .addColumn('bytes', 'bigint', zero)
    .addColumn('width', 'integer', zero)
    .addColumn('height', 'integer', zero)
    .addColumn('sha256', 'text', empty)
    .addColumn('created_at', 'bigint', zero)
    .addColumn('expires_at', 'bigint')
    .execute();
  await schema
    .createIndex(uniqueIndexName('uploads', 'path'))
    .on('uploads')
    .unique()
    .column('path')
    .execute();
  await schema.createIndex('uploads_user_id').on('uploads').column('user_id').execute();
};
