import { type ChainableCommander, Redis, type RedisOptions } from 'ioredis';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type ScriptName, scripts } from './scripts.ts';

export interface RedisConnectionDeps {
  /** `redis://` or `rediss://`, with password and number of the database where they are needed. */
  readonly url: string;
  /** Before every name; processes with the same prefix are one gateway. */
  readonly prefix: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

/** Two connections to one Redis server: one for commands, one for messages. */
export interface RedisConnection {
  /** Whether commands get through, as far as this process knows. */
  readonly takesCommands: boolean;
  /** Whether messages do, too. */
  readonly isReady: boolean;
  /** The clock of the store, in Unix milliseconds: all processes count by it. */
  now(): number;
  /** Rejects when there is no reply within {@link commandTimeout}. Names are prefixed. */
  run(
    script: ScriptName,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown>;
  remove(key: string): Promise<unknown>;
  /** Returns how many processes get the message. */
  publish(channel: string, message: string): Promise<number>;
  /**
   * Resolves when messages of the channels arrive. Those that come while the connection is lost are
   * lost.
   */
  listen(channels: readonly string[], onMessage: (message: string) => void): Promise<void>;
  /** The listener is called whenever commands get through again. It must not throw. */
  onReturn(listener: () => void): void;
  /** Opens connections again whose other end is gone without a word. Never rejects. */
  check(): Promise<void>;
  close(): void;
}

/** Milliseconds until a command counts as failed: callers then use what this process knows. */
const commandTimeout = 1000;
/** Milliseconds between two tries to connect. */
const longestPause = 2000;
const startTimeout = 5000;

const options: RedisOptions = {
  lazyConnect: true,
  commandTimeout,
  connectTimeout: startTimeout,
  retryStrategy: (tries) => Math.min(tries * 100, longestPause),
};

/**
 * Throws AppError redis_unavailable where the server cannot be reached at the start; later the
 * connection is opened again by itself.
 */
export async function connectRedis({
  url,
  prefix,
  clock,
  logger,
}: RedisConnectionDeps): Promise<RedisConnection> {
  let problem = '';
  const create = (role: RedisOptions) => {
    const client = new Redis(url, { ...options, ...role });
    client.on('error', (error: Error) => {
      problem = error.message;
      logger.warn({ error: problem }, 'the connection to Redis broke');
    });
    return client;
  };
  const commands = create({ enableOfflineQueue: false, maxRetriesPerRequest: 0 });
  const messages = create({ maxRetriesPerRequest: null });
  for (const [name, lua] of Object.entries(scripts)) commands.defineCommand(`tp_${name}`, { lua });

  let offset = 0;
  const readTime = async (): Promise<void> => {
    const sent = clock.now();
    const [seconds = 0, micros = 0] = (await commands.time()) as unknown as [number, number];
    offset = Math.round(Number(seconds) * 1000 + Number(micros) / 1000 - (sent + clock.now()) / 2);
  };

  try {
    await Promise.all([commands.connect(), messages.connect()]);
    await readTime();
  } catch (cause) {
    commands.disconnect();
    messages.disconnect();
    throw new AppError(
      'redis_unavailable',
      { reason: problem || (cause instanceof Error ? cause.message : '') },
      { cause },
    );
  }
  const listeners = new Set<() => void>();
  commands.on('ready', () => {
    readTime().then(
      () => {
        for (const listener of listeners) listener();
      },
      () => undefined, // the next connection tries again
    );
  });

  const named = (key: string) => prefix + key;
  return {
    get takesCommands() {
      return commands.status === 'ready';
    },
    get isReady() {
      return commands.status === 'ready' && messages.status === 'ready';
    },
    now: () => clock.now() + offset,
    run: (script, keys, values) => {
      const call = (commands as unknown as Record<string, RedisScript>)[`tp_${script}`];
      return call === undefined
        ? Promise.reject(new Error(`no script ${script}`))
        : call.call(commands, keys.length, ...keys.map(named), ...values);
    },
    remove: (key) => commands.del(named(key)),
    publish: (channel, message) => commands.publish(named(channel), message),
    listen: async (channels, onMessage) => {
      messages.on('message', (_channel: string, message: string) => onMessage(message));
      await messages.subscribe(...channels.map(named));
    },
    onReturn: (listener) => {
      listeners.add(listener);
    },
    check: async () => {
      for (const client of [commands, messages]) {
        if (client.status === 'ready') await client.ping().catch(() => client.disconnect(true));
      }
    },
    close: () => {
      commands.disconnect();
      messages.disconnect();
    },
  };
}

type RedisScript = (
  this: Redis | ChainableCommander,
  keys: number,
  ...values: (string | number)[]
) => Promise<unknown>;
