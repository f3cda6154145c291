/**
 * Which key of a channel is used next (docs/rules/routing.md#key-modes). Every process takes turns
 * by itself.
 */
import type { ChannelKeys, KeyedChannel } from '../../upstream/channel.ts';

export class KeyTurns {
  /**
   * Channel id → position of the key used last; after a start polling begins with the first key.
   */
  readonly #last = new Map<number, number>();

  /**
   * One of `usable`, by chance or the next in order; undefined when there is none. `chance` is in
   * [0, 1).
   */
  choose(
    channelId: number,
    { mode }: ChannelKeys,
    usable: readonly KeyedChannel[],
    chance: () => number,
  ): KeyedChannel | undefined {
    if (mode === 'random') return usable[Math.floor(chance() * usable.length)];
    const last = this.#last.get(channelId) ?? 0;
    const next = usable.find(({ keyPosition }) => keyPosition > last) ?? usable[0];
    if (next !== undefined) this.#last.set(channelId, next.keyPosition);
    return next;
  }
}
