/** Which lane a conversation went to: bounded, the least recently used goes first, everything goes after its time. */
import type { Clock } from '../../kernel/clock.ts';

/** The options `channel_affinity_setting.*` as the relay uses them. */
export interface AffinityPolicy {
  /** Another channel that served takes the remembered one's place. */
  readonly switchOnSuccess: boolean;
  readonly most: number;
  /** Milliseconds. */
  readonly ttl: number;
}

export interface RememberedChannel {
  readonly channelId: number;
  /** The last of the channel's lanes: the one of its key. */
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
