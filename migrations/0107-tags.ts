import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

/**
 * Tags of requests (docs/rules/tags.md): on log rows, in hourly sums, and as a condition of budgets.
 * A row without tags grows by a byte; sums have rows only for requests with tags.
 */
export const tags: Step = async (schema, kinds, database) => {
  await schema.alterTable('logs').addColumn('tags', 'text', empty).execute();
  await schema.alterTable('budgets').addColumn('tag', 'text', empty).execute();
  await kinds
    .clustered(schema.createTable('tag_usage'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('tag', 'text', required)
    .addColumn('count', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .addColumn('token_used', 'bigint', zero)
    .addPrimaryKeyConstraint('tag_usage_pkey', ['user_id', 'created_at', 'tag'])
    .execute();
  await schema
    .createIndex('tag_usage_created_at')
    .on('tag_usage')
    .columns(['created_at'])
    .execute();
  await kinds.watch(database, {
    table: 'budgets',
    kind: 'budgets',
    row: 'id',
    columns: [
      ...['name', 'owner', 'owner_id', 'each', 'amount', 'period', 'window', 'time_zone'],
      ...['week_start', 'closed_days', 'closed_hours', 'models', 'tag', 'carry_over', 'at_end'],
      ...['thresholds', 'enabled', 'revision', 'grants'],
      ...['most_requests', 'most_minutes', 'most_repeats'],
      ...['requests_per_minute', 'tokens_per_minute', 'parallel_requests'],
    ],
  });
};
