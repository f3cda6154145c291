import { type Expression, type RawBuilder, sql } from 'kysely';
import { maxQuota } from '../../kernel/quota.ts';

/**
 * A sum that stops at the bounds of quota, so that a list with a bad row can still be read
 * (docs/rules/ledger.md#quota-range).
 */
export function cappedSum(sum: Expression<unknown>): RawBuilder<number> {
  const max = sql.lit(maxQuota);
  return sql<number>`cast(case when ${sum} > ${max} then ${max} when ${sum} < -${max} then -${max} else ${sum} end as bigint)`;
}
