/** A PostgreSQL database as an SQLite file, and back: one transaction each. */
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import { migrations } from '../../../../migrations/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { openSqliteEngine } from '../dialects/sqlite.ts';
import { migrate } from '../migrate.ts';
import { createVault } from '../vault.ts';
import { finishSqlite, type Progress, removeSqlite } from './sqlite-file.ts';

/** Few, because contents of stored responses may be large. */
const rowsAtOnce = 200;
/** Rows that are only of use to the processes that wrote them: they stay behind. */
const ofProcesses = new Set(['holds', 'locks']);

interface Column {
  readonly name: string;
  /** As SQLite has it. */
  readonly type: string;
}

/**
 * Copies the database as it was when the copy began into an SQLite file of the same schema; others go on writing. Throws AppError
 * database_missing, database_newer, database_unavailable.
 */
export async function copyFromPostgres(url: string, target: string, onProgress: Progress): Promise<void> {
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
        counts.set(name, Number((await client.query(`SELECT count(*) AS rows FROM "${name}"`)).rows[0]?.rows ?? 0));
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
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY name');
  const unknown = rows.find(({ name }) => !Object.hasOwn(migrations, name));
  if (unknown !== undefined) throw new AppError('database_newer', { step: unknown.name });
  return rows.map(({ name }) => name);
}

async function makeSchema(file: string, steps: readonly string[]): Promise<void> {
  const engine = await openSqliteEngine({ file, durability: 'normal', onDeath: () => {} });
  try {
    const executed = Object.fromEntries(Object.entries(migrations).filter(([name]) => steps.includes(name)));
    await migrate(engine, createVault(Buffer.alloc(32)), executed); // there are no rows to encrypt
  } finally {
    await engine.close();
  }
}

function tablesOf(database: BetterSqlite3.Database): ReadonlyMap<string, readonly Column[]> {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'schema_migrations%' ORDER BY name",
    )
    .pluck()
    .all() as string[];
  return new Map(names.map((name) => [name, database.pragma(`table_info("${name}")`) as Column[]]));
}

const list = (columns: readonly Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ');

async function pullTable(
  client: Client,
  copy: BetterSqlite3.Database,
  name: string,
  columns: readonly Column[],
  onRows: (rows: number) => void,
): Promise<void> {
  const insert = copy.prepare(`INSERT INTO "${name}" (${list(columns)}) VALUES (${columns.map(() => '?').join(', ')})`);
  const insertAll = copy.transaction((rows: readonly (readonly (string | null)[])[]) => {
    for (const row of rows) insert.run(row.map((text, index) => toSqlite(text, columns[index]?.type ?? '')));
  });
  await client.query(`DECLARE copied NO SCROLL CURSOR FOR SELECT ${list(columns)} FROM "${name}"`);
  for (;;) {
    const { rows } = await client.query<(string | null)[]>({ text: `FETCH ${rowsAtOnce} FROM copied`, rowMode: 'array' });
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
async function pullSequence(client: Client, copy: BetterSqlite3.Database, name: string): Promise<void> {
  const isCounted = copy.prepare('SELECT 1 FROM sqlite_master WHERE name = ? AND sql LIKE ?').get(name, '%autoincrement%');
  if (isCounted === undefined) return;
  const { rows } = await client.query<{ last: string }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM "${name}_id_seq"`,
  );
  const last = BigInt(rows[0]?.last ?? 0);
  const { changes } = copy.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(last, name);
  if (changes === 0) copy.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last);
}

/** Whether a PostgreSQL database has a site. */
export function hasPostgresSite(url: string): Promise<boolean> {
  return connected(url, async (client) => {
    const { rows } = await client.query("SELECT to_regclass('users') AS name");
    if (rows[0]?.name === null) return false;
    return (await client.query('SELECT 1 FROM users LIMIT 1')).rows.length > 0;
  });
}

/** Throws AppError database_in_use when somebody else is connected to the database. */
export function checkPostgresIdle(url: string): Promise<void> {
  return connected(url, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      "SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
    );
    const count = Number(rows[0]?.count ?? 0);
    if (count > 0) throw new AppError('database_in_use', { count });
  });
}

/**
 * Replaces all rows by those of an SQLite file. Both have the newest schema. One transaction: if it fails, nothing has changed.
 * Throws AppError database_unavailable.
 */
export async function copyToPostgres(file: string, url: string, onProgress: Progress): Promise<void> {
  const source = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  source.defaultSafeIntegers(true);
  try {
    await connected(url, async (client) => {
      const tables = tablesOf(source);
      const count = (name: string) => Number(source.prepare(`SELECT count(*) FROM "${name}"`).pluck().get());
      const total = [...tables.keys()].reduce((sum, name) => sum + count(name), 0);
      let done = 0;
      await client.query('BEGIN');
      await client.query(`TRUNCATE ${[...tables.keys()].map((name) => `"${name}"`).join(', ')}`);
      for (const [name, columns] of tables) {
        if (ofProcesses.has(name)) continue;
        await pushTable(client, source, name, columns, (rows) => {
          done += rows;
          onProgress(done, total);
        });
      }
      await client.query('COMMIT');
    });
  } finally {
    source.close();
  }
}

async function pushTable(
  client: Client,
  source: BetterSqlite3.Database,
  name: string,
  columns: readonly Column[],
  onRows: (rows: number) => void,
): Promise<void> {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${/int/i.test(type) ? 'bigint' : type}[]`).join(', ');
  const text = `INSERT INTO "${name}" (${list(columns)}) SELECT * FROM unnest(${arrays})`;
  const insert = async (rows: readonly unknown[][]) => {
    if (rows.length === 0) return;
    const value = (cell: unknown) => (typeof cell === 'bigint' ? String(cell) : cell);
    await client.query(
      text,
      columns.map((_, index) => rows.map((row) => value(row[index]))),
    );
    onRows(rows.length);
  };
  let waiting: unknown[][] = [];
  for (const row of source
    .prepare(`SELECT ${list(columns)} FROM "${name}"`)
    .raw()
    .iterate()) {
    waiting.push(row as unknown[]);
    if (waiting.length < rowsAtOnce) continue;
    await insert(waiting);
    waiting = [];
  }
  await insert(waiting);
  await pushSequence(client, source, name);
}

async function pushSequence(client: Client, source: BetterSqlite3.Database, name: string): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('"${name}_id_seq"') AS name`);
  if (rows[0]?.name === null) return;
  const highest = source.prepare(`SELECT max(id) FROM "${name}"`).pluck().get();
  const last = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(name);
  const next = [highest, last].reduce<bigint>((most, one) => (typeof one === 'bigint' && one > most ? one : most), 0n) + 1n;
  await client.query(`SELECT setval('"${name}_id_seq"', $1, false)`, [String(next)]);
}

/** With values as the server writes them, so that no number loses digits. */
async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: () => (text: string) => text },
  });
  client.on('error', () => {}); // the query in progress rejects, too
  try {
    await client.connect();
  } catch (error) {
    throw new AppError('database_unavailable', { reason: (error as Error).message }, { cause: error });
  }
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
