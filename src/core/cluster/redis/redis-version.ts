import { Redis } from 'ioredis';

/** Milliseconds for the whole exchange. */
const limit = 5000;

/**
 * The version of a Redis server, over a connection of its own. Rejects if it does not reply in
 * time.
 */
export async function readRedisVersion(url: string): Promise<string> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: limit,
    commandTimeout: limit,
    retryStrategy: () => null,
  });
  let problem: Error | undefined;
  client.on('error', (error: Error) => {
    problem = error;
  });
  try {
    await client.connect();
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? '';
  } catch (error) {
    throw problem ?? error;
  } finally {
    client.disconnect();
  }
}
