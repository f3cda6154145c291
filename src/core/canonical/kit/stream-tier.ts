import type { Usage } from '../usage.ts';
import { textOf } from './read-json.ts';
import { tiersOf } from './usage.ts';

/**
 * The tier that a stream names as it goes: the last one counts, and that of a stream that is cut
 * before its usage came.
 */
export class StreamTier {
  #tiers: readonly string[] | undefined;

  /** `serviceTier`: undefined where an event names none. What it says anew, as usage. */
  read(serviceTier: unknown): Usage | undefined {
    if (textOf(serviceTier) === undefined) return undefined;
    const tiers = tiersOf(serviceTier);
    if (tiers?.[0] === this.#tiers?.[0]) return undefined;
    this.#tiers = tiers;
    return { tiers: tiers ?? [] };
  }
}
