import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Durability, Engine } from './dialects/engine.ts';
import { openPostgresEngine } from './dialects/postgres.ts';
import { openSqliteEngine } from './dialects/sqlite.ts';
import type { PlanBatch } from './ledger/plan.ts';
import type { Settlement, SettlementResult } from './ledger/settlement.ts';
import { type MigrationReport, migrate } from './migrate.ts';
import { createAbilityRepository } from './repositories/ability-repository.ts';
import type { Access } from './repositories/access.ts';
import { createModelSquareRepository, createUploadRepository } from './repositories/catalog-repositories.ts';
import { createChannelRepository } from './repositories/channel-repository.ts';
import { createLedgerRepository } from './repositories/ledger-repository.ts';
import { createLogRepository } from './repositories/log-repository.ts';
import { createMidjourneyRepository } from './repositories/midjourney-repository.ts';
import { createOptionRepository } from './repositories/option-repository.ts';
import { createQuotaDataRepository } from './repositories/quota-data-repository.ts';
import { createRedemptionRepository } from './repositories/redemption-repository.ts';
import { createSessionRepository } from './repositories/session-repository.ts';
import { createAuditLogRepository, createLockRepository, createSetupRepository } from './repositories/system-repositories.ts';
import { createTaskRepository } from './repositories/task-repository.ts';
import { createTokenRepository } from './repositories/token-repository.ts';
import { createTopUpRepository } from './repositories/top-up-repository.ts';
import { createUserRepository } from './repositories/user-repository.ts';
import { createVerificationCodeRepository } from './repositories/verification-code-repository.ts';
import { type RotationReport, rotateSecrets } from './rotate-secrets.ts';
import type { Database } from './schema.ts';
import type { Storage } from './storage.ts';
import { createVault } from './vault.ts';

export interface OpenOptions {
  /** `sqlite:<file>`, `sqlite::memory:`, `postgres://…` or `postgresql://…`. */
  readonly url: string;
  /** From which the keys of secrets at rest are derived (CRYPTO_SECRET or the key file). */
  readonly masterKey: Buffer;
  /** What a batch of settlements writes. Without it SQLite commits none on the calling thread. */
  readonly planBatch?: PlanBatch;
  /**
   * SQLite only: a module that calls serveSqliteWorker. Its threads own the connections, and the calling thread never
   * waits for the disk. Absent: the calling thread runs the SQL.
   */
  readonly worker?: URL;
  /** SQLite only; `full` unless told otherwise. */
  readonly durability?: Durability;
  /** Bring the schema up to date first; true unless told otherwise (only the master node of several does). */
  readonly migrate?: boolean;
  /** SQLite only: ms after which a transaction is rolled back; 10 s unless a test says otherwise. */
  readonly transactionLimit?: number;
  /** PostgreSQL only: connections of this process. */
  readonly poolSize?: number;
  /** PostgreSQL only: called when a connection breaks outside a call; another takes its place. */
  readonly onError?: (error: Error) => void;
  /** SQLite with threads: called when one died. Nothing can be read or written any more; the last writes are in doubt. */
  readonly onDeath?: (error: Error) => void;
}

/** An opened database: the repositories, and what the ledger needs of each engine. */
export interface OpenStorage extends Storage {
  /**
   * Where one process owns the file: commits settlements in one transaction, in turn with all other writes. Rejects, with
   * nothing written, with RefusedItemError where an item is at fault.
   */
  settle?(batch: readonly Settlement[]): Promise<readonly SettlementResult[]>;
  /** Where several processes share the database. */
  readonly postgres?: Pool;
  /** What the migration did while opening. */
  readonly migrated: MigrationReport;
}

/** ms; migrations and rotation run with nobody waiting behind them. */
const maintenanceLimit = 86_400_000;

/** Opens (and by default migrates) a database. Throws `database_unavailable` when it does not answer. */
export async function openStorage(options: OpenOptions): Promise<OpenStorage> {
  const migrated = await migrateFirst(options);
  const engine = await openEngine(options, options.transactionLimit);
  const report = migrated ?? (options.migrate === false ? { executed: [] } : await migrateOrClose(engine));
  return { ...assemble(engine, options.masterKey), settle: engine.settle, postgres: engine.postgres, migrated: report };
}

/** Runs the migrations of a database and closes it again. */
export async function migrateStorage(options: Pick<OpenOptions, 'url' | 'onError'>): Promise<MigrationReport> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  const report = await migrateOrClose(engine);
  await engine.close();
  return report;
}

/** Seals every secret of a database anew under another master key; nothing else may use the database meanwhile. */
export async function rotateStorageSecrets(
  options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'> & { readonly newMasterKey: Buffer },
): Promise<RotationReport> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    return await rotateSecrets(engine, options.masterKey, options.newMasterKey);
  } finally {
    await engine.close();
  }
}

/** The writing thread prepares statements when it starts, so the tables must be there before. */
async function migrateFirst(options: OpenOptions): Promise<MigrationReport | undefined> {
  return options.worker !== undefined && options.migrate !== false ? migrateStorage(options) : undefined;
}

/** On the calling thread, whatever the options say. */
const maintenance = ({ url, onError }: Pick<OpenOptions, 'url' | 'onError'>) => ({ url, onError });

async function migrateOrClose(engine: Engine): Promise<MigrationReport> {
  try {
    return await migrate(engine);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function openEngine(options: Omit<OpenOptions, 'masterKey'>, transactionLimit: number | undefined): Promise<Engine> {
  const { url, worker, planBatch, durability = 'full', poolSize, onError = () => {}, onDeath = () => {} } = options;
  if (/^postgres(ql)?:/.test(url)) return openPostgresEngine({ url, poolSize, onError });
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length);
    return openSqliteEngine({ file, durability, worker, planBatch, transactionLimit, onDeath });
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
  const close = () => engine.close();
  return createRepositories(
    outside,
    (work) =>
      engine.write.transaction().execute((transaction) => {
        const storage: Storage = createRepositories(inside(transaction), (nested) => nested(storage), close);
        return work(storage);
      }),
    close,
  );
}

function createRepositories(access: Access, transaction: Storage['transaction'], close: Storage['close']): Storage {
  return {
    users: createUserRepository(access),
    tokens: createTokenRepository(access),
    channels: createChannelRepository(access),
    abilities: createAbilityRepository(access),
    options: createOptionRepository(access),
    redemptions: createRedemptionRepository(access),
    logs: createLogRepository(access),
    quotaData: createQuotaDataRepository(access),
    topUps: createTopUpRepository(access),
    midjourneys: createMidjourneyRepository(access),
    tasks: createTaskRepository(access),
    modelSquare: createModelSquareRepository(access),
    uploads: createUploadRepository(access),
    setups: createSetupRepository(access),
    sessions: createSessionRepository(access),
    verificationCodes: createVerificationCodeRepository(access),
    auditLogs: createAuditLogRepository(access),
    locks: createLockRepository(access),
    ledger: createLedgerRepository(access),
    transaction,
    close,
  };
}
