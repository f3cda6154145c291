import { type Step, zero } from '../src/core/storage/columns.ts';

/** When a user was last warned of a low balance, and whether a warning waits to be sent. */
export const quotaWarnings: Step = async (schema) => {
  await schema
    .createTable('quota_warnings')
    .addColumn('user_id', 'bigint', (column) => column.primaryKey())
    .addColumn('due_at', 'bigint', zero)
    .addColumn('tries', 'integer', zero)
    .addColumn('sent_at', 'bigint', zero)
    .execute();
  await schema.createIndex('quota_warnings_due').on('quota_warnings').column('due_at').execute();
};
