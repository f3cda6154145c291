import { type Migration, Migrator } from 'kysely/migration';
import { migrations } from '../../../migrations/index.ts';
import type { Step } from './columns.ts';
import type { Engine } from './dialects/engine.ts';
import type { Vault } from './vault.ts';

export interface MigrationReport {
  /** Names of the steps that were executed, in order. */
  readonly executed: readonly string[];
}

/**
 * Migrates an open database to the newest schema; does nothing if it is up to date. All steps run in one transaction, so a
 * failure leaves the database unchanged. On PostgreSQL two processes that start at once wait for each other (kysely's
 * advisory lock); on SQLite the data folder has one owner. Rethrows the error of the failing step.
 */
export async function migrate(
  engine: Engine,
  vault: Vault,
  steps: Readonly<Record<string, Step>> = migrations,
): Promise<MigrationReport> {
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
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return { executed: results.map(({ migrationName }) => migrationName) };
}
