/** A site on a PostgreSQL server of its own, so that the server's CPU can be told apart. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../../test/support/postgres.ts';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { type RedisServer, startRedis } from '../../test/support/redis-server.ts';
import { type Gateway, setUpSite, startGateway } from './gateway.ts';
import { newFolder, removeFolder, stop } from './processes.ts';
import { type Row, userRows } from './user-rows.ts';

export interface PostgresSite {
  readonly gateway: Gateway;
  /** The server's process; its others are below it. */
  readonly databasePid: number;
  close(): Promise<void>;
}

async function addUsers(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const first = async (table: string) =>
    (await client.query(`SELECT * FROM ${table} WHERE id = 1`)).rows[0] as Row;
  await client.query('BEGIN');
  for (const [table, row] of userRows(await first('users'), await first('tokens'))) {
    const columns = Object.keys(row);
    await client.query(
      `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(row),
    );
  }
  await client.query('COMMIT');
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** `workers` above 1 share one port, the database and a Redis server. `core`: of the database, too. */
export async function startPostgresSite(
  build: string,
  upstream: string,
  workers: number,
  core: number | undefined,
): Promise<PostgresSite> {
  const folder = newFolder();
  const databaseFolder = newFolder();
  const port = await freePort();
  // As durable as a site's own server; the servers of tests are not.
  const server = await startPostgresServer(databaseFolder, port, ['fsync=on']);
  const pidFile = join(databaseFolder, 'data', 'postmaster.pid');
  const databasePid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (core !== undefined) execFileSync('taskset', ['-acp', String(core), String(databasePid)]);
  const databaseUrl = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
  const first = await startGateway({ build, folder, databaseUrl });
  await setUpSite(first, upstream);
  await stop(first.started);
  await addUsers(databaseUrl);
  let redis: RedisServer | undefined;
  if (workers > 1) redis = await startRedis();
  const gateway = await startGateway({
    build,
    folder,
    databaseUrl,
    core,
    ...(redis && { workers, redisUrl: redis.url }),
  });
  return {
    gateway,
    databasePid,
    async close() {
      await stop(gateway.started);
      await Promise.all([server.stop(), redis?.stop()]);
      for (const made of [folder, databaseFolder]) removeFolder(made);
    },
  };
}
