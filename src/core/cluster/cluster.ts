/**
 * State that all processes of one gateway share. Services use only this interface. A single process
 * keeps the state in memory; several processes can keep it in a shared store. Methods that need no
 * I/O return plain values.
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
  /** Rates are separate by name. */
  rates(name: string): RateMeter;
  /**
   * Values are separate by name. At most `limit()` of them are kept, the least recently used is
   * dropped first. The limit is read at each `set`, so it may follow an option.
   */
  values<T>(name: string, limit: () => number): SharedValues<T>;
  /** Topics are separate by name. `T` is plain JSON data. */
  topic<T>(name: string): Topic<T>;
}

/**
 * Messages to all processes, for state that each of them keeps a copy of because it is read too
 * often to be fetched. Delivery to other processes may fail, so a subscriber must recover from a
 * lost message.
 */
export interface Topic<T> {
  /**
   * Delivers to the subscribers of this process before it returns, and to those of the other
   * processes later, in the order of publication. Each subscriber gets a message once. Never
   * throws.
   */
  publish(message: T): void;
  /** Returns a function that unsubscribes. Listeners must not throw. */
  subscribe(listener: (message: T) => void): () => void;
}

/** Locks that keep a piece of work on one process at a time. */
export interface Leases {
  /**
   * Takes a free or expired lease, or renews `owner`'s, until `ms` from now. False: another owner
   * holds it. `longest`: for how many ms any call takes this lease at most, `ms` unless given. One
   * that ends later than that was taken while a clock was ahead, and is free.
   */
  acquire(name: string, owner: string, ms: number, longest?: number): Promise<boolean>;
  /**
   * False when the lease is no longer the owner's. Never rejects: what it guarded is done, and a
   * lease ends by its time.
   */
  release(name: string, owner: string): Promise<boolean>;
}

/** Milliseconds by which the clocks of processes may differ. */
export const clockTolerance = 3_600_000;

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
  /** Takes one back that was counted in the current window. */
  decrement(key: string): Awaitable<void>;
  reset(key: string): Awaitable<void>;
}

/** What a window still has room for. */
export interface Room {
  /** Milliseconds until fewer than the limit lie in the window; 0: now. */
  readonly waitMs: number;
  /** Events that fit now, at least 0. */
  readonly left: number;
}

/**
 * The times of the newest events per key, for limits that hold in any span of a window's length.
 */
export interface SlidingLog {
  wait(key: string, windowMs: number, limit: number): Awaitable<Room>;
  /** Atomically adds an event if there is room, and returns what is left after it. */
  take(key: string, windowMs: number, limit: number): Awaitable<Room>;
  add(key: string, windowMs: number): Awaitable<void>;
}

/**
 * Short-lived values by key, for what may be lost; the one that was set last counts. `T` is plain
 * JSON data. A call that needs I/O takes bounded time and may reject.
 */
export interface SharedValues<T> {
  get(key: string): Awaitable<T | undefined>;
  set(key: string, value: T, ms: number): Awaitable<void>;
}

/** How much there may be under a key: in a minute, and at the same time. 0: any number. */
export interface RateAsk {
  readonly key: string;
  readonly requests: number;
  readonly tokens: number;
  readonly parallel: number;
  /** False: what is beyond a limit is counted and not refused. */
  readonly refuses: boolean;
}

/** What counts now. */
export interface RateUse {
  readonly requests: number;
  readonly tokens: number;
  readonly parallel: number;
}

export interface RateReply {
  /** The first ask that has no room, by its place. Undefined: the work was counted under all. */
  readonly refused:
    | {
        readonly index: number;
        readonly by: 'requests' | 'tokens' | 'parallel';
        /** Milliseconds until there is room, as far as is known. */
        readonly waitMs: number;
      }
    | undefined;
  /** Of each ask, with this work where it was counted. */
  readonly used: readonly RateUse[];
}

/**
 * Counts of the last minute, and of what is under way, by key. Work of a process that dies is no
 * longer under way within half a minute.
 */
export interface RateMeter {
  /**
   * Counts a piece of work under all keys or, where one has no room, under none. `slot` names it
   * and is unique. More tokens than a limit fit where nothing else is counted.
   */
  enter(slot: string, tokens: number, asks: readonly RateAsk[]): Awaitable<RateReply>;
  /** The work is over, and took so many tokens. Never rejects. */
  leave(slot: string, tokens: number): Awaitable<void>;
  read(keys: readonly string[]): Awaitable<readonly RateUse[]>;
}
