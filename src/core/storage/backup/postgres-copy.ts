/** A PostgreSQL database as an SQLite file, copied in one transaction. */
import { setTimeout } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import type { Client } from 'pg';
import { migrations } from '../../../../migrations/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { openSqliteEngine } from '../dialects/sqlite.ts';
import { migrate } from '../migrate.ts';
import { createVault } from '../vault.ts';
import { finishSqlite, type Progress, removeSqlite } from './sqlite-file.ts';
import { type Column, columnList, ofProcesses, rowsAtOnce, tablesOf } from './tables.ts';

/**
 * Copies the database as it was when the copy began into an SQLite file of the same schema; others
 * go on writing. Throws AppError database_missing, database_newer, database_unavailable.
 */
export async function copyFromPostgres(
  url: string,
  target: string,
  onProgress: Progress,
): Promise<void> {
  removeSqlite(target);
  await connected(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await makeSchema(target, await stepsOf(client));
    const copy = new BetterSqlite3(target);
    try {
      copy.pragma('synchronous = OFF'); // finishSqlite syncs the whole file
      const tables = tablesOf(copy);
      const counts = new Map<string, number>();
      for (const name of tables.keys()) {
        counts.set(
          name,
          Number((await client.query(`SELECT count(*) AS rows FROM "${name}"`)).rows[0]?.rows ?? 0),
        );
      }
      const total = [...counts.values()].reduce((sum, rows) => sum + rows, 0);
      let done = 0;
      for (const [name, columns] of tables) {
        copy.exec(`DELETE FROM "${name}"`);
        if (ofProcesses.has(name)) continue;
        await pullTable(client, copy, name, columns, (rows) => {
          done += rows;
          onProgress(done, total);
        });
      }
    } finally {
      copy.close();
    }
    await client.query('COMMIT');
    finishSqlite(target);
  });
}

async function stepsOf(client: Client): Promise<readonly string[]> {
  const { rows: found } = await client.query("SELECT to_regclass('schema_migrations') AS name");
  if (found[0]?.name === null) throw new AppError('database_missing', { file: 'PostgreSQL' });
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM schema_migrations ORDER BY name',
  );
  const unknown = rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) throw new AppError('database_newer', { step: unknown.name });
  return rows.map(({ name }) => name);
}

async function makeSchema(file: string, steps: readonly string[]): Promise<void> {
  const engine = await openSqliteEngine({ file, durability: 'normal', onDeath: () => {} });
  try {
    const executed = Object.fromEntries(
      Object.entries(migrations).filter(([name]) => steps.includes(name)),
    );
    await migrate(engine, createVault(Buffer.alloc(32)), executed); // there are no rows to encrypt
  } finally {
    await engine.close();
  }
}

async function pullTable(
  client: Client,
  copy: BetterSqlite3.Database,
  name: string,
  columns: readonly Column[],
  onRows: (rows: number) => void,
): Promise<void> {
  const insert = copy.prepare(
    `INSERT INTO "${name}" (${columnList(columns)}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  const insertAll = copy.transaction((rows: readonly (readonly (string | null)[])[]) => {
    for (const row of rows)
      insert.run(row.map((text, index) => toSqlite(text, columns[index]?.type ?? '')));
  });
  await client.query(
    `DECLARE copied NO SCROLL CURSOR FOR SELECT ${columnList(columns)} FROM "${name}"`,
  );
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({
      text: `FETCH ${rowsAtOnce} FROM copied`,
      rowMode: 'array',
    });
    if (rows.length === 0) break;
    insertAll(rows);
    onRows(rows.length);
  }
  await client.query('CLOSE copied');
  await pullSequence(client, copy, name);
}

function toSqlite(text: string | null, type: string): string | number | bigint | null {
  if (text === null) return null;
  if (/int/i.test(type)) return BigInt(text);
  return /double|real/i.test(type) ? Number(text) : text;
}

/** Ids of deleted rows are never used again. */
async function pullSequence(
  client: Client,
  copy: BetterSqlite3.Database,
  name: string,
): Promise<void> {
  const isCounted = copy
    .prepare('SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE ?')
    .get(name, '%autoincrement%');
  if (isCounted === undefined) return;
  const { rows } = await client.query<{ last: string }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM "${name}_id_seq"`,
  );
  const last = BigInt(rows[0]?.last ?? 0);
  const { changes } = copy
    .prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
    .run(last, name);
  if (changes === 0)
    copy.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last);
}

/**
 * Whether a PostgreSQL database has a site. Throws AppError database_foreign if its tables are
 * those of another program.
 */
export function hasPostgresSite(url: string): Promise<boolean> {
  return connected(url, async (client) => {
    const isThere = async (name: string) =>
      (await client.query('SELECT to_regclass($1) AS name', [name])).rows[0]?.name !== null;
    const hasUsers = await isThere('users');
    if (!(await isThere('schema_migrations'))) {
      if (hasUsers || (await isThere('channels')))
        throw new AppError('database_foreign', { file: 'PostgreSQL' });
      return false;
    }
    if (!hasUsers) return false;
    return (await client.query('SELECT 1 FROM users LIMIT 1')).rows.length > 0;
  });
}

/**
 * How often other connections are looked for, and ms between: those of a program that has just
 * ended are there for a moment.
 */
const idleChecks = { count: 10, pause: 150 };

/** Throws AppError database_in_use when somebody else stays connected to the database. */
export function checkPostgresIdle(url: string): Promise<void> {
  return connected(url, async (client) => {
    const others = async () => {
      const { rows } = await client.query<{ count: string }>(
        "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
      );
      return Number(rows[0]?.count ?? 0);
    };
    let count = await others();
    for (let checks = 1; count > 0 && checks < idleChecks.count; checks++) {
      await setTimeout(idleChecks.pause);
      count = await others();
    }
    if (count > 0) throw new AppError('database_in_use', { count });
  });
}

/** With values as the server writes them, so that no number loses digits. */
async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const pg = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: () => (text: string) => text },
  });
  client.on('error', () => {}); // the query in progress rejects, too
  try {
    await client.connect();
  } catch (error) {
    throw new AppError(
      'database_unavailable',
      { reason: (error as Error).message },
      { cause: error },
    );
  }
  try {
    return await work(client);
  } catch (error) {
    throw (await import('../dialects/postgres.ts')).fromPostgresError(error);
  } finally {
    await client.end();
  }
}
