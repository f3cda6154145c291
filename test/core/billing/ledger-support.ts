/** What the suites of the ledger's engines share. */
import type { Pool } from 'pg';
import { afterEach } from 'vitest';
import {
  createMemoryLedger,
  createPostgresLedger,
  type HoldRequest,
  type Ledger,
  type NewLog,
  planBatch,
} from '../../../src/core/billing/index.ts';
import { type Clock, systemClock } from '../../../src/core/kernel/clock.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { type Logger, silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import {
  type ChargeJournal,
  openChargeJournal,
} from '../../../src/core/storage/journal/charge-journal.ts';
import type { Guard } from '../../../src/core/storage/ledger/guards.ts';
import {
  createPostgresLedgerStore,
  type PostgresLedgerStore,
} from '../../../src/core/storage/ledger/postgres-store.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { afterEachFile } from '../../support/hooks.ts';
import { sqliteFileOf } from '../../support/storage.ts';

let serial = 0;

export async function addUser(storage: OpenStorage): Promise<number> {
  serial += 1;
  return storage.users.insert({
    username: `user${serial}`,
    passwordHash: new Secret(''),
    role: 1,
    status: 1,
    group: 'default',
    createdAt: 1,
  });
}

export async function addToken(
  storage: OpenStorage,
  userId: number,
  remainQuota: number,
  unlimitedQuota = false,
): Promise<number> {
  serial += 1;
  const key = new Secret(`key${serial}`.padEnd(48, 'x'));
  return storage.tokens.insert({
    userId,
    key,
    name: 't',
    createdTime: 1,
    remainQuota: toQuota(remainQuota),
    unlimitedQuota,
  });
}

export interface LedgerOptions {
  /** Throws where the database is to refuse the settlements. */
  readonly beforeSettle?: () => void;
  readonly clock?: Clock;
  readonly onError?: Logger['error'];
  readonly node?: string;
  /** PostgreSQL: stands in for some methods of the store. */
  readonly store?: Partial<PostgresLedgerStore>;
}

/**
 * The ledger of the storage's engine, ended after the test, before its database: see {@link
 * closeLedgersAfterEach}.
 */
export function openLedger(storage: OpenStorage, options: LedgerOptions = {}): Ledger {
  const { beforeSettle = () => {}, clock = systemClock, onError = () => {} } = options;
  const logger: Logger = { ...silentLogger, error: onError };
  const { settle, postgres } = storage;
  if (settle !== undefined) {
    const commit: typeof settle = async (batch) => {
      beforeSettle();
      return settle(batch);
    };
    const ledger = createMemoryLedger({
      storage,
      commit,
      journal: journalFor(storage, beforeSettle),
      clock,
      logger,
    });
    storage.waitFor?.(ledger.pending);
    opened.push(ledger);
    return ledger;
  }
  if (postgres === undefined) throw new Error('an engine without a ledger');
  serial += 1;
  const store = createPostgresLedgerStore(postgres, options.node ?? `node ${serial}`, planBatch);
  const ledger = createPostgresLedger({
    storage,
    store: {
      ...store,
      settle: async (batch) => {
        beforeSettle();
        return store.settle(batch);
      },
      ...options.store,
    },
    clock,
    logger,
  });
  opened.push(ledger);
  return ledger;
}

/** With threads charges go through a journal, as in the gateway. */
function journalFor(storage: OpenStorage, beforeAppend: () => void): ChargeJournal | undefined {
  const database = sqliteFileOf(storage);
  if (database === undefined) return undefined;
  const journal = openChargeJournal({ database, isSynced: false, last: 0 });
  return {
    ...journal,
    append: (settlement) => {
      const { charge, committed } = journal.append(settlement);
      return { charge, committed: committed.then(beforeAppend) };
    },
  };
}

const opened: Ledger[] = [];
// Those of a file that closes its ledgers itself.
afterEachFile(() => {
  opened.length = 0;
});

/** Call it at the top of a suite that opens ledgers. */
export function closeLedgersAfterEach(): void {
  afterEach(async () => {
    for (const ledger of opened.splice(0)) await ledger.close();
  });
}

export async function grant(ledger: Ledger, userId: number, amount: number): Promise<void> {
  await ledger.post({ userId, kind: 'grant', amount: toQuota(amount), reference: null });
}

export function holdFor(
  userId: number,
  tokenId: number,
  amount: number,
  smallAmount?: number,
): HoldRequest {
  serial += 1;
  return {
    requestId: `req${serial}`,
    userId,
    tokenId,
    amount: toQuota(amount),
    ...(smallAmount === undefined ? {} : { smallAmount: toQuota(smallAmount) }),
  };
}

export const charge = (amount: number, channelId = 0) => ({
  amount: toQuota(amount),
  channelId,
  log: null,
  rollup: null,
});

export function logFor(userId: number, requestId: string, quota: number): NewLog {
  return {
    userId,
    username: 'u',
    createdAt: 5,
    type: 2,
    content: '',
    tokenName: 't',
    tokenId: 0,
    modelName: 'm',
    quota,
    promptTokens: 1,
    completionTokens: 1,
    useTime: 1,
    isStream: false,
    channelId: 0,
    group: 'default',
    requestId,
    other: '{"a":1}',
    tags: '',
  };
}

/** Redeems an unused code at the time 9. */
export const redeemGuard = (id: number, userId: number): Guard => ({
  table: 'redemptions',
  id,
  from: 1,
  to: 3,
  set: { used_user_id: userId, redeemed_time: 9 },
});

/** The code of the AppError that a promise fails with; `ok` when it does not fail. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

/** Those that got in. */
export async function admitted<T>(attempts: readonly Promise<T>[]): Promise<T[]> {
  return (await Promise.allSettled(attempts)).flatMap((result) =>
    result.status === 'fulfilled' ? [result.value] : [],
  );
}

export function poolOf(storage: OpenStorage): Pool {
  if (storage.postgres === undefined) throw new Error('not PostgreSQL');
  return storage.postgres;
}

/** A process that died: it renews nothing any more. */
export const dead: LedgerOptions = {
  store: { renewLeases: async () => {}, takeOverHolds: async () => 0 },
};

/** As if a minute went by. */
export async function expireAll(storage: OpenStorage): Promise<void> {
  await poolOf(storage).query('UPDATE holds SET expires_at = 0');
}
