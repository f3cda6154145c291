import { type Step, zero } from '../src/core/storage/columns.ts';

/** Rates of budgets (docs/rules/budgets.md#rates). */
export const rates: Step = async (schema, kinds, database) => {
  for (const column of ['requests_per_minute', 'tokens_per_minute', 'parallel_requests'])
    await schema.alterTable('budgets').addColumn(column, 'bigint', zero).execute();
  await kinds.watch(database, {
    table: 'budgets',
    kind: 'budgets',
    row: 'id',
    columns: [
      ...['name', 'owner', 'owner_id', 'each', 'amount', 'period', 'window', 'time_zone'],
      ...['week_start', 'closed_days', 'closed_hours', 'models', 'carry_over', 'at_end'],
      ...['thresholds', 'enabled', 'revision', 'grants'],
      ...['most_requests', 'most_minutes', 'most_repeats'],
      ...['requests_per_minute', 'tokens_per_minute', 'parallel_requests'],
    ],
  });
};
