/** Which channel, and which of its keys, served a conversation. Bounded: the least recently used is dropped first, and every entry after its time. */
import type { Clock } from '../../kernel/clock.ts';

export interface RememberedChannel {
  readonly channelId: number;
  /** The last of the channel's health keys: the one of the API key that was used. */
  readonly healthKey: string;
}

interface Entry extends RememberedChannel {
  readonly until: number;
}

export class AffinityMemory {
  readonly #clock: Pick<Clock, 'now'>;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(name: string): RememberedChannel | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    this.#entries.delete(name);
    if (entry.until <= this.#clock.now()) return undefined;
    this.#entries.set(name, entry);
    return entry;
  }

  /** `ttl` in milliseconds, from now. */
  remember(name: string, { channelId, healthKey }: RememberedChannel, ttl: number, most: number): void {
    this.#entries.delete(name);
    this.#entries.set(name, { channelId, healthKey, until: this.#clock.now() + ttl });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= most) return;
      this.#entries.delete(oldest);
    }
  }
}
