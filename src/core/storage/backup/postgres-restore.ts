/** An SQLite file as a PostgreSQL database: schema and rows are replaced in one transaction. */
import BetterSqlite3 from 'better-sqlite3';
import { CompiledQuery, type Transaction } from 'kysely';
import { migrations } from '../../../../migrations/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { openPostgresEngine } from '../dialects/postgres.ts';
import { listMigrations, migrate } from '../migrate.ts';
import type { Database } from '../schema.ts';
import { createVault } from '../vault.ts';
import type { Progress } from './sqlite-file.ts';
import { type Column, columnList, ofProcesses, rowsAtOnce, tablesOf } from './tables.ts';

/** What an earlier version left: its steps, and the tables that may be there since. */
export interface EarlierSchema {
  readonly steps: readonly string[];
  readonly tables: readonly string[];
}

/**
 * Replaces all rows by those of an SQLite file of the newest schema, and brings the schema of the
 * target to it, or back to an earlier one. If it fails or the process ends, nothing has changed: an empty database stays
 * empty. Throws AppError database_newer, database_unavailable.
 */
export async function copyToPostgres(
  file: string,
  url: string,
  onProgress: Progress,
  schema?: EarlierSchema,
): Promise<void> {
  const source = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  source.defaultSafeIntegers(true);
  try {
    const engine = await openPostgresEngine({ url, poolSize: 1, onError: () => {} });
    try {
      await engine.write.transaction().execute(async (inside) => {
        const within = { ...engine, read: inside, write: inside };
        const { unknown } = await listMigrations(within);
        if (unknown[0] !== undefined) throw new AppError('database_newer', { step: unknown[0] });
        const tables = tablesOf(source);
        // Emptied before it is migrated: steps that move rows would need the key of the site that
        // is replaced.
        if (schema === undefined) await empty(inside, [...tables.keys()]);
        else await drop(inside, [...tables.keys(), ...schema.tables]);
        await migrate(within, createVault(Buffer.alloc(32)), stepsOf(schema));
        await empty(inside, [...tables.keys()]); // rows that migrations add are in the file as well
        await pushTables(inside, source, tables, onProgress);
      });
    } finally {
      await engine.close();
    }
  } finally {
    source.close();
  }
}

async function send<Row>(
  inside: Transaction<Database>,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await inside.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}

const stepsOf = (schema: EarlierSchema | undefined): typeof migrations =>
  schema === undefined
    ? migrations
    : Object.fromEntries(
        Object.entries(migrations).filter(([name]) => schema.steps.includes(name)),
      );

async function drop(inside: Transaction<Database>, names: readonly string[]): Promise<void> {
  const all = [...new Set([...names, 'schema_migrations', 'schema_migrations_lock'])];
  await send(inside, `DROP TABLE IF EXISTS ${all.map((name) => `"${name}"`).join(', ')} CASCADE`);
}

async function empty(inside: Transaction<Database>, names: readonly string[]): Promise<void> {
  const found = await send<{ name: string }>(
    inside,
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY($1::text[])',
    [names],
  );
  if (found.length > 0)
    await send(inside, `TRUNCATE ${found.map(({ name }) => `"${name}"`).join(', ')}`);
}

async function pushTables(
  inside: Transaction<Database>,
  source: BetterSqlite3.Database,
  tables: ReadonlyMap<string, readonly Column[]>,
  onProgress: Progress,
): Promise<void> {
  const count = (name: string) =>
    Number(source.prepare(`SELECT count(*) FROM "${name}"`).pluck().get());
  const total = [...tables.keys()].reduce((sum, name) => sum + count(name), 0);
  let done = 0;
  for (const [name, columns] of tables) {
    if (ofProcesses.has(name)) continue;
    await pushTable(inside, source, name, columns, (rows) => {
      done += rows;
      onProgress(done, total);
    });
  }
}

async function pushTable(
  inside: Transaction<Database>,
  source: BetterSqlite3.Database,
  name: string,
  columns: readonly Column[],
  onRows: (rows: number) => void,
): Promise<void> {
  const arrays = columns
    .map(({ type }, index) => `$${index + 1}::${/int/i.test(type) ? 'bigint' : type}[]`)
    .join(', ');
  const text = `INSERT INTO "${name}" (${columnList(columns)}) SELECT * FROM unnest(${arrays})`;
  const insert = async (rows: readonly unknown[][]) => {
    if (rows.length === 0) return;
    const value = (cell: unknown) => (typeof cell === 'bigint' ? String(cell) : cell);
    await send(
      inside,
      text,
      columns.map((_, index) => rows.map((row) => value(row[index]))),
    );
    onRows(rows.length);
  };
  let waiting: unknown[][] = [];
  for (const row of source
    .prepare(`SELECT ${columnList(columns)} FROM "${name}"`)
    .raw()
    .iterate()) {
    waiting.push(row as unknown[]);
    if (waiting.length < rowsAtOnce) continue;
    await insert(waiting);
    waiting = [];
  }
  await insert(waiting);
  await pushSequence(inside, source, name);
}

async function pushSequence(
  inside: Transaction<Database>,
  source: BetterSqlite3.Database,
  name: string,
): Promise<void> {
  const [sequence] = await send<{ name: string | null }>(
    inside,
    `SELECT to_regclass('"${name}_id_seq"')::text AS name`,
  );
  if (sequence === undefined || sequence.name === null) return;
  const highest = source.prepare(`SELECT max(id) FROM "${name}"`).pluck().get();
  const last = source.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(name);
  const next =
    [highest, last].reduce<bigint>(
      (most, one) => (typeof one === 'bigint' && one > most ? one : most),
      0n,
    ) + 1n;
  await send(inside, `SELECT setval('"${name}_id_seq"', $1, false)`, [String(next)]);
}
