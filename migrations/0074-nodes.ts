import { required, type Step } from '../src/core/storage/columns.ts';

/** The gateways that serve this database (docs/rules/process.md#nodes). */
export const nodes: Step = async (schema) => {
  await schema
    .createTable('nodes')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('host', 'text', required)
    .addColumn('data_dir', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('version', 'text', required)
    .addColumn('started_at', 'bigint', required)
    .addColumn('seen_at', 'bigint', required)
    .execute();
};
