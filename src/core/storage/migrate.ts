import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { migrations } from '../../../migrations/index.ts';
import { AppError } from '../kernel/errors.ts';
import type { Step } from './columns.ts';
import type { Engine } from './dialects/engine.ts';
import type { Vault } from './vault.ts';

const migrationTable = 'schema_migrations';

export interface MigrationReport {
  /** Names of the steps that were executed, in order. */
  readonly executed: readonly string[];
}

export interface MigrationStates {
  readonly executed: readonly string[];
  readonly pending: readonly string[];
  /** Executed by a newer version: this one does not know them. */
  readonly unknown: readonly string[];
  /** The tables are those of another program: nothing may be created among them. */
  readonly isForeign: boolean;
}

/**
 * Tables of ours that compatible panels have, too. On PostgreSQL others may share the database with
 * tables of other names.
 */
const telling = ['users', 'channels', 'tokens'];

interface Table {
  readonly name: string;
  readonly schema: string | null;
}

/** Tables and views. Kysely's introspection reads their columns, too, which takes far longer. */
async function listTables({ read, abilities }: Engine): Promise<readonly Table[]> {
  const query = abilities.isSqlite
    ? sql<Table>`select name, null as schema from sqlite_master
        where type in ('table', 'view') and name not like 'sqlite_%'`
    : sql<Table>`select c.relname as name, ns.nspname as schema
        from pg_catalog.pg_class as c
        join pg_catalog.pg_namespace as ns on ns.oid = c.relnamespace
        where c.relkind in ('r', 'v', 'p', 'f')
          and ns.nspname !~ '^pg_' and ns.nspname <> 'information_schema'
          and has_schema_privilege(ns.nspname, 'USAGE')`;
  return (await query.execute(read)).rows;
}

/** Which migrations an open database has and lacks. Changes nothing. */
export async function listMigrations(engine: Engine): Promise<MigrationStates> {
  const tables = await listTables(engine);
  const rows = tables.some(({ name }) => name === migrationTable)
    ? await sql<{
        name: string;
      }>`select name from ${sql.table(migrationTable)} order by name`.execute(engine.read)
    : { rows: [] };
  const executed = rows.rows.map(({ name }) => name);
  const isOurs = tables.some(({ name }) => name === migrationTable);
  return {
    executed,
    isForeign: !isOurs && (await hasForeignTables(engine, tables)),
    pending: Object.keys(migrations).filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !Object.hasOwn(migrations, name)),
  };
}

async function hasForeignTables(
  { read, abilities }: Engine,
  tables: readonly Table[],
): Promise<boolean> {
  // A tool that replicates an SQLite file names its tables so.
  if (abilities.isSqlite) return tables.some(({ name }) => !name.startsWith('_'));
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(
    read,
  );
  return tables.some(({ name, schema }) => schema === rows[0]?.name && telling.includes(name));
}

/**
 * Migrates an open database to the newest schema; does nothing if it is up to date. All steps run
 * in one transaction, so a failure leaves the database unchanged. On PostgreSQL two processes that
 * start at once wait for each other (kysely's advisory lock); on SQLite the data folder has one
 * owner. Throws AppError database_foreign; rethrows the error of the failing step.
 */
export async function migrate(
  engine: Engine,
  vault: Vault,
  steps: Readonly<Record<string, Step>> = migrations,
): Promise<MigrationReport> {
  const { executed, isForeign } = await listMigrations(engine);
  if (isForeign) throw new AppError('database_foreign');
  const known = Object.keys(steps);
  // As at most starts: the migrator would take its lock and read all tables thrice to find that out.
  if (executed.length === known.length && known.every((name) => executed.includes(name)))
    return { executed: [] };
  const provider = {
    getMigrations: async (): Promise<Record<string, Migration>> =>
      Object.fromEntries(
        Object.entries(steps).map(([name, step]) => [
          name,
          { up: (database) => step(database.schema, engine.kinds, database, vault) },
        ]),
      ),
  };
  const migrator = new Migrator({
    db: engine.write,
    provider,
    migrationTableName: migrationTable,
    migrationLockTableName: 'schema_migrations_lock',
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return { executed: results.map(({ migrationName }) => migrationName) };
}
