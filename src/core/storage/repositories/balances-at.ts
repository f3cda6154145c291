import { type Kysely, sql } from 'kysely';
import { clampQuota, maxQuota, type Quota } from '../../kernel/quota.ts';
import type { Database } from '../schema.ts';

/**
 * {@link LedgerRepository.balancesAt}: the balance after the last posting before each hour's first
 * one. Two index lookups per hour, however many postings there are.
 */
export async function readBalancesAt(
  read: Kysely<Database>,
  userId: number,
  hours: readonly number[],
): Promise<readonly Quota[]> {
  if (hours.length === 0) return [];
  const times = sql.join(hours.map((hour) => sql`(${sql.lit(hour)})`));
  const { rows } = await sql<{ hour: number; balance: number }>`
    select time.column1 as hour, coalesce((
      select balance_after from ledger where user_id = ${userId} and id < coalesce(
        (select first_id from ledger_hours where hour >= time.column1 order by hour limit 1), ${sql.lit(maxQuota)}
      ) order by id desc limit 1
    ), 0) as balance
    from (values ${times}) as time`.execute(read);
  const balances = new Map(rows.map(({ hour, balance }) => [hour, clampQuota(balance)]));
  return hours.map((hour) => balances.get(hour) ?? clampQuota(0));
}
