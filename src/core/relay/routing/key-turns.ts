/** Whose turn it is among the keys of a channel (spec, relay 6 [L]). */
import type { ChannelKeys, KeyedChannel } from '../../upstream/keyed-channel.ts';

export class KeyTurns {
  /** Channel id → requests so far: polling begins with the first key after a start. */
  readonly #turns = new Map<number, number>();

  /** One of `usable`, by chance or the next in order; undefined when there is none. `chance` is in [0, 1). */
  choose(
    channelId: number,
    { mode }: ChannelKeys,
    usable: readonly KeyedChannel[],
    chance: () => number,
  ): KeyedChannel | undefined {
    if (usable.length === 1 || mode === 'random') return usable[Math.floor(chance() * usable.length)];
    const turn = this.#turns.get(channelId) ?? 0;
    this.#turns.set(channelId, turn + 1);
    return usable[turn % usable.length];
  }
}
