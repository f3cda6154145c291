import { sql } from 'kysely';
import { empty, required, type Step, uniqueIndexName, zero } from '../src/core/storage/columns.ts';

/**
 * - `channel_usage`: what each channel earned and cost by model and hour. Its sums over channels
 *   are those of the site, so that the dashboard reads few rows however many users there are.
 *   Earlier hours count for channel 0, at an unknown cost.
 * - `channels.cost`: how a channel names its cost.
 * - `ledger_hours`: the first posting of each hour, so that a balance at a time is found without an
 *   index on times, which every request would pay for.
 * - `quota_data`: its unique index begins with what is read, one user's hours.
 */
export const channelUsage: Step = async (schema, kinds, database) => {
  await schema.alterTable('channels').addColumn('cost', 'text', empty).execute();
  await kinds
    .clustered(schema.createTable('channel_usage'))
    .addColumn('created_at', 'bigint', required)
    .addColumn('channel_id', 'bigint', required)
    .addColumn('model_name', 'text', required)
    .addColumn('count', 'bigint', zero)
    .addColumn('quota', 'bigint', zero)
    .addColumn('token_used', 'bigint', zero)
    .addColumn('cost', 'bigint', zero)
    .addColumn('costed_count', 'bigint', zero)
    .addColumn('costed_quota', 'bigint', zero)
    .addPrimaryKeyConstraint('channel_usage_pkey', ['created_at', 'channel_id', 'model_name'])
    .execute();
  const most = sql.lit(Number.MAX_SAFE_INTEGER);
  const sum = (column: string) => {
    const total = sql`sum(${sql.ref(column)})`;
    return sql`case when ${total} > ${most} then ${most} else ${total} end`;
  };
  await sql`insert into channel_usage (created_at, channel_id, model_name, count, quota, token_used)
    select created_at, 0, model_name, ${sum('count')}, ${sum('quota')}, ${sum('token_used')}
    from quota_data group by created_at, model_name`.execute(database);
  await kinds
    .clustered(schema.createTable('ledger_hours'))
    .addColumn('hour', 'bigint', (column) => column.primaryKey())
    .addColumn('first_id', 'bigint', required)
    .execute();
  await sql`insert into ledger_hours (hour, first_id)
    select created_at - created_at % 3600, min(id) from ledger group by 1`.execute(database);
  const unique = uniqueIndexName('quota_data', 'created_at');
  await schema.dropIndex(unique).execute();
  await schema
    .createIndex(unique)
    .on('quota_data')
    .unique()
    .columns(['user_id', 'created_at', 'model_name', 'username'])
    .execute();
};
