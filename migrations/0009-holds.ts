import { required, type Step } from '../src/core/storage/columns.ts';

/**
 * Open holds where several processes share a database; a single process keeps them in memory
 * (docs/rules/ledger.md#postgres-holds).
 */
export const holds: Step = async (schema) => {
  await schema
    .createTable('holds')
    .addColumn('request_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', required)
    .addColumn('token_id', 'bigint')
    .addColumn('amount', 'bigint', required)
    .addColumn('node', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await schema.createIndex('holds_user_id').on('holds').column('user_id').execute();
};
