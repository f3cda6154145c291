import { sql } from 'kysely';
import { required, type Step } from '../src/core/storage/columns.ts';

/**
 * Append-only: every change of what a token was allowed to spend in all. Remaining + used quota of
 * a token is the sum of its rows (docs/rules/ledger.md#token-allowance). Existing tokens get one
 * row with what they have.
 */
export const tokenAllowances: Step = async (schema, kinds, database) => {
  await kinds
    .appendOnlyId(schema.createTable('token_allowances'))
    .addColumn('token_id', 'bigint', required)
    .addColumn('amount', 'bigint', required)
    .addColumn('remain_after', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await schema
    .createIndex('token_allowances_token_id')
    .on('token_allowances')
    .columns(kinds.thenId(['token_id']))
    .execute();
  await sql`insert into token_allowances (token_id, amount, remain_after, created_at)
    select id, remain_quota + used_quota, remain_quota, created_time from tokens
    where remain_quota + used_quota != 0`.execute(database);
};
