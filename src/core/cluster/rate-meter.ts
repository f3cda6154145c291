/** Rates of one process, in its memory (docs/rules/budgets.md#rates). */
import type { RateAsk, RateMeter, RateReply, RateUse } from './cluster.ts';

/** Seconds that count: any span of a minute lies within the present one and these before it. */
export const rateSeconds = 60;

interface Entry {
  /** By second: requests and tokens. Oldest first. */
  readonly seconds: Map<number, { requests: number; tokens: number }>;
  readonly slots: Set<string>;
}

/** Work under way. */
interface Slot {
  readonly keys: readonly string[];
  readonly second: number;
  readonly tokens: number;
}

/** The meter of a process, and what one that shares Redis needs of it. */
export interface MemoryRateMeter extends RateMeter {
  enter(slot: string, tokens: number, asks: readonly RateAsk[]): RateReply;
  leave(slot: string, tokens: number): void;
  read(keys: readonly string[]): readonly RateUse[];
  /** Counts what was admitted elsewhere. */
  note(slot: string, tokens: number, asks: readonly RateAsk[]): void;
  find(slot: string): Slot | undefined;
  /** Names of the work under way, by key. */
  underWay(): ReadonlyMap<string, readonly string[]>;
}

/** `mostKeys`: of these the oldest without work are forgotten first. */
export function createMemoryRates(
  { now }: { readonly now: () => number },
  mostKeys: number,
): MemoryRateMeter {
  const entries = new Map<string, Entry>();
  const slots = new Map<string, Slot>();
  const secondNow = () => Math.floor(now() / 1000);

  const recent = (key: string): Entry => {
    const entry = entries.get(key) ?? { seconds: new Map(), slots: new Set() };
    const second = secondNow();
    // One in the future: the clock was set back.
    for (const at of entry.seconds.keys())
      if (at < second - rateSeconds || at > second + rateSeconds) entry.seconds.delete(at);
    return entry;
  };

  const countsOf = ({ seconds, slots: own }: Entry): RateUse => {
    const use = { requests: 0, tokens: 0, parallel: own.size };
    for (const { requests, tokens } of seconds.values()) {
      use.requests += requests;
      use.tokens += tokens;
    }
    return use;
  };

  /** Milliseconds until `need` more fit. */
  const wait = (
    { seconds }: Entry,
    kind: 'requests' | 'tokens',
    { used, need, limit }: { readonly used: number; readonly need: number; readonly limit: number },
  ): number => {
    let left = used;
    for (const [second, counted] of seconds) {
      left -= counted[kind];
      if (left + need <= limit) return Math.max(1, (second + rateSeconds + 1) * 1000 - now());
    }
    return 1000;
  };

  const refusalOf = (ask: RateAsk, tokens: number, index: number): RateReply['refused'] => {
    const entry = recent(ask.key);
    const used = countsOf(entry);
    if (!ask.refuses) return undefined;
    if (ask.parallel > 0 && used.parallel >= ask.parallel)
      return { index, by: 'parallel', waitMs: 1000 };
    if (ask.requests > 0 && used.requests >= ask.requests) {
      const figures = { used: used.requests, need: 1, limit: ask.requests };
      return { index, by: 'requests', waitMs: wait(entry, 'requests', figures) };
    }
    const need = Math.min(tokens, ask.tokens);
    if (ask.tokens > 0 && used.tokens + need > ask.tokens) {
      const figures = { used: used.tokens, need, limit: ask.tokens };
      return { index, by: 'tokens', waitMs: wait(entry, 'tokens', figures) };
    }
    return undefined;
  };

  const add = (entry: Entry, second: number, requests: number, tokens: number): void => {
    const counted = entry.seconds.get(second) ?? { requests: 0, tokens: 0 };
    counted.requests += requests;
    counted.tokens = Math.max(0, counted.tokens + tokens);
    entry.seconds.set(second, counted);
  };

  const makeRoom = (): void => {
    for (const key of entries.keys()) {
      if (entries.size < mostKeys) return;
      const { slots: own, seconds } = recent(key);
      if (own.size === 0 && seconds.size === 0) entries.delete(key);
    }
    for (const [key, { slots: own }] of entries) {
      if (entries.size < mostKeys) return;
      if (own.size === 0) entries.delete(key);
    }
  };

  const note: MemoryRateMeter['note'] = (slot, tokens, asks) => {
    const second = secondNow();
    const keys = asks.map(({ key }) => key);
    slots.set(slot, { keys, second, tokens });
    for (const key of keys) {
      const entry = recent(key);
      if (!entries.has(key) && entries.size >= mostKeys) makeRoom();
      entries.set(key, entry);
      entry.slots.add(slot);
      add(entry, second, 1, tokens);
    }
  };

  const read = (keys: readonly string[]) => keys.map((key) => countsOf(recent(key)));

  return {
    enter: (slot, tokens, asks) => {
      let refused: RateReply['refused'];
      for (const [index, ask] of asks.entries()) refused ??= refusalOf(ask, tokens, index);
      if (refused === undefined) note(slot, tokens, asks);
      return { refused, used: read(asks.map(({ key }) => key)) };
    },
    note,
    leave: (slot, tokens) => {
      const known = slots.get(slot);
      if (known === undefined) return;
      slots.delete(slot);
      const more = tokens - known.tokens;
      for (const key of known.keys) {
        const entry = entries.get(key);
        if (entry === undefined) continue;
        entry.slots.delete(slot);
        // What was used beyond the estimate counts now, what was not where it was estimated.
        if (more > 0) add(recent(key), secondNow(), 0, more);
        else if (entry.seconds.has(known.second)) add(entry, known.second, 0, more);
      }
    },
    read,
    find: (slot) => slots.get(slot),
    underWay: () => {
      const byKey = new Map<string, string[]>();
      for (const [slot, { keys }] of slots)
        for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), slot]);
      return byKey;
    },
  };
}
