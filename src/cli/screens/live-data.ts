/**
 * Data of the live screens, polled every second. If the gateway becomes unreachable, the last
 * figures stay visible.
 */
import type { Client } from '../../core/contract/client.ts';
import type { LogEntity } from '../../core/contract/entities.ts';
import { CallError } from '../../core/contract/envelope.ts';
import type { Overview } from '../../core/contract/overview.ts';
import type { Clock } from '../../core/kernel/clock.ts';

/** Rows kept for the live log. */
const keptRows = 500;
const intervalMs = 1000;
/** Interval after a request was refused by a rate limit. */
const slowIntervalMs = 5000;

/** A gateway that takes longer counts as away: its machine may be gone without a word. */
const patienceMs = 10_000;

/** More than any site has. */
const everyChannel = 1_000_000;

interface LiveEvents {
  /** The failure of a gateway that does not reply in time. */
  readonly late: string;
  changed(): void;
  /** The gateway replies again after it did not. */
  recovered(): void;
}

export class LiveData {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #events: LiveEvents;
  readonly #stop = new AbortController();
  #newestId = 0;
  overview: Overview | undefined;
  /** Newest first. */
  rows: readonly LogEntity[] = [];
  /** Error of the last call; undefined while the gateway is reachable. */
  failure: Error | undefined;

  constructor(client: Client, clock: Clock, events: LiveEvents) {
    this.#client = client;
    this.#clock = clock;
    this.#events = events;
  }

  /** Whether the gateway itself is away, as opposed to one that refuses. */
  get isAway(): boolean {
    if (!(this.failure instanceof CallError)) return this.failure !== undefined;
    return this.failure.code === 'gateway_unreachable' || this.failure.status >= 500;
  }

  /** Polls until {@link LiveData.close}; never throws. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.refresh();
      const isRateLimited =
        this.failure instanceof CallError && this.failure.code === 'rate_limited';
      // only the signal rejects
      await this.#clock.sleep(isRateLimited ? slowIntervalMs : intervalMs, signal).catch(() => {});
    }
  }

  async refresh(): Promise<void> {
    const hadFailed = this.failure !== undefined;
    try {
      const [overview, rows] = await this.#inTime(
        Promise.all([
          this.#client.overview.get({ channels: everyChannel }),
          this.#client.log.tail({ after: this.#newestId }),
        ]),
      );
      this.overview = overview;
      this.#take(rows);
      this.failure = undefined;
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
    if (this.#stop.signal.aborted) return;
    if (hadFailed && this.failure === undefined) this.#events.recovered();
    this.#events.changed();
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(this.#events.late)), patienceMs);
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  #take(rows: readonly LogEntity[]): void {
    const fresh = rows.filter((row) => row.id > this.#newestId);
    if (fresh.length === 0) return;
    this.#newestId = Math.max(...fresh.map(({ id }) => id));
    // Restored and imported rows are new here, and old.
    this.rows = [...fresh, ...this.rows]
      .sort((one, other) => other.created_at - one.created_at || other.id - one.id)
      .slice(0, keptRows);
  }
}
