import { type Step, zero } from '../src/core/storage/columns.ts';

/** Fences against spending far above the usual (docs/rules/budgets.md#pace), and whose windows are. */
export const pace: Step = async (schema, kinds, database) => {
  await schema.alterTable('budgets').addColumn('most_pace', 'integer', zero).execute();
  for (const column of ['pace', 'user_id'])
    await schema.alterTable('budget_windows').addColumn(column, 'bigint', zero).execute();
  await kinds.watch(database, {
    table: 'budgets',
    kind: 'budgets',
    row: 'id',
    columns: [
      ...['name', 'owner', 'owner_id', 'each', 'amount', 'period', 'window', 'time_zone'],
      ...['week_start', 'closed_days', 'closed_hours', 'models', 'tag', 'carry_over', 'at_end'],
      ...['thresholds', 'enabled', 'revision', 'grants'],
      ...['most_requests', 'most_minutes', 'most_repeats', 'most_pace'],
      ...['requests_per_minute', 'tokens_per_minute', 'parallel_requests'],
    ],
  });
};
