/**
 * What several processes of one gateway share. Services use this port only, so that one process keeps everything in its
 * memory and several can keep it in a store they all reach. Methods return a plain value where none has to be waited for.
 */
import type { Changes } from './changes.ts';

export type Awaitable<T> = T | Promise<T>;

export interface Cluster {
  readonly changes: Changes;
  readonly leases: Leases;
  /** Counters are separate by name. */
  counter(name: string): WindowCounter;
  /** Logs are separate by name. */
  slidingLog(name: string): SlidingLog;
  /** Values are separate by name. At most `limit` of them are kept; the oldest goes first. */
  values<T>(name: string, limit: number): SharedValues<T>;
}

/** Keeps a piece of work on one process at a time. */
export interface Leases {
  /** Takes a free or expired lease, or prolongs one that `owner` has, for `ms` from now. False: another owner has it. */
  acquire(name: string, owner: string, ms: number): Promise<boolean>;
  /** False when the lease is no longer the owner's. */
  release(name: string, owner: string): Promise<boolean>;
}

export interface Count {
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly remainingMs: number;
}

/** Counts per key in a fixed window, which begins with the first count. */
export interface WindowCounter {
  /** Adds one and returns the new count. */
  increment(key: string, windowMs: number): Awaitable<Count>;
  /** Makes the current window of a key end `ms` from now. */
  extend(key: string, ms: number): Awaitable<void>;
  reset(key: string): Awaitable<void>;
}

/** The times of the newest events per key, for limits that hold in any span of a window's length. */
export interface SlidingLog {
  /** Milliseconds until fewer than `most` events lie in the window; 0: now. */
  wait(key: string, windowMs: number, most: number): Awaitable<number>;
  /** Adds an event where `wait` would return 0, in one step; returns what `wait` returns. */
  take(key: string, windowMs: number, most: number): Awaitable<number>;
  add(key: string, windowMs: number): Awaitable<void>;
}

/** Short-lived values by key. `T` is plain JSON data. */
export interface SharedValues<T> {
  get(key: string): Awaitable<T | undefined>;
  set(key: string, value: T, ms: number): Awaitable<void>;
  delete(key: string): Awaitable<void>;
}
