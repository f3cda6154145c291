import { required, type Step } from '../src/core/storage/columns.ts';

export const locks: Step = async (schema) => {
  await schema
    .createTable('locks')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('owner', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute();
};
