import type { ChargeRollup } from '../../storage/ledger/settlement.ts';
import type { CallerContext } from '../context.ts';

interface SummedCharge extends Pick<ChargeRollup, 'modelName' | 'tokens' | 'cost'> {
  readonly tags: readonly string[];
  /** Clock milliseconds. */
  readonly now: number;
}

/** What a charge adds to the hourly sums (docs/rules/usage-logs.md#hourly-sums). */
export function rollupOf(
  { deps, caller }: CallerContext,
  { modelName, tokens, cost, tags, now }: SummedCharge,
): ChargeRollup {
  const hour = Math.floor(now / 3_600_000) * 3600;
  const sums = { modelName, username: caller.username, hour, tokens, cost };
  return tags.length === 0
    ? sums
    : { ...sums, tags: deps.summedTags.of(caller.userId, hour, tags) };
}
