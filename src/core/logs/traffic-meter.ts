import type { Clock } from '../kernel/clock.ts';

/**
 * A finished attempt on a channel. Recording it must be cheap: it happens once per attempt on the
 * hot path.
 */
export interface TrafficEvent {
  readonly channelId: number;
  /** As the caller named it. */
  readonly model: string;
  readonly ok: boolean;
  /** Milliseconds to the first byte; 0: none was received. */
  readonly firstByteMs: number;
  /** From the arrival of the request to its end; 0: the attempt failed. */
  readonly durationMs: number;
  /** Of an attempt that failed: what the upstream replied with; 0: nothing. */
  readonly status: number;
  /** Charged. */
  readonly quota: number;
  /**
   * Whether this is the last attempt of its request. Only that one counts as a request, with its
   * tokens.
   */
  readonly final: boolean;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Prompt tokens read from the upstream's cache. */
  readonly cachedTokens: number;
  /**
   * Of a later turn of a conversation: whether it stayed with the account that has its cache.
   * Absent: it is none, or is not known to be.
   */
  readonly turn?: ConversationTurn | undefined;
}

export type ConversationTurn = 'kept' | 'moved';

export interface ChannelTraffic {
  /** The last 20 attempts, oldest first: 0 succeeded, 1 slow, 2 failed. */
  readonly recent: readonly number[];
  /** Mean time to the first byte of those attempts that received one, in ms; 0: none did. */
  readonly responseTime: number;
  /** Attempts since the start. */
  readonly requests: number;
  /** When the last of them ended, in Unix seconds. */
  readonly lastAt: number;
}

export interface TrafficSnapshot {
  /** Requests and tokens of the last 60 seconds. */
  readonly rpm: number;
  readonly tpm: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Requests of each of the last 60 minutes, oldest first. */
  readonly requestsByMinute: readonly number[];
  /** Of the same minutes: tokens, quota charged, and requests that failed. */
  readonly tokensByMinute: readonly number[];
  readonly quotaByMinute: readonly number[];
  readonly failedByMinute: readonly number[];
  readonly channels: ReadonlyMap<number, ChannelTraffic>;
}

/** Live figures of this process since its start. */
export interface TrafficMeter {
  record(event: TrafficEvent): void;
  snapshot(): TrafficSnapshot;
}

/**
 * An attempt is slow if its first byte takes longer than this, in ms. The console's response time
 * tag is yellow from here (docs/rules/usage-logs.md#live-figures).
 */
const slowMs = 5000;
const recentLimit = 20;
const minutes = 60;
const seconds = 60;

/** A ring of counts per time slot. A slot last written in an earlier round reads as 0. */
class Ring {
  readonly #slots: Float64Array;
  readonly #stamps: Float64Array;

  constructor(size: number) {
    this.#slots = new Float64Array(size);
    this.#stamps = new Float64Array(size).fill(-1);
  }

  add(stamp: number, amount: number): void {
    const slot = stamp % this.#slots.length;
    if (this.#stamps[slot] !== stamp) {
      this.#stamps[slot] = stamp;
      this.#slots[slot] = 0;
    }
    this.#slots[slot] = (this.#slots[slot] ?? 0) + amount;
  }

  /** Oldest first, ending with the slot of `stamp`. */
  read(stamp: number): number[] {
    const size = this.#slots.length;
    return Array.from({ length: size }, (_, index) => {
      const slotStamp = stamp - size + 1 + index;
      const slot = ((slotStamp % size) + size) % size;
      return this.#stamps[slot] === slotStamp ? (this.#slots[slot] ?? 0) : 0;
    });
  }
}

/**
 * The latest attempts on one channel, as a ring: their results and milliseconds to the first byte.
 */
interface ChannelWindow {
  readonly results: Uint8Array;
  readonly times: Float64Array;
  count: number;
  /** Unix seconds of the latest. */
  lastAt: number;
}

export function createTrafficMeter(clock: Clock): TrafficMeter {
  const byMinute = new Ring(minutes);
  const tokensByMinute = new Ring(minutes);
  const quotaByMinute = new Ring(minutes);
  const failedByMinute = new Ring(minutes);
  const requestsBySecond = new Ring(seconds);
  const tokensBySecond = new Ring(seconds);
  const windows = new Map<number, ChannelWindow>();
  let promptTokens = 0;
  let cachedTokens = 0;

  const recordChannel = ({ channelId, ok, firstByteMs }: TrafficEvent): void => {
    let window = windows.get(channelId);
    if (window === undefined) {
      window = {
        results: new Uint8Array(recentLimit),
        times: new Float64Array(recentLimit),
        count: 0,
        lastAt: 0,
      };
      windows.set(channelId, window);
    }
    const slot = window.count % recentLimit;
    window.results[slot] = ok ? (firstByteMs > slowMs ? 1 : 0) : 2;
    window.times[slot] = ok ? firstByteMs : 0;
    window.count += 1;
    window.lastAt = Math.floor(clock.now() / 1000);
  };

  return {
    record: (event) => {
      if (event.channelId !== 0) recordChannel(event);
      if (!event.final) return;
      promptTokens += event.promptTokens;
      cachedTokens += event.cachedTokens;
      const second = Math.floor(clock.now() / 1000);
      requestsBySecond.add(second, 1);
      tokensBySecond.add(second, event.promptTokens + event.completionTokens);
      const minute = Math.floor(second / 60);
      byMinute.add(minute, 1);
      tokensByMinute.add(minute, event.promptTokens + event.completionTokens);
      quotaByMinute.add(minute, event.quota);
      if (!event.ok) failedByMinute.add(minute, 1);
    },
    snapshot: () => {
      const second = Math.floor(clock.now() / 1000);
      const minute = Math.floor(second / 60);
      return {
        rpm: sum(requestsBySecond.read(second)),
        tpm: sum(tokensBySecond.read(second)),
        promptTokens,
        cachedTokens,
        requestsByMinute: byMinute.read(minute),
        tokensByMinute: tokensByMinute.read(minute),
        quotaByMinute: quotaByMinute.read(minute),
        failedByMinute: failedByMinute.read(minute),
        channels: new Map([...windows].map(([id, window]) => [id, describeWindow(window)])),
      };
    },
  };
}

function describeWindow(window: ChannelWindow): ChannelTraffic {
  const kept = Math.min(window.count, recentLimit);
  const order = Array.from(
    { length: kept },
    (_, index) => (window.count - kept + index) % recentLimit,
  );
  const times = order.map((slot) => window.times[slot] ?? 0).filter((time) => time > 0);
  return {
    recent: order.map((slot) => window.results[slot] ?? 0),
    responseTime: times.length === 0 ? 0 : Math.round(sum(times) / times.length),
    requests: window.count,
    lastAt: window.lastAt,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
