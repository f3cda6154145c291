import type { ChargeRollup } from '../../storage/ledger/settlement.ts';
import type { CallerContext } from '../context.ts';

interface SummedCharge extends Pick<ChargeRollup, 'modelName' | 'tokens' | 'cost'> {
  readonly tags: readonly string[];
  /** Undefined: the channel has one key. */
  readonly keyName: string | undefined;
  /** Clock milliseconds. */
  readonly now: number;
}

/** What a charge adds to the hourly sums (docs/rules/usage-logs.md#hourly-sums). */
export function rollupOf(
  { deps, caller }: CallerContext,
  { modelName, tokens, cost, tags, keyName, now }: SummedCharge,
): ChargeRollup {
  const hour = Math.floor(now / 3_600_000) * 3600;
  const sums = {
    modelName,
    username: caller.username,
    hour,
    tokens,
    cost,
    ...(keyName !== undefined && { keyName }),
  };
  return tags.length === 0
    ? sums
    : { ...sums, tags: deps.summedTags.of(caller.userId, hour, tags) };
}
