import { dirname } from 'node:path';
import {
  createMemoryLedger,
  createNotedHead,
  createPostgresLedger,
  type Ledger,
  planBatch,
  recoverCharges,
} from './billing/index.ts';
import { syncFolder } from './config/replacement.ts';
import type { Config } from './config/schema.ts';
import type { Clock } from './kernel/clock.ts';
import { AppError } from './kernel/errors.ts';
import type { Ids } from './kernel/ids.ts';
import type { Logger } from './kernel/logger.ts';
import { openChargeJournal, readJournal, removeJournal } from './storage/journal/charge-journal.ts';
import type { OpenStorage } from './storage/open.ts';

export interface LedgerOptions {
  /** Of the database. */
  readonly url: string;
  readonly durability: Config['durability'];
  /** Where the newest links are noted; absent: they are not. */
  readonly dataDir?: string;
  /**
   * SQLite: whether the database has threads of its own, as in the gateway. Charges go through a
   * journal then.
   */
  readonly threads: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/**
 * Opens the ledger of a database; the caller owns the data folder's lock. With SQLite the single
 * process keeps balances in memory, and charges that a killed process left in its journal are
 * written into the tables first. PostgreSQL may be shared, so it holds the balances itself.
 */
export async function openLedger(storage: OpenStorage, options: LedgerOptions): Promise<Ledger> {
  const { url, durability, dataDir, threads, clock, ids, logger } = options;
  const { settle: commit, postgres, chains } = storage;
  const noted =
    dataDir === undefined ? undefined : createNotedHead({ dataDir, chains, clock, logger });
  if (postgres !== undefined) {
    const { createPostgresLedgerStore } = await import('./storage/ledger/postgres-store.ts');
    const store = createPostgresLedgerStore(postgres, ids.uuid(), planBatch);
    return createPostgresLedger({ storage, store, noted, clock, logger });
  }
  if (commit === undefined) throw new AppError('feature_unavailable', { detail: 'ledger' });
  const database = url.slice('sqlite:'.length);
  if (database === ':memory:') return createMemoryLedger({ storage, commit, clock, logger });
  const last = await recoverCharges({
    storage,
    commit,
    charges: readJournal(database),
    clock,
    logger,
  });
  removeJournal(database);
  if (!threads) return createMemoryLedger({ storage, commit, noted, clock, logger });
  const isSynced = durability === 'full';
  const journal = openChargeJournal({ database, isSynced, last });
  if (isSynced) syncFolder(dirname(database)); // the names of its files
  const ledger = createMemoryLedger({
    storage,
    commit,
    journal,
    noted,
    refusal: storage.refusal,
    clock,
    logger,
  });
  storage.waitFor?.(ledger.pending);
  return ledger;
}
