import type { Clock } from '../kernel/clock.ts';
import { createChanges } from './changes.ts';
import {
  type Cluster,
  clockTolerance,
  type Leases,
  type Room,
  type SharedValues,
  type SlidingLog,
  type Topic,
  type WindowCounter,
} from './cluster.ts';
import { createMemoryRates, type MemoryRateMeter } from './rate-meter.ts';

/** The most keys that one counter or log keeps; the oldest is dropped first. */
const keyLimit = 100_000;

/**
 * The cluster of a single process: all data is in its memory, and all methods return without
 * waiting. Leases are in memory too unless `leases` is given. The gateway passes leases of its
 * database, which are shared between processes and survive a restart.
 */
export function createMemoryCluster(
  clock: Pick<Clock, 'now'>,
  leases: Leases = createMemoryLeases(clock),
): Cluster {
  const counters = new Map<string, WindowCounter>();
  const logs = new Map<string, SlidingLog>();
  const values = new Map<string, SharedValues<unknown>>();
  const topics = new Map<string, Topic<unknown>>();
  const rates = new Map<string, MemoryRateMeter>();
  return {
    changes: createChanges(),
    leases,
    counter: (name) => getOrCreate(counters, name, () => createMemoryCounter(clock)),
    slidingLog: (name) => getOrCreate(logs, name, () => createMemoryLog(clock)),
    rates: (name) => getOrCreate(rates, name, () => createMemoryRates(clock, keyLimit)),
    // Every name is used with a single type.
    values: <T>(name: string, limit: () => number) =>
      getOrCreate(values, name, () => createMemoryValues<unknown>(clock, limit)) as SharedValues<T>,
    topic: <T>(name: string) =>
      getOrCreate(topics, name, () => createMemoryTopic<unknown>()) as Topic<T>,
  };
}

function getOrCreate<T>(known: Map<string, T>, name: string, create: () => T): T {
  const existing = known.get(name);
  if (existing !== undefined) return existing;
  const created = create();
  known.set(name, created);
  return created;
}

function createMemoryLeases({ now }: Pick<Clock, 'now'>): Leases {
  const held = new Map<string, { readonly owner: string; readonly until: number }>();
  return {
    acquire: async (name, owner, ms, longest = ms) => {
      const current = held.get(name);
      const latest = now() + longest + clockTolerance;
      const isHeld = current !== undefined && current.until > now() && current.until <= latest;
      if (isHeld && current.owner !== owner) return false;
      held.set(name, { owner, until: now() + ms });
      return true;
    },
    release: async (name, owner) => held.get(name)?.owner === owner && held.delete(name),
  };
}

function createMemoryCounter({ now }: Pick<Clock, 'now'>): WindowCounter {
  const windows = new Map<string, { count: number; until: number; length: number }>();
  /** One with more than its length left began before the clock was set back: it is over. */
  const isOpen = ({ until, length }: { readonly until: number; readonly length: number }) =>
    until > now() && until - now() <= length;
  return {
    increment: (key, windowMs) => {
      const known = windows.get(key);
      if (known !== undefined && isOpen(known)) {
        known.count += 1;
        return { count: known.count, remainingMs: known.until - now() };
      }
      windows.delete(key);
      windows.set(key, { count: 1, until: now() + windowMs, length: windowMs });
      forgetOldest(windows, keyLimit, (window) => !isOpen(window));
      return { count: 1, remainingMs: windowMs };
    },
    extend: (key, ms) => {
      const known = windows.get(key);
      if (known !== undefined) Object.assign(known, { until: now() + ms, length: ms });
    },
    decrement: (key) => {
      const known = windows.get(key);
      if (known !== undefined && isOpen(known) && known.count > 0) known.count -= 1;
    },
    reset: (key) => {
      windows.delete(key);
    },
  };
}

function createMemoryLog({ now }: Pick<Clock, 'now'>): SlidingLog {
  /** Times are oldest first. `windowMs` is from the last call and decides when a key expires. */
  const logs = new Map<string, { times: number[]; windowMs: number }>();

  const recent = (key: string, windowMs: number): number[] => {
    const times = logs.get(key)?.times ?? [];
    // A time in the future means that the clock was set back: the events are dropped.
    if ((times.at(-1) ?? 0) > now()) times.length = 0;
    const from = now() - windowMs;
    let old = 0;
    while (old < times.length && (times[old] ?? 0) <= from) old += 1;
    if (old > 0) times.splice(0, old);
    return times;
  };

  const wait = (key: string, windowMs: number, limit: number): Room => {
    const times = recent(key, windowMs);
    const waitMs =
      times.length < limit ? 0 : Math.max(0, (times[times.length - limit] ?? 0) + windowMs - now());
    return { waitMs, left: Math.max(0, limit - times.length) };
  };
  const add = (key: string, windowMs: number): void => {
    const times = recent(key, windowMs);
    times.push(now());
    logs.delete(key);
    logs.set(key, { times, windowMs });
    forgetOldest(logs, keyLimit, (log) => (log.times.at(-1) ?? 0) <= now() - log.windowMs);
  };
  return {
    wait,
    take: (key, windowMs, limit) => {
      const { waitMs, left } = wait(key, windowMs, limit);
      if (waitMs > 0) return { waitMs, left };
      add(key, windowMs);
      return { waitMs, left: Math.max(0, left - 1) };
    },
    add,
  };
}

function createMemoryValues<T>({ now }: Pick<Clock, 'now'>, limit: () => number): SharedValues<T> {
  /** The least recently used is first. */
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      if (entry.until <= now()) return undefined;
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value, ms) => {
      entries.delete(key);
      entries.set(key, { value, until: now() + ms });
      forgetOldest(entries, limit(), ({ until }) => until <= now());
    },
  };
}

/**
 * The subscribers of one process. Implementations that reach other processes deliver to their own
 * with it.
 */
export function createMemoryTopic<T>(): Topic<T> {
  const listeners = new Set<(message: T) => void>();
  return {
    publish: (message) => {
      for (const listener of listeners) listener(message);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Removes the first entries while they are expired or there are more than `limit`. */
function forgetOldest<T>(
  entries: Map<string, T>,
  limit: number,
  isExpired: (entry: T) => boolean,
): void {
  for (const [key, entry] of entries) {
    if (!isExpired(entry) && entries.size <= limit) return;
    entries.delete(key);
  }
}
