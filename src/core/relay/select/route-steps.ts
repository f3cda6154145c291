/** What the log row of a request keeps about the choice of its channels. */
import type { Tier } from '../../channels/routing-index.ts';
import type { RouteStep } from '../../contract/log-other.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { Consideration } from '../attempt.ts';

export type SelectionReason = RouteStep['reason'];
export type SkipReason = NonNullable<RouteStep['skipped']>[number]['reason'];

/** Most channels that a row names: a site may have thousands. */
const mostNamed = 16;

/** `skipReason`: undefined for a channel that took part in the choice. */
export function considerationOf(
  tiers: readonly Tier[],
  skipReason: (channel: UpstreamChannel) => SkipReason | undefined,
): Consideration {
  const candidates: number[] = [];
  const skipped: NonNullable<RouteStep['skipped']> = [];
  for (const { channels } of tiers) {
    for (const channel of channels) {
      if (candidates.length + skipped.length === mostNamed) return named(candidates, skipped);
      const reason = skipReason(channel);
      if (reason === undefined) candidates.push(channel.id);
      else skipped.push({ channel: channel.id, reason });
    }
  }
  return named(candidates, skipped);
}

function named(candidates: number[], skipped: NonNullable<RouteStep['skipped']>): Consideration {
  return {
    ...(candidates.length > 1 ? { candidates } : {}),
    ...(skipped.length > 0 ? { skipped } : {}),
  };
}
