/**
 * Rates of all processes in Redis. What this process admitted it counts in its memory, too: that is
 * what it goes on with while Redis is away, and what it tells Redis again afterwards.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { RateAsk, RateMeter, RateReply, RateUse } from '../cluster.ts';
import { createMemoryRates, rateSeconds } from '../rate-meter.ts';
import type { RedisConnection } from './connection.ts';

/** Milliseconds until work counts as over that its process does not renew, and between renewals. */
const slotLife = 30_000;
const renewInterval = 10_000;
/** Names of slots in one call. */
const mostNames = 1000;
const mostKeys = 100_000;

/** Work that is over. */
interface End {
  readonly keys: readonly string[];
  /** The second in which Redis counted it; 0: it did not. */
  readonly second: number;
  /** Tokens beyond what was counted, or less. */
  readonly more: number;
}

const kinds = [undefined, 'requests', 'tokens', 'parallel'] as const;

export interface RedisRateMeter extends RateMeter {
  close(): void;
}

export interface RedisRatesDeps {
  readonly connection: Pick<RedisConnection, 'run' | 'now' | 'takesCommands' | 'onReturn'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createRedisRates(
  prefix: string,
  { connection, clock, logger }: RedisRatesDeps,
): RedisRateMeter {
  const own = createMemoryRates(clock, mostKeys);
  /** The second in which Redis counted what is under way. Absent: it does not know of it. */
  const counted = new Map<string, number>();
  /** Ends that Redis may not have heard of, until they count no more. */
  const unheard = new Map<string, End & { readonly until: number; readonly wasSent: boolean }>();
  const closing = new AbortController();
  let isRenewing = false;

  const namesOf = (keys: readonly string[]) =>
    keys.flatMap((key) => [prefix + key, `${prefix}${key}:slots`]);

  const readUse = (figures: readonly number[], count: number): RateUse[] =>
    Array.from({ length: count }, (_, at) => {
      const [requests = 0, tokens = 0, parallel = 0] = figures.slice(at * 3, at * 3 + 3);
      return { requests, tokens, parallel };
    });

  const ask = async (
    slot: string,
    tokens: number,
    asks: readonly RateAsk[],
  ): Promise<RateReply> => {
    const limits = asks.flatMap(({ requests, tokens: most, parallel, refuses }) => [
      requests,
      most,
      parallel,
      refuses ? 1 : 0,
    ]);
    const figures = (await connection.run('enterRates', namesOf(asks.map(({ key }) => key)), [
      connection.now(),
      slot,
      slotLife,
      tokens,
      ...limits,
    ])) as number[];
    const [place = 0, kind = 0, waitMs = 0, ...rest] = figures;
    const used = readUse(rest, asks.length);
    const by = kinds[kind];
    if (by !== undefined) return { refused: { index: place - 1, by, waitMs }, used };
    counted.set(slot, rest.at(-1) ?? 0);
    own.note(slot, tokens, asks);
    return { refused: undefined, used };
  };

  /** Also reports what is under way to a Redis that was emptied, or away. */
  const renew = async (): Promise<void> => {
    for (const [key, slots] of own.underWay())
      for (let at = 0; at < slots.length; at += mostNames) {
        // What has ended meanwhile would stay.
        const still = slots.slice(at, at + mostNames).filter((slot) => own.find(slot));
        if (still.length === 0) continue;
        const values = [connection.now(), slotLife, ...still];
        await connection.run('renewSlots', [`${prefix}${key}:slots`], values);
      }
  };

  const sendEnd = (slot: string, { keys, second, more }: End, isRepeated: boolean) =>
    connection.run('leaveRates', namesOf(keys), [
      connection.now(),
      slot,
      second,
      more,
      isRepeated ? 1 : 0,
    ]);

  const repeatEnds = async (): Promise<void> => {
    for (const [slot, end] of unheard) {
      if (end.until > clock.now()) await sendEnd(slot, end, end.wasSent);
      unheard.delete(slot);
    }
  };

  // Else the others would count it for as long as a slot lives, or not count it until the next renewal.
  connection.onReturn(() => {
    repeatEnds()
      .then(renew)
      .catch((error: unknown) => logger.warn({ error }, 'requests could not be reported to Redis'));
  });

  const keepRenewing = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      while (own.underWay().size > 0) {
        await clock.sleep(renewInterval, closing.signal);
        if (!connection.takesCommands) continue;
        await renew().catch((error: unknown) =>
          logger.warn({ error }, 'requests under way could not be reported to Redis'),
        );
      }
    } catch {
      // The process stops: its slots end by their time.
    } finally {
      isRenewing = false;
    }
  };

  return {
    enter: async (slot, tokens, asks) => {
      const reply = connection.takesCommands
        ? await ask(slot, tokens, asks).catch(() => own.enter(slot, tokens, asks))
        : own.enter(slot, tokens, asks);
      if (reply.refused === undefined) void keepRenewing();
      return reply;
    },
    leave: async (slot, tokens) => {
      const known = own.find(slot);
      own.leave(slot, tokens);
      if (known === undefined) return;
      const second = counted.get(slot);
      counted.delete(slot);
      // Of what Redis did not count it may still know the slot, which was renewed.
      const more = second === undefined ? tokens : tokens - known.tokens;
      const end = { keys: known.keys, second: second ?? 0, more };
      const wasSent = connection.takesCommands;
      await sendEnd(slot, end, false).catch(() => {
        const until = clock.now() + rateSeconds * 1000;
        if (unheard.size < mostKeys) unheard.set(slot, { ...end, until, wasSent });
      });
    },
    read: async (keys) => {
      if (!connection.takesCommands || keys.length === 0) return own.read(keys);
      return connection
        .run('readRates', namesOf(keys), [connection.now()])
        .then((figures) => readUse(figures as number[], keys.length))
        .catch(() => own.read(keys));
    },
    close: () => closing.abort(new Error('closing')),
  };
}
