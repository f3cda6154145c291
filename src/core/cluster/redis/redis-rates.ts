/**
 * Rates of all processes in Redis. What this process admitted it counts in its memory, too: that is
 * what it goes on with while Redis is away, and what it tells Redis again afterwards.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { RateAsk, RateMeter, RateReply, RateUse } from '../cluster.ts';
import { createMemoryRates } from '../rate-meter.ts';
import type { RedisConnection } from './connection.ts';

/** Milliseconds until work counts as over that its process does not renew, and between renewals. */
const slotLife = 30_000;
const renewInterval = 10_000;
/** Names of slots in one call. */
const mostNames = 1000;
const mostKeys = 100_000;

const kinds = [undefined, 'requests', 'tokens', 'parallel'] as const;

export interface RedisRateMeter extends RateMeter {
  close(): void;
}

export interface RedisRatesDeps {
  readonly connection: Pick<RedisConnection, 'run' | 'now' | 'isReady'>;
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
      ...[requests, most, parallel, refuses ? 1 : 0],
    ]);
    const figures = (await connection.run('enterRates', namesOf(asks.map(({ key }) => key)), [
      ...[connection.now(), slot, slotLife, tokens],
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
      for (let at = 0; at < slots.length; at += mostNames)
        await connection.run(
          'renewSlots',
          [`${prefix}${key}:slots`],
          [connection.now(), slotLife, ...slots.slice(at, at + mostNames)],
        );
  };

  const keepRenewing = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    try {
      while (own.underWay().size > 0) {
        await clock.sleep(renewInterval, closing.signal);
        if (!connection.isReady) continue;
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
      const reply = connection.isReady
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
      await connection
        .run('leaveRates', namesOf(known.keys), [connection.now(), slot, second ?? 0, more])
        .catch(() => undefined); // the slot ends by its time
    },
    read: async (keys) => {
      if (!connection.isReady || keys.length === 0) return own.read(keys);
      return connection
        .run('readRates', namesOf(keys), [connection.now()])
        .then((figures) => readUse(figures as number[], keys.length))
        .catch(() => own.read(keys));
    },
    close: () => closing.abort(new Error('closing')),
  };
}
