/** What a site keeps its data in, and what of it the suite can break. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../test/support/postgres.ts';
import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';
import { type RedisServer, startRedis } from '../../test/support/redis-server.ts';
import { type Books, postgresBooks, sqliteBooks } from './database.ts';
import { type Link, openLink } from './network.ts';
import type { Settings } from './settings.ts';

/** A server and the connection that gateways have to it. */
export interface Remote<Server> {
  readonly server: Server;
  readonly link: Link;
}

export interface Engine {
  /** A data folder for each gateway. */
  readonly dataDirs: readonly string[];
  /** Settings of the gateways. */
  readonly environment: Readonly<Record<string, string>>;
  readonly books: Books;
  readonly postgres: Remote<PostgresServer> | undefined;
  readonly redis: Remote<RedisServer> | undefined;
  /** The data folder is a file system of its own, which may be filled. */
  readonly isSmallDisk: boolean;
  close(): Promise<void>;
}

/** Megabytes of the data folder's file system: a full one is soon full. */
const diskMb = 256;

/** Mounts a file system at the folder; false where that is not allowed. */
function mountSmall(folder: string): boolean {
  if (process.getuid?.() !== 0) return false;
  return (
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m,mode=700`, 'tmpfs', folder])
      .status === 0
  );
}

export async function openEngine({ engine, processes }: Settings): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-faults-'));
  const dataDirs = Array.from({ length: processes }, (_, index) =>
    join(folder, `gateway-${index + 1}`),
  );
  for (const dataDir of dataDirs) mkdirSync(dataDir, { mode: 0o700 });
  if (engine === 'sqlite') {
    const [dataDir = ''] = dataDirs;
    const isSmallDisk = mountSmall(dataDir);
    return {
      dataDirs,
      environment: {},
      books: sqliteBooks(join(dataDir, 'turnpike.db')),
      postgres: undefined,
      redis: undefined,
      isSmallDisk,
      close: async () => {
        if (isSmallDisk) spawnSync('umount', [dataDir]);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  const port = await freePort();
  const server = await startPostgresServer(folder, port);
  const link = await openLink(port);
  const url = (to: number, database: string) =>
    `postgres://postgres:password@127.0.0.1:${to}/${database}`;
  const client = new Client({ connectionString: url(port, 'postgres') });
  await client.connect();
  await client.query('create database faults');
  await client.end();
  const redis = processes === 1 ? undefined : await openRedis();
  return {
    dataDirs,
    environment: {
      SQL_DSN: url(link.port, 'faults'),
      // The gateways of one site have one key.
      CRYPTO_SECRET: 'a key that all gateways of this site have',
      ...(redis && { REDIS_CONN_STRING: `redis://127.0.0.1:${redis.link.port}` }),
    },
    books: postgresBooks(url(port, 'faults')),
    postgres: { server, link },
    redis,
    isSmallDisk: false,
    close: async () => {
      await link.close();
      await server.stop();
      await redis?.link.close();
      await redis?.server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openRedis(): Promise<Remote<RedisServer>> {
  const server = await startRedis();
  return { server, link: await openLink(Number(new URL(server.url).port)) };
}
