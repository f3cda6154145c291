import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgresServer } from './postgres-server.ts';
import { hasTool } from './tools.ts';

/** A real PostgreSQL server for one test file. */
export interface TestPostgres {
  /** Creates a new database, empty or as a copy of another, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  stop(): Promise<void>;
}

/** Whether this platform's server binaries are installed. */
export const postgresIsInstalled = (): boolean => hasTool('postgres');

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      );
    });
  });
}

/**
 * Starts a server in its own folder. Its locale is C, the hardest case: there lower() only handles
 * ASCII.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-postgres-'));
  const port = await freePort();
  const server = await startPostgresServer(folder, port);
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
