import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { hasTool } from './tools.ts';

/** A real MariaDB server for one test file, on a socket in a folder of its own. */
export interface TestMysql {
  /** Creates a new database and returns its DSN in Go's form. */
  createDatabase(): Promise<string>;
  /** Runs statements on a database of this server. */
  execute(
    dsn: string,
    statements: readonly { readonly sql: string; readonly values?: readonly unknown[] }[],
  ): Promise<void>;
  stop(): Promise<void>;
}

const installer = 'mariadb-install-db';
const serverPaths = ['/usr/sbin/mariadbd', '/usr/sbin/mysqld'];

export const mysqlIsInstalled = (): boolean => hasTool('mariadb');

export async function startMysql(): Promise<TestMysql> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-mysql-'));
  const data = join(folder, 'data');
  const socketPath = join(folder, 'server.sock');
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  const made = spawnSync(
    installer,
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...asRoot,
    ],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`${installer} failed: ${made.stdout}${made.stderr}`);
  const server = spawn(
    serverPaths.find((path) => existsSync(path)) ?? 'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socketPath}`,
      '--skip-networking',
      '--innodb-buffer-pool-size=16M',
      '--innodb-flush-log-at-trx-commit=0',
      ...asRoot,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`MariaDB ended: ${output}`)));
    server.stderr.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('ready for connections')) resolve();
    });
  });
  const connect = (database?: string) =>
    createConnection({ socketPath, user: 'root', ...(database === undefined ? {} : { database }) });
  const root = await connect();
  await root.query("CREATE USER old_site@localhost IDENTIFIED BY 'p@ss:w/rd'");
  let databases = 0;
  return {
    async createDatabase() {
      const name = `test_${++databases}`;
      await root.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
      await root.query(`GRANT ALL ON ${name}.* TO old_site@localhost`);
      return `old_site:p@ss:w/rd@unix(${socketPath})/${name}?charset=utf8mb4&parseTime=True`;
    },
    async execute(dsn, statements) {
      const connection = await connect(/\/([^/?]*)\?/.exec(dsn)?.[1]);
      await connection.query('SET autocommit = 0');
      for (const { sql, values = [] } of statements) await connection.query(sql, [...values]);
      await connection.query('COMMIT');
      await connection.end();
    },
    async stop() {
      await root.end();
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
