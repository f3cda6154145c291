import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/** Budgets, their windows, and what each charge took from them (docs/rules/budgets.md). */
export const budgets: Step = async (schema, kinds, database) => {
  await kinds
    .id(schema.createTable('budgets'))
    .addColumn('user_id', 'bigint', zero)
    .addColumn('name', 'text', empty)
    .addColumn('owner', 'text', required)
    .addColumn('owner_id', 'text', required)
    .addColumn('each', 'text', empty)
    .addColumn('amount', 'bigint', zero)
    .addColumn('period', 'text', (column) => column.notNull().defaultTo('month'))
    .addColumn('window', 'text', (column) => column.notNull().defaultTo('calendar'))
    .addColumn('time_zone', 'text', (column) => column.notNull().defaultTo('UTC'))
    .addColumn('week_start', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('closed_days', 'text', empty)
    .addColumn('closed_hours', 'text', empty)
    .addColumn('models', 'text', empty)
    .addColumn('carry_over', 'integer', zero)
    .addColumn('at_end', 'text', (column) => column.notNull().defaultTo('refuse'))
    .addColumn('thresholds', 'text', (column) => column.notNull().defaultTo('80,100'))
    .addColumn('enabled', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('revision', 'integer', zero)
    .addColumn('grants', 'integer', zero)
    .addColumn('created_time', 'bigint', zero)
    .execute();
  await kinds
    .id(schema.createTable('budget_windows'))
    .addColumn('budget_id', 'bigint', required)
    .addColumn('revision', 'integer', required)
    .addColumn('subject', 'text', required)
    .addColumn('starts_at', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .addColumn('opening', 'bigint', zero)
    .addColumn('carried', 'bigint', zero)
    .addColumn('extra', 'bigint', zero)
    .addColumn('spent', 'bigint', zero)
    .addColumn('held', 'bigint', zero)
    .addColumn('warned', 'integer', zero)
    .execute();
  await schema
    .createIndex('budget_windows_subject')
    .on('budget_windows')
    .columns(['budget_id', 'revision', 'subject', 'starts_at'])
    .unique()
    .execute();
  await schema
    .createTable('budget_charges')
    .addColumn('window_id', 'bigint', required)
    .addColumn('ledger_id', 'bigint', required)
    .addColumn('amount', 'bigint', required)
    .addPrimaryKeyConstraint('budget_charges_pkey', ['window_id', 'ledger_id'])
    .execute();
  await schema.alterTable('holds').addColumn('windows', 'text').execute();
  await kinds.watch(database, {
    table: 'budgets',
    kind: 'budgets',
    row: 'id',
    columns: [
      ...['name', 'owner', 'owner_id', 'each', 'amount', 'period', 'window', 'time_zone'],
      ...['week_start', 'closed_days', 'closed_hours', 'models', 'carry_over', 'at_end'],
      ...['thresholds', 'enabled', 'revision', 'grants'],
    ],
  });
};
