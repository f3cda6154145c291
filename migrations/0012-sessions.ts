import { empty, required, type Step } from '../src/core/storage/columns.ts';

export const sessions: Step = async (schema) => {
  await schema
    .createTable('sessions')
    .addColumn('id_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_seen', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('ip', 'text', empty)
    .addColumn('user_agent', 'text', empty)
    .addColumn('method', 'text', empty)
    .execute();
  await schema.createIndex('sessions_user_id').on('sessions').column('user_id').execute();
};
