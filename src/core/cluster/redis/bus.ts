/**
 * Messages between the processes of one gateway. Each gets them once and in the order of their
 * sender. A process that was cut off misses some: changes it finds in the database
 * (docs/rules/process.md#reconciliation).
 */
import type { Clock } from '../../kernel/clock.ts';
import { parseObject } from '../../kernel/json.ts';
import type { Logger } from '../../kernel/logger.ts';
import {
  type Change,
  type ChangeKind,
  type ChangeListener,
  type Changes,
  callListeners,
  listIds,
} from '../changes.ts';
import type { Topic } from '../cluster.ts';
import { createMemoryTopic } from '../memory-cluster.ts';
import type { RedisConnection } from './connection.ts';

export interface BusDeps {
  readonly connection: RedisConnection;
  /** Names this process. */
  readonly self: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Bus {
  readonly changes: Changes;
  topic<T>(name: string): Topic<T>;
  close(): void;
}

/**
 * Milliseconds that a change waits for the other processes: one that hangs does not block the site.
 */
const longestWait = 2000;
/** Milliseconds between looks whether the other end of a connection is still there. */
const checkInterval = 5000;

type Message =
  /**
   * A change, which every process acknowledges. `id` is for releases that know no `ids`; 0: more or
   * less than one.
   */
  | {
      readonly from: string;
      readonly number: number;
      readonly kind: ChangeKind;
      readonly id: number;
      readonly ids?: readonly number[];
    }
  | { readonly from: string; readonly topic: string; readonly data: unknown }
  /** The number of the change that was applied. */
  | { readonly reply: number };

/** Acknowledgements of one announcement. */
interface Pending {
  got: number;
  expected: number;
  readonly done: () => void;
}

function readMessage(text: string): Message | undefined {
  const value = parseObject(text);
  const isKnown = typeof value?.['reply'] === 'number' || typeof value?.['from'] === 'string';
  const { ids } = value ?? {};
  return isKnown && (ids === undefined || Array.isArray(ids))
    ? (value as unknown as Message)
    : undefined;
}

export async function openBus({ connection, self, clock, logger }: BusDeps): Promise<Bus> {
  const listeners = new Set<ChangeListener>();
  const topics = new Map<string, Topic<unknown>>();
  const pending = new Map<number, Pending>();
  const closing = new AbortController();
  const own = `replies:${self}`;
  let last = 0;

  const local = (name: string): Topic<unknown> => {
    const known = topics.get(name) ?? createMemoryTopic<unknown>();
    topics.set(name, known);
    return known;
  };

  const send = (channel: string, message: Message) =>
    connection.publish(channel, JSON.stringify(message));

  const apply = async (change: Change): Promise<void> => {
    await callListeners(listeners, change).catch((error: unknown) =>
      logger.error({ error, change }, 'a change could not be applied'),
    );
  };

  const acknowledge = (number: number): void => {
    const waiting = pending.get(number);
    if (waiting === undefined) return;
    waiting.got += 1;
    if (waiting.got >= waiting.expected) waiting.done();
  };

  /** What another release means by a message may be something else. */
  const hear = (topic: string, data: unknown): void => {
    try {
      local(topic).publish(data);
    } catch (error) {
      logger.warn({ error, topic }, 'a message of another process could not be read');
    }
  };

  const receive = (text: string): void => {
    const message = readMessage(text);
    // Something else wrote to the channel: an exception here would end the process.
    if (message === undefined)
      return logger.warn({}, 'a message of another program came through Redis');
    if ('reply' in message) return acknowledge(message.reply);
    const { from } = message;
    if ('topic' in message) return from === self ? undefined : hear(message.topic, message.data);
    const { number, kind, id, ids = id === 0 ? [] : [id] } = message;
    if (from === self) return acknowledge(number);
    void apply({ kind, ids })
      .then(() => send(`replies:${from}`, { reply: number }))
      .catch((error: unknown) => logger.warn({ error }, 'a change could not be acknowledged'));
  };

  /**
   * Resolves when every process has applied it, or after {@link longestWait}. Never rejects: who
   * gets no notice finds the change in the database.
   */
  const sendChange = async (change: Change): Promise<void> => {
    if (!connection.isReady) return;
    const number = ++last;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Pending = { got: 0, expected: Number.POSITIVE_INFINITY, done: resolve };
    pending.set(number, waiting);
    const timer = new AbortController();
    try {
      const [id = 0, ...others] = change.ids;
      waiting.expected = await send('bus', {
        ...change,
        id: others.length > 0 ? 0 : id,
        from: self,
        number,
      });
      if (waiting.got >= waiting.expected) return;
      const timeout = clock
        .sleep(longestWait, AbortSignal.any([timer.signal, closing.signal]))
        .then(
          () =>
            logger.warn(
              { change, replies: waiting.got, processes: waiting.expected },
              'a process did not apply a change in time',
            ),
          () => undefined, // all have applied it, or the process stops
        );
      await Promise.race([promise, timeout]);
    } catch (error) {
      logger.warn({ error, change }, 'a change could not be sent to the other processes');
    } finally {
      timer.abort(new Error('over'));
      pending.delete(number);
    }
  };

  const watch = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        await clock.sleep(checkInterval, closing.signal);
        await connection.check();
      } catch (error) {
        if (closing.signal.aborted) return;
        logger.error({ error }, 'the connections to Redis could not be checked');
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
    }
  };

  await connection.listen(['bus', own], receive);
  void watch();

  return {
    changes: {
      announce: async (kind, given) => {
        const change = { kind, ids: listIds(given) };
        await Promise.all([callListeners(listeners, change), sendChange(change)]);
      },
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    topic: <T>(name: string): Topic<T> => {
      const inside = local(name) as Topic<T>;
      return {
        subscribe: inside.subscribe,
        publish: (message) => {
          inside.publish(message);
          if (!connection.isReady) return;
          send('bus', { topic: name, data: message, from: self }).catch((error: unknown) =>
            logger.warn(
              { error, topic: name },
              'a message could not be sent to the other processes',
            ),
          );
        },
      };
    },
    close: () => closing.abort(new Error('closing')),
  };
}
