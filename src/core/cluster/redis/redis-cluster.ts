/**
 * The cluster of several processes: counters, logs and values are in Redis, changes and messages go
 * through it, leases are in the database. While Redis is not available each process goes on with
 * what it knows itself (docs/rules/process.md#shared-state).
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type {
  Awaitable,
  Cluster,
  Count,
  Leases,
  Room,
  SharedValues,
  SlidingLog,
  WindowCounter,
} from '../cluster.ts';
import { createMemoryCluster } from '../memory-cluster.ts';
import { openBus } from './bus.ts';
import { connectRedis, type RedisConnection } from './connection.ts';
import { createRedisRates, type RedisRateMeter } from './redis-rates.ts';
import { createRedisValues } from './redis-values.ts';

export interface RedisClusterDeps {
  readonly url: string;
  /** Processes with the same prefix are one gateway. */
  readonly prefix: string;
  /** Names this process; another one at each start. */
  readonly self: string;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RedisCluster extends Cluster {
  close(): void;
}

/** Throws AppError redis_unavailable. */
export async function openRedisCluster(deps: RedisClusterDeps): Promise<RedisCluster> {
  const { clock, logger, leases } = deps;
  const connection = await connectRedis(deps);
  const bus = await openBus({ connection, self: deps.self, clock, logger });
  const alone = createMemoryCluster(clock, leases);
  const rates = new Map<string, RedisRateMeter>();
  const values = new Map<string, SharedValues<unknown>>();
  /** The shared state's reply, or that of this process where there is none. */
  const orAlone = <T>(shared: () => Promise<T>, own: () => Awaitable<T>): Awaitable<T> =>
    connection.takesCommands ? shared().catch(own) : own();
  return {
    changes: bus.changes,
    topic: bus.topic,
    leases,
    counter: (name) => createCounter(connection, `counter:${name}:`, alone.counter(name), orAlone),
    slidingLog: (name) => createLog(connection, `log:${name}:`, alone.slidingLog(name), orAlone),
    rates: (name) => {
      const known =
        rates.get(name) ?? createRedisRates(`rates:${name}:`, { connection, clock, logger });
      rates.set(name, known);
      return known;
    },
    // Every name is used with a single type.
    values: <T>(name: string, limit: () => number) => {
      const known =
        values.get(name) ??
        createRedisValues<unknown>(`values:${name}`, { connection, limit, logger });
      values.set(name, known);
      return known as SharedValues<T>;
    },
    close: () => {
      for (const meter of rates.values()) meter.close();
      bus.close();
      connection.close();
    },
  };
}

type OrAlone = <T>(shared: () => Promise<T>, own: () => Awaitable<T>) => Awaitable<T>;

function createCounter(
  { run, now, remove }: RedisConnection,
  name: string,
  own: WindowCounter,
  orAlone: OrAlone,
): WindowCounter {
  return {
    increment: (key, windowMs) =>
      orAlone<Count>(
        async () => {
          const [count = 1, remainingMs = windowMs] =
            ((await run('increment', [name + key], [now(), windowMs])) as number[]) ?? [];
          return { count, remainingMs };
        },
        () => own.increment(key, windowMs),
      ),
    extend: (key, ms) =>
      orAlone<void>(
        async () => void (await run('extend', [name + key], [now(), ms])),
        () => own.extend(key, ms),
      ),
    decrement: (key) =>
      orAlone<void>(
        async () => void (await run('decrement', [name + key], [now()])),
        () => own.decrement(key),
      ),
    // Also what was counted while Redis was away.
    reset: async (key) => {
      await own.reset(key);
      await orAlone<unknown>(
        () => remove(name + key),
        () => undefined,
      );
    },
  };
}

function createLog(
  { run, now }: RedisConnection,
  name: string,
  own: SlidingLog,
  orAlone: OrAlone,
): SlidingLog {
  const ask = async (
    script: 'wait' | 'take',
    key: string,
    windowMs: number,
    limit: number,
  ): Promise<Room> => {
    const found = (await run(script, [name + key], [now(), windowMs, limit])) as number[] | null;
    const [waitMs = 0, left = 0] = found ?? [];
    return { waitMs, left };
  };
  return {
    wait: (key, windowMs, limit) =>
      orAlone<Room>(
        () => ask('wait', key, windowMs, limit),
        () => own.wait(key, windowMs, limit),
      ),
    take: (key, windowMs, limit) =>
      orAlone<Room>(
        () => ask('take', key, windowMs, limit),
        () => own.take(key, windowMs, limit),
      ),
    add: (key, windowMs) =>
      orAlone<void>(
        async () => void (await run('addEvent', [name + key], [now(), windowMs, 0])),
        () => own.add(key, windowMs),
      ),
  };
}
