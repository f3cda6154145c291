/** The common dependencies of all modules: database, ledger, cluster, clock, ids and log. */
import { createHmac } from 'node:crypto';
import type { Ledger } from './billing/index.ts';
import type { Cluster, Leases } from './cluster/cluster.ts';
import { createMemoryCluster } from './cluster/memory-cluster.ts';
import { createStoredLeases } from './cluster/stored-leases.ts';
import type { DataFolder } from './config/data-folder.ts';
import type { Config } from './config/schema.ts';
import { systemIds } from './config/system-ids.ts';
import { type Clock, nowSeconds, systemClock } from './kernel/clock.ts';
import { AppError } from './kernel/errors.ts';
import type { Ids } from './kernel/ids.ts';
import { type Logger, partOf } from './kernel/logger.ts';
import { snapshotBeforeMigration } from './maintenance/snapshots.ts';
import { openDatabase } from './open-database.ts';
import { openLedger } from './open-ledger.ts';
import type { Storage } from './storage/storage.ts';

export interface FoundationDeps {
  readonly config: Config;
  readonly folder: Pick<DataFolder, 'cryptoSecret'>;
  readonly logger: Logger;
  readonly version: string;
  /**
   * True: the database runs on its own threads (gateway); false: on the calling thread (commands).
   */
  readonly threads: boolean;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Called when the database thread has died. The process must then be restarted. */
  readonly onDatabaseDeath?: (error: Error) => void;
  /** Overrides the configured database (tests: `sqlite::memory:`). */
  readonly databaseUrl?: string;
}

export interface Foundation {
  readonly config: Config;
  readonly version: string;
  readonly databaseType: 'sqlite' | 'postgres';
  /** When the process started, in Unix seconds. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly ledger: Ledger;
  readonly cluster: Cluster;
  close(): Promise<void>;
}

/**
 * Opens the database of a folder that openSite has opened. Throws AppError database_unavailable,
 * database_newer, redis_unavailable, redis_needs_postgres, feature_unavailable.
 */
export async function openFoundation(deps: FoundationDeps): Promise<Foundation> {
  const { config, version, clock = systemClock, ids = systemIds } = deps;
  const logger = partOf(deps.logger, 'storage');
  const url = deps.databaseUrl ?? (config.databaseUrl || `sqlite:${config.sqlitePath}`);
  const isSqlite = url.startsWith('sqlite:');
  if (isSqlite && config.redisUrl !== '') throw new AppError('redis_needs_postgres');
  const { cryptoSecret } = deps.folder;
  if (deps.databaseUrl === undefined)
    await snapshotBeforeMigration({ config, logger, now: nowSeconds(clock) });
  const storage = await openDatabase({
    url,
    masterKey: Buffer.from(cryptoSecret.reveal()),
    threads: deps.threads,
    durability: config.durability,
    onError: (error) => logger.error({ error }, 'the database connection broke'),
    onDeath: (error) => {
      logger.error({ error }, 'the database thread died');
      deps.onDatabaseDeath?.(error);
    },
    onLoss: ({ params: { file, how } }) => {
      logger.error(
        { file, how },
        'a file of the database was changed from outside; nothing is written any more until the restart',
      );
    },
  });
  const leases = createStoredLeases(storage.locks, clock, partOf(deps.logger, 'cluster'));
  const shared = await openShared(deps, clock, ids, leases).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  const ledger = await openLedger(storage, {
    url,
    durability: config.durability,
    ...(deps.databaseUrl === undefined && { dataDir: config.dataDir }),
    threads: deps.threads,
    clock,
    ids,
    logger: partOf(deps.logger, 'billing'),
  }).catch(async (error: unknown) => {
    shared?.close();
    await storage.close();
    throw error;
  });
  return {
    config,
    version,
    databaseType: isSqlite ? 'sqlite' : 'postgres',
    startedAt: nowSeconds(clock),
    clock,
    ids,
    logger: deps.logger,
    storage,
    ledger,
    cluster: shared ?? createMemoryCluster(clock, leases),
    close: async () => {
      await ledger.close();
      shared?.close();
      await storage.close();
    },
  };
}

/** Processes that have the same secret are one gateway. Undefined: this process is the only one. */
async function openShared(
  { config, folder, logger }: FoundationDeps,
  clock: Clock,
  ids: Ids,
  leases: Leases,
) {
  if (config.redisUrl === '') return undefined;
  const { openRedisCluster } = await import('./cluster/redis/redis-cluster.ts');
  const prefix = `turnpike:${createHmac('sha256', folder.cryptoSecret.reveal()).update('shared state').digest('hex').slice(0, 16)}:`;
  return openRedisCluster({
    url: config.redisUrl,
    prefix,
    self: ids.uuid(),
    leases,
    clock,
    logger: partOf(logger, 'cluster'),
  });
}
