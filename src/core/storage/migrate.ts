import { sql, type TableMetadata } from 'kysely';
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

/** Which migrations an open database has and lacks. Changes nothing. */
export async function listMigrations(engine: Engine): Promise<MigrationStates> {
  const tables = await engine.read.introspection.getTables({ withInternalKyselyTables: true });
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
  tables: readonly TableMetadata[],
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
  if ((await listMigrations(engine)).isForeign) throw new AppError('database_foreign');
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
