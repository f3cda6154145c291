/**
 * Ends what waits for a PostgreSQL that stays connected and never replies
 * (docs/rules/process.md#silent-database). A server that replies to others is slow, not silent:
 * what it works on is waited for.
 */
import type { Socket } from 'node:net';
import { Client, DatabaseError, type Pool, type PoolClient } from 'pg';

/** Milliseconds. */
export interface Patience {
  /** Without a byte from the server until another connection probes it. */
  readonly silence: number;
  /** For that reply. */
  readonly reply: number;
  /** Between two looks. */
  readonly look: number;
}

export const usualPatience: Patience = { silence: 30_000, reply: 10_000, look: 5_000 };

interface InUse {
  bytes: number;
  /** When the last byte was seen, or the server was known to reply. */
  since: number;
}

/** Watches the connections that are in use; costs statements nothing. The returned function ends it. */
export function watchSilence(pool: Pool, url: string, patience = usualPatience): () => void {
  const inUse = new Map<PoolClient, InUse>();
  let looking = false;

  const look = async (): Promise<void> => {
    const now = performance.now();
    const silent: [PoolClient, InUse][] = [];
    for (const [client, use] of inUse) {
      const bytes = bytesOf(client);
      if (bytes !== use.bytes) Object.assign(use, { bytes, since: now });
      else if (now - use.since >= patience.silence) silent.push([client, use]);
    }
    if (silent.length === 0) return;
    const replies = await doesReply(url, patience.reply);
    for (const [client, use] of silent) {
      if (replies || bytesOf(client) !== use.bytes) use.since = performance.now();
      else if (inUse.get(client) === use) {
        inUse.delete(client);
        // What waits for it is rejected, and the pool drops it.
        streamOf(client)?.destroy();
      }
    }
  };

  pool.on('acquire', (client) => {
    inUse.set(client, { bytes: bytesOf(client), since: performance.now() });
  });
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('remove', (client) => inUse.delete(client));
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, patience.look).unref();
  return () => clearInterval(timer);
}

/** A pool's clients are those of `pg`. */
const streamOf = (client: PoolClient) =>
  client instanceof Client ? (client.connection.stream as Socket) : undefined;

const bytesOf = (client: PoolClient): number => streamOf(client)?.bytesRead ?? 0;

/** Never rejects. An error that the server sends is a reply. */
async function doesReply(url: string, milliseconds: number): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: milliseconds,
    query_timeout: milliseconds,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    return error instanceof DatabaseError;
  } finally {
    client.end().catch(() => undefined);
  }
}
