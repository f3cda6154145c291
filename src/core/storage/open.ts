import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Durability, Engine } from './dialects/engine.ts';
import { openPostgresEngine } from './dialects/postgres.ts';
import { openSqliteEngine } from './dialects/sqlite.ts';
import { keyFits } from './key-check.ts';
import type { PlanBatch } from './ledger/plan.ts';
import type { SettlementResult } from './ledger/settlement.ts';
import { listMigrations, type MigrationReport, type MigrationStates, migrate } from './migrate.ts';
import { createAbilityRepository } from './repositories/ability-repository.ts';
import type { Access } from './repositories/access.ts';
import { createModelSquareRepository } from './repositories/catalog-repositories.ts';
import { createChannelHealthRepository } from './repositories/channel-health-repository.ts';
import { createChannelRepository } from './repositories/channel-repository.ts';
import { createDeferredPostingRepository } from './repositories/deferred-posting-repository.ts';
import { createDiagnosisRepository } from './repositories/diagnosis-repository.ts';
import { createImportRepository } from './repositories/import-repository.ts';
import { createLedgerRepository } from './repositories/ledger-repository.ts';
import { createLogRepository } from './repositories/log-repository.ts';
import { createMidjourneyRepository } from './repositories/midjourney-repository.ts';
import { createOptionRepository } from './repositories/option-repository.ts';
import { createQuotaDataRepository } from './repositories/quota-data-repository.ts';
import { createQuotaWarningRepository } from './repositories/quota-warning-repository.ts';
import { createRedemptionRepository } from './repositories/redemption-repository.ts';
import { createRequestOutcomesRepository } from './repositories/request-outcomes-repository.ts';
import { createSecondFactorRepository } from './repositories/second-factor-repository.ts';
import { createSessionRepository } from './repositories/session-repository.ts';
import { createStatementRepository } from './repositories/statement-repository.ts';
import { createStoredResponseRepository } from './repositories/stored-response-repository.ts';
import { createAuditLogRepository, createLockRepository, createSetupRepository } from './repositories/system-repositories.ts';
import { createTaskRepository } from './repositories/task-repository.ts';
import { createTaskResultRepository } from './repositories/task-result-repository.ts';
import { createTokenRepository } from './repositories/token-repository.ts';
import { createTopUpRepository } from './repositories/top-up-repository.ts';
import { createUploadRepository } from './repositories/upload-repository.ts';
import { createUserIdentityRepository } from './repositories/user-identity-repository.ts';
import { createUserRepository } from './repositories/user-repository.ts';
import { createVerificationCodeRepository } from './repositories/verification-code-repository.ts';
import { type OnRotated, type RotationReport, rotateSecrets } from './rotate-secrets.ts';
import type { Database } from './schema.ts';
import type { Storage } from './storage.ts';
import { createVault } from './vault.ts';

export interface OpenOptions {
  /** `sqlite:<file>`, `sqlite::memory:`, `postgres://…` or `postgresql://…`. */
  readonly url: string;
  /** Master key from which the keys of secrets at rest are derived (CRYPTO_SECRET or the key file). */
  readonly masterKey: Buffer;
  /** What a batch of settlements writes. Without it SQLite commits none on the calling thread. */
  readonly planBatch?: PlanBatch;
  /**
   * SQLite only: a module that calls serveSqliteWorker. Its threads own the connections, and the calling thread never
   * waits for the disk. Absent: the calling thread runs the SQL.
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
   * SQLite with threads: called when one ends unexpectedly. The database is unusable, and the outcome of open writes
   * unknown.
   */
  readonly onDeath?: (error: Error) => void;
}

/** An open database: the repositories, and what the ledger needs of each engine. */
export interface OpenStorage extends Storage {
  /**
   * SQLite only: commits settlements ({@link textOfBatch}) in one transaction, queued with all other writes. Rejects with RefusedItemError, with
   * nothing written, if an item is refused.
   */
  settle?(batch: string): Promise<readonly SettlementResult[]>;
  /** SQLite only: {@link Engine.waitFor}. */
  waitFor?(pending: () => Promise<void> | undefined): void;
  /** PostgreSQL only. */
  readonly postgres?: Pool;
  /** The migration that ran on opening. */
  readonly migrated: MigrationReport;
}

/** Transaction limit in ms for migrations and key rotation, which block no other work. */
const maintenanceLimit = 86_400_000;

/** Opens (and by default migrates) a database. Throws `database_unavailable` when it cannot be reached. */
export async function openStorage(options: OpenOptions): Promise<OpenStorage> {
  const migrated = await migrateFirst(options);
  const engine = await openEngine(options, options.transactionLimit);
  const report = migrated ?? (options.migrate === false ? { executed: [] } : await migrateOrClose(engine, options.masterKey));
  const { settle, waitFor, postgres } = engine;
  return { ...assemble(engine, options.masterKey), settle, waitFor, postgres, migrated: report };
}

/** Migrates a database and closes it. */
export async function migrateStorage(options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'>): Promise<MigrationReport> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  const report = await migrateOrClose(engine, options.masterKey);
  await engine.close();
  return report;
}

/** Which migrations a database has and lacks. Changes nothing. */
export async function readMigrations(options: Pick<OpenOptions, 'url' | 'onError'>): Promise<MigrationStates> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    return await listMigrations(engine);
  } finally {
    await engine.close();
  }
}

/** Whether the master key decrypts the secrets of a database; true if it has none. */
export async function masterKeyFits(options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'>): Promise<boolean> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    return await keyFits(engine, options.masterKey);
  } finally {
    await engine.close();
  }
}

/** Re-encrypts every secret of a database with another master key. Nothing else may use the database meanwhile. */
export async function rotateStorageSecrets(
  options: Pick<OpenOptions, 'url' | 'masterKey' | 'onError'> & {
    readonly newMasterKey: Buffer;
    readonly onProgress?: OnRotated;
  },
): Promise<RotationReport> {
  const engine = await openEngine(maintenance(options), maintenanceLimit);
  try {
    return await rotateSecrets(engine, options.masterKey, options.newMasterKey, options.onProgress);
  } finally {
    await engine.close();
  }
}

/** Migrates on a separate connection: the writing thread prepares statements on start, so the tables must exist. */
async function migrateFirst(options: OpenOptions): Promise<MigrationReport | undefined> {
  return options.worker !== undefined && options.migrate !== false ? migrateStorage(options) : undefined;
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
    sign: (text) => access.vault.hash(`signed ${text}`),
    users: createUserRepository(access),
    userIdentities: createUserIdentityRepository(access),
    tokens: createTokenRepository(access),
    channels: createChannelRepository(access),
    abilities: createAbilityRepository(access),
    channelHealth: createChannelHealthRepository(access),
    storedResponses: createStoredResponseRepository(access),
    options: createOptionRepository(access),
    redemptions: createRedemptionRepository(access),
    logs: createLogRepository(access),
    quotaData: createQuotaDataRepository(access),
    requestOutcomes: createRequestOutcomesRepository(access),
    topUps: createTopUpRepository(access),
    midjourneys: createMidjourneyRepository(access),
    tasks: createTaskRepository(access),
    modelSquare: createModelSquareRepository(access),
    uploads: createUploadRepository(access),
    taskResults: createTaskResultRepository(access),
    diagnosis: createDiagnosisRepository(access),
    setups: createSetupRepository(access),
    sessions: createSessionRepository(access),
    secondFactors: createSecondFactorRepository(access),
    verificationCodes: createVerificationCodeRepository(access),
    auditLogs: createAuditLogRepository(access),
    locks: createLockRepository(access),
    ledger: createLedgerRepository(access),
    statements: createStatementRepository(access),
    deferredPostings: createDeferredPostingRepository(access),
    quotaWarnings: createQuotaWarningRepository(access),
    imports: createImportRepository(access),
    transaction,
    close,
  };
}
