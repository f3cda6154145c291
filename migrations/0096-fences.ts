import { type Step, zero } from '../src/core/storage/columns.ts';

/** Fences of conversations and agents (docs/rules/budgets.md#fences). */
export const fences: Step = async (schema, kinds, database) => {
  for (const column of ['most_requests', 'most_minutes', 'most_repeats'])
    await schema.alterTable('budgets').addColumn(column, 'integer', zero).execute();
  for (const column of ['requests', 'extra_requests', 'fenced_from', 'grants', 'repeats'])
    await schema.alterTable('budget_windows').addColumn(column, 'bigint', zero).execute();
  await kinds.watch(database, {
    table: 'budgets',
    kind: 'budgets',
    row: 'id',
    columns: [
      ...['name', 'owner', 'owner_id', 'each', 'amount', 'period', 'window', 'time_zone'],
      ...['week_start', 'closed_days', 'closed_hours', 'models', 'carry_over', 'at_end'],
      ...['thresholds', 'enabled', 'revision', 'grants'],
      ...['most_requests', 'most_minutes', 'most_repeats'],
    ],
  });
};
