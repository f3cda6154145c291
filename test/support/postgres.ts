import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgresServer } from './postgres-server.ts';
import { hasTool } from './tools.ts';
import { countUse } from './usage.ts';

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

const urlAt = (port: number, database: string): string =>
  `postgres://postgres:password@127.0.0.1:${port}/${database}`;

let databases = 0;

/**
 * A server for one test file: that of the whole run, or one of its own where a file is run alone.
 * Its locale is C, the hardest case: there lower() only handles ASCII.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const { port, stop } = process.env[sharedPort]
    ? { port: Number(process.env[sharedPort]), stop: async () => {} }
    : await startOwnPostgres();
  const made: string[] = [];
  countUse('PostgreSQL');
  const query = async (statement: string) => {
    const client = new Client({ connectionString: urlAt(port, 'postgres') });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  return {
    async createDatabase(template) {
      const name = `test_${process.pid}_${++databases}`;
      made.push(name);
      // Copied as files: half the work of copying through the log, which is PostgreSQL's own choice.
      const copied =
        template === undefined
          ? ''
          : ` template ${new URL(template).pathname.slice(1)} strategy file_copy`;
      await query(`create database ${name}${copied}`);
      return urlAt(port, name);
    },
    async stop() {
      for (const name of process.env[sharedPort] ? made.splice(0) : [])
        await query(`drop database if exists ${name} with (force)`);
      await stop();
    },
  };
}

/** Names the port of a server that runs for all files ({@link startSharedPostgres}). */
const sharedPort = 'TEST_POSTGRES_PORT';

/** One server for all files of a run: each would need a second for its own. */
export async function startSharedPostgres(): Promise<{ stop(): Promise<void> }> {
  const { port, stop } = await startOwnPostgres();
  process.env[sharedPort] = String(port);
  return { stop };
}

async function startOwnPostgres(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-postgres-'));
  const port = await freePort();
  // No worker of the server looks at a table, or plans for it anew, in the middle of a test.
  const options = ['autovacuum=off', 'full_page_writes=off'];
  const server = await startPostgresServer(folder, port, options);
  return {
    port,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
