import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { AppError } from '../kernel/errors.ts';
import type { Durability, Engine } from './dialects/engine.ts';
import { openSqliteEngine } from './dialects/sqlite.ts';
import { keyFits } from './key-check.ts';
import type { PlanBatch } from './ledger/plan.ts';
import type { SettlementResult } from './ledger/settlement.ts';
import { listMigrations, type MigrationReport, type MigrationStates, migrate } from './migrate.ts';
import type { Access } from './repositories/access.ts';
import { createRepositories, createRepositoriesOnDemand } from './repositories/repositories.ts';
import { type OnRotated, type RotationReport, rotateSecrets } from './rotate-secrets.ts';
import type { Database } from './schema.ts';
import type { Storage } from './storage.ts';
import { createVault } from './vault.ts';

export interface OpenOptions {
  /** `sqlite:<file>`, `sqlite::memory:`, `postgres://…` or `postgresql://…`. */
  readonly url: string;
  /**
   * Master key from which the keys of secrets at rest are derived (CRYPTO_SECRET or the key file).
   */
  readonly masterKey: Buffer;
  /** What a batch of settlements writes. Without it SQLite commits none on the calling thread. */
  readonly planBatch?: PlanBatch;
  /**
   * SQLite only: a module that calls serveSqliteWorker. Its threads own the connections, and the
   * calling thread never waits for the disk. Absent: the calling thread runs the SQL.
   */
  readonly worker?: URL;
  /** SQLite only; default `full`. */
  readonly durability?: Durability;
  /** Migrate the schema first; default true (of several nodes only the master does). */
  readonly migrate?: boolean;
  /** SQLite only: ms after which a transaction is rolled back; default 10 s. For tests. */
  readonly transactionLimit?: number;
  /** PostgreSQL only: number of connections of this process. */
  readonly poolSize?: number;
  /** PostgreSQL only: called when an idle connection fails; the pool replaces it. */
  readonly onError?: (error: Error) => void;
  /**
   * SQLite with threads: called when one ends unexpectedly. The database is unusable, and the
   * outcome of open writes unknown.
   */
  readonly onDeath?: (error: Error) => void;
  /**
   * SQLite with threads: called once where another program deleted or replaced a file, so that
   * nothing is written any more.
   */
  readonly onLoss?: (refusal: AppError) => void;
}

/** An open database: the repositories, and what the ledger needs of each engine. */
export interface OpenStorage extends Storage {
  /**
   * SQLite only: commits settlements ({@link textOfBatch}) in one transaction, queued with all
   * other writes. Rejects with RefusedItemError, with nothing written, if an item is refused.
   */
  settle?(batch: string): Promise<readonly SettlementResult[]>;
  /** SQLite only: {@link Engine.waitFor}. */
  waitFor?(pending: () => Promise<void> | undefined): void;
  /** SQLite only: {@link Engine.refusal}. */
  refusal?(): AppError | undefined;
  /** PostgreSQL only. */
  readonly postgres?: Pool;
  /** The migration that ran on opening. */
  readonly migrated: MigrationReport;
}

/** Transaction limit in ms for migrations and key rotation, which block no other work. */
const maintenanceLimit = 86_400_000;

/**
 * Opens (and by default migrates) a database. Throws `database_unavailable` when it cannot be
 * reached.
 */
export async function openStorage(options: OpenOptions): Promise<OpenStorage> {
  const migrated = await migrateFirst(options);
  const engine = await openEngine(options, options.transactionLimit);
  const report =
    migrated ??
    (options.migrate === false
      ? { executed: [] }
      : await migrateOrClose(engine, options.masterKey));
  const { settle, waitFor, refusal, postgres } = engine;
  return {
    ...assemble(engine, options.masterKey),
    settle,
    waitFor,
    refusal,
    postgres,
    migrated: report,
  };
}

/** Migrates a database and closes it. */
export async function migrateStorage(
  options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'>,
): Promise<MigrationReport> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  const report = await migrateOrClose(engine, options.masterKey);
  await engine.close();
  return report;
}

/** Which migrations a database has and lacks. Changes nothing. */
export async function readMigrations(
  options: Pick<OpenOptions, 'url' | 'onError'>,
): Promise<MigrationStates> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    return await listMigrations(engine);
  } finally {
    await engine.close();
  }
}

export interface Inspection extends MigrationStates {
  /** Whether the master key decrypts the secrets; true if there are none. */
  readonly keyFits: boolean;
}

/** What has to be known before a database is used. Changes nothing. */
export async function inspectStorage(
  options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'>,
): Promise<Inspection> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    const states = await listMigrations(engine);
    // The tables of secrets are among those of the first version.
    return {
      ...states,
      keyFits: states.executed.length === 0 || (await keyFits(engine, options.masterKey)),
    };
  } finally {
    await engine.close();
  }
}

/** Whether the master key decrypts the secrets of a database; true if it has none. */
export async function masterKeyFits(
  options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'>,
): Promise<boolean> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    return await keyFits(engine, options.masterKey);
  } finally {
    await engine.close();
  }
}

/**
 * Re-encrypts every secret of a database with another master key. Nothing else may use the database
 * meanwhile.
 */
export async function rotateStorageSecrets(
  options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'> & {
    readonly newMasterKey: Buffer;
    /** Unix seconds, for the audit log. */
    readonly now: number;
    readonly onProgress?: OnRotated;
  },
): Promise<RotationReport> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    const { masterKey, newMasterKey, now, onProgress } = options;
    return await rotateSecrets(engine, masterKey, newMasterKey, now, onProgress);
  } finally {
    await engine.close();
  }
}

/**
 * Migrates on a separate connection: the writing thread prepares statements on start, so the tables
 * must exist.
 */
async function migrateFirst(options: OpenOptions): Promise<MigrationReport | undefined> {
  return options.worker !== undefined && options.migrate !== false
    ? migrateStorage(options)
    : undefined;
}

/** On the calling thread, whatever the options say. */
const maintenance = ({ url, onError }: Pick<OpenOptions, 'url' | 'onError'>) => ({ url, onError });

async function migrateOrClose(engine: Engine, masterKey: Buffer): Promise<MigrationReport> {
  try {
    return await migrate(engine, createVault(masterKey));
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function openEngine(
  options: Omit<OpenOptions, 'masterKey'>,
  transactionLimit: number | undefined,
): Promise<Engine> {
  const {
    url,
    worker,
    planBatch,
    durability = 'full',
    poolSize,
    onError = () => {},
    onDeath = () => {},
    onLoss,
  } = options;
  if (/^postgres(ql)?:/.test(url)) {
    const { openPostgresEngine } = await import('./dialects/postgres.ts');
    return openPostgresEngine({ url, poolSize, onError });
  }
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length);
    return openSqliteEngine({
      file,
      durability,
      worker,
      planBatch,
      transactionLimit,
      onDeath,
      onLoss,
    });
  }
  throw new Error('a database URL starts with sqlite: or postgres:');
}

function assemble(engine: Engine, masterKey: Buffer): Storage {
  const { abilities } = engine;
  const vault = createVault(masterKey);
  const outside: Access = {
    read: engine.read,
    write: engine.write,
    abilities,
    vault,
    atomically: (work) => engine.write.transaction().execute(work),
  };
  const inside = (transaction: Kysely<Database>): Access => ({
    read: transaction,
    write: transaction,
    abilities,
    vault,
    atomically: (work) => work(transaction),
  });
  const sign = (text: string) => vault.hash(`signed ${text}`);
  const close = () => engine.close();
  return {
    ...createRepositories(outside),
    sign,
    vault,
    transaction: (work) =>
      engine.write.transaction().execute((transaction) => {
        const repositories = createRepositoriesOnDemand(inside(transaction));
        const storage: Storage = Object.assign(repositories, {
          sign,
          vault,
          transaction: (nested: typeof work) => nested(storage),
          close,
        });
        return work(storage);
      }),
    close,
  };
}
