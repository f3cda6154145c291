/** What every service module stands on: the database, the ledger, what processes share, time, ids and the log. */
import { createMemoryLedger, createPostgresLedger, type Ledger, planBatch } from './billing/index.ts';
import type { Cluster } from './cluster/cluster.ts';
import { createMemoryCluster } from './cluster/memory-cluster.ts';
import { createStoredLeases } from './cluster/stored-leases.ts';
import type { DataFolder } from './config/data-folder.ts';
import type { Config } from './config/schema.ts';
import { systemIds } from './config/system-ids.ts';
import { defaultLanguage, type Language } from './i18n/translate.ts';
import { type Clock, nowSeconds, systemClock } from './kernel/clock.ts';
import { AppError } from './kernel/errors.ts';
import type { Ids } from './kernel/ids.ts';
import type { Logger } from './kernel/logger.ts';
import { openDatabase } from './open-database.ts';
import { createPostgresLedgerStore } from './storage/ledger/postgres-store.ts';
import type { OpenStorage } from './storage/open.ts';
import type { Storage } from './storage/storage.ts';

export interface FoundationDeps {
  readonly config: Config;
  readonly folder: Pick<DataFolder, 'cryptoSecret'>;
  readonly logger: Logger;
  readonly version: string;
  /** The gateway keeps the database on threads of its own; commands work on the calling thread. */
  readonly threads: boolean;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Called when the database's thread died: the process can only be started anew. */
  readonly onDatabaseDeath?: (error: Error) => void;
  /** Overrides where the database is (tests: `sqlite::memory:`). */
  readonly databaseUrl?: string;
}

export interface Foundation {
  readonly config: Config;
  readonly version: string;
  readonly databaseType: 'sqlite' | 'postgres';
  /** Unix seconds at which the process began. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly cluster: Cluster;
  /** The language of what is stored as text or sent to the owner. */
  readonly siteLanguage: () => Language;
  close(): Promise<void>;
}

/**
 * Opens the database. The caller owns the data folder's lock. Throws AppError database_unavailable, feature_unavailable.
 */
export async function openFoundation(deps: FoundationDeps): Promise<Foundation> {
  const { config, logger, version, clock = systemClock, ids = systemIds } = deps;
  const url = deps.databaseUrl ?? (config.databaseUrl || `sqlite:${config.sqlitePath}`);
  const storage = await openDatabase({
    url,
    masterKey: Buffer.from(deps.folder.cryptoSecret.reveal()),
    threads: deps.threads,
    durability: config.durability,
    onError: (error) => logger.error({ error }, 'the database connection broke'),
    onDeath: (error) => {
      logger.error({ error }, 'the database thread died');
      deps.onDatabaseDeath?.(error);
    },
  });
  const ledger = createLedger(storage, clock, ids, logger);
  return {
    config,
    version,
    databaseType: url.startsWith('sqlite:') ? 'sqlite' : 'postgres',
    startedAt: nowSeconds(clock),
    clock,
    ids,
    logger,
    storage,
    ledger,
    cluster: createMemoryCluster(clock, createStoredLeases(storage.locks, clock)),
    siteLanguage: () => defaultLanguage,
    close: async () => {
      await ledger.close?.();
      await storage.close();
    },
  };
}

/** One process owns a SQLite file and keeps balances in memory; PostgreSQL may be shared, so it keeps them itself. */
function createLedger(storage: OpenStorage, clock: Clock, ids: Ids, logger: Logger): Ledger {
  if (storage.settle !== undefined) return createMemoryLedger({ storage, commit: storage.settle, clock, logger });
  if (storage.postgres === undefined) throw new AppError('feature_unavailable', { detail: 'ledger' });
  const store = createPostgresLedgerStore(storage.postgres, ids.uuid(), planBatch);
  return createPostgresLedger({ storage, store, clock, logger });
}
