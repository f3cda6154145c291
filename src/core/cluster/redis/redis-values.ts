/**
 * Values of all processes in Redis. Each process keeps a copy of what it wrote and read: that is
 * what it goes on with while Redis is away, and what it gives to one that came back without it.
 */
import type { Logger } from '../../kernel/logger.ts';
import type { SharedValues } from '../cluster.ts';
import type { RedisConnection } from './connection.ts';

/** Names in one call. */
const mostNames = 500;

export interface RedisValuesDeps {
  readonly connection: Pick<RedisConnection, 'run' | 'now' | 'takesCommands' | 'onReturn'>;
  readonly limit: () => number;
  readonly logger: Logger;
}

/** Times are those of the store's clock. */
interface Copy {
  readonly text: string;
  readonly until: number;
  readonly written: number;
}

function readStored(stored: unknown): Copy | undefined {
  if (typeof stored !== 'string') return undefined;
  const mark = stored.indexOf('|');
  const [until = 0, written = 0] = stored.slice(0, mark).split(' ').map(Number);
  return { text: stored.slice(mark + 1), until, written };
}

export function createRedisValues<T>(
  name: string,
  { connection, limit, logger }: RedisValuesDeps,
): SharedValues<T> {
  const keys = [name, `${name}:order`, `${name}:last`];
  /** The least recently used is first. */
  const copies = new Map<string, Copy>();
  let isReturning = false;

  const keep = (key: string, copy: Copy): void => {
    copies.delete(key);
    copies.set(key, copy);
    const now = connection.now();
    for (const [oldest, { until }] of copies) {
      if (until > now && copies.size <= limit()) return;
      copies.delete(oldest);
    }
  };

  const own = (key: string): Copy | undefined => {
    const copy = copies.get(key);
    if (copy === undefined || copy.until > connection.now()) return copy;
    copies.delete(key);
    return undefined;
  };

  /** The one that was written last: of what was written while Redis was away it may not know yet. */
  const newest = (key: string, stored: Copy | undefined): T | undefined => {
    const copy = own(key);
    const found = copy !== undefined && copy.written > (stored?.written ?? 0) ? copy : stored;
    if (found === undefined) return undefined;
    keep(key, found);
    return JSON.parse(found.text) as T;
  };

  const send = (key: string, { text, until, written }: Copy): Promise<unknown> =>
    connection.run('setValue', keys, [connection.now(), key, text, until, written, limit()]);

  /** Gives Redis what it has not, or older. */
  const giveBack = async (): Promise<void> => {
    const all = [...copies.keys()];
    for (let at = 0; at < all.length; at += mostNames) {
      const kept = all.slice(at, at + mostNames).flatMap((key) => {
        const copy = own(key);
        return copy === undefined ? [] : [{ key, copy }];
      });
      const names = kept.flatMap(({ key, copy }) => [key, copy.written]);
      const missing = (await connection.run('missingValues', [name], names)) as number[];
      for (const place of missing) {
        const { key, copy } = kept[place] ?? {};
        if (key !== undefined && copy !== undefined) await send(key, copy);
      }
    }
  };

  connection.onReturn(() => {
    if (isReturning) return;
    isReturning = true;
    giveBack()
      .catch((error: unknown) =>
        logger.warn({ error, name }, 'values could not be given back to Redis'),
      )
      .finally(() => {
        isReturning = false;
      });
  });

  return {
    get: (key) =>
      connection.takesCommands
        ? connection.run('getValue', keys, [connection.now(), key]).then(
            (stored) => newest(key, readStored(stored)),
            () => newest(key, undefined),
          )
        : newest(key, undefined),
    set: (key, value, ms) => {
      const now = connection.now();
      const copy = { text: JSON.stringify(value), until: now + ms, written: now };
      keep(key, copy);
      if (!connection.takesCommands) return;
      return send(key, copy).then(
        () => undefined,
        () => undefined, // the copy is newer
      );
    },
  };
}
