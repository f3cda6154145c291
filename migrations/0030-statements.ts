import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * What is summed once and then read: log rows by day, postings by user, month, day and kind. The
 * rows themselves stay as they are, so nothing is added to what a request writes.
 */
export const statements: Step = async (schema, kinds) => {
  await schema
    .createTable('log_days')
    .addColumn('day', 'bigint', (column) => column.primaryKey())
    .addColumn('row_count', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .execute();
  await schema
    .createTable('log_sums')
    .addColumn('day', 'bigint', required)
    .addColumn('user_id', 'bigint', zero)
    .addColumn('username', 'text', empty)
    .addColumn('type', 'integer', zero)
    .addColumn('model_name', 'text', empty)
    .addColumn('token_name', 'text', empty)
    .addColumn('token_id', 'bigint', zero)
    .addColumn('channel_id', 'bigint', zero)
    .addColumn('group', 'text', empty)
    .addColumn('row_count', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .execute();
  await schema.createIndex('log_sums_day').on('log_sums').columns(['day', 'model_name']).execute();
  await schema
    .createIndex('log_sums_token')
    .on('log_sums')
    .columns(['token_name', 'day'])
    .execute();
  await schema.createIndex('log_sums_user').on('log_sums').columns(['user_id', 'day']).execute();

  await schema
    .createTable('log_site_sums')
    .addColumn('day', 'bigint', required)
    .addColumn('type', 'integer', zero)
    .addColumn('model_name', 'text', empty)
    .addColumn('channel_id', 'bigint', zero)
    .addColumn('group', 'text', empty)
    .addColumn('row_count', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .execute();
  await schema.createIndex('log_site_sums_day').on('log_site_sums').column('day').execute();

  await schema
    .createTable('statement_progress')
    .addColumn('user_id', 'bigint', (column) => column.primaryKey())
    .addColumn('last_id', 'bigint', zero)
    .addColumn('balance', 'bigint', zero)
    .addColumn('month', 'integer', zero)
    .execute();
  await schema
    .createTable('statement_months')
    .addColumn('user_id', 'bigint', required)
    .addColumn('month', 'integer', required)
    .addColumn('last_id', 'bigint', required)
    .addColumn('closing', 'bigint', required)
    .addPrimaryKeyConstraint('statement_months_pkey', ['user_id', 'month'])
    .execute();
  await schema
    .createTable('statement_sums')
    .addColumn('user_id', 'bigint', required)
    .addColumn('month', 'integer', required)
    .addColumn('day', 'integer', required)
    .addColumn('kind', 'text', required)
    .addColumn('row_count', 'bigint', zero)
    .addColumn('amount', 'bigint', zero)
    .addPrimaryKeyConstraint('statement_sums_pkey', ['user_id', 'month', 'day', 'kind'])
    .execute();
  // Everything but charges, which are nearly all rows: what a statement lists one by one.
  await schema
    .createIndex('ledger_user_movements')
    .on('ledger')
    .columns(kinds.thenId(['user_id']))
    .where('kind', '!=', 'charge')
    .execute();
};
