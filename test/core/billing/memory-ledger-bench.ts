/** The ledger of one process, over tables and a journal that refuse on demand. */
import {
  createMemoryLedger,
  type MemoryLedgerDeps,
} from '../../../src/core/billing/memory-ledger.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { ChargeJournal } from '../../../src/core/storage/journal/charge-journal.ts';
import {
  batchOfText,
  type ChargeSettlement,
  type Settlement,
  type SettlementResult,
} from '../../../src/core/storage/ledger/settlement.ts';

/** User 1 has 1000, and token 5 of it 400; nobody else is there. */
export function open(more: Partial<MemoryLedgerDeps> = {}) {
  const written: Settlement[] = [];
  const logged: string[] = [];
  const errors: unknown[] = [];
  /** What the tables make of the next items. */
  const results: SettlementResult[] = [];
  const state: { failure: Error | undefined; now: number } = { failure: undefined, now: 0 };
  const found = (own: number, row: object) => async (id: number) => (id === own ? row : null);
  const ledger = createMemoryLedger({
    storage: {
      users: { find: found(1, { quota: toQuota(1000) }) },
      tokens: { find: found(5, { remainQuota: toQuota(400), unlimitedQuota: false }) },
      budgets: {},
    } as unknown as MemoryLedgerDeps['storage'],
    commit: async (text) => {
      if (state.failure !== undefined) throw state.failure;
      const batch = batchOfText(text);
      written.push(...batch);
      return batch.map(() => results.shift() ?? { done: true, balance: 7 });
    },
    clock: {
      now: () => state.now,
      sleep: async (ms) => {
        state.now += ms;
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
    logger: {
      ...silentLogger,
      error: (fields, message) => {
        logged.push(message);
        errors.push((fields as { error?: unknown }).error);
      },
    },
    ...more,
  });
  return { ledger, written, logged, errors, results, state };
}

/** Keeps charges, unless `fails` says where not. */
export function journalOf(fails: () => 'append' | 'commit' | undefined = () => undefined) {
  const kept: ChargeSettlement[] = [];
  const closed: boolean[] = [];
  const journal: ChargeJournal = {
    append: (settlement) => {
      if (fails() === 'append') throw new Error('no file');
      kept.push(settlement);
      const { userId, tokenId, amount } = settlement;
      const json = JSON.stringify(settlement);
      const row = { kind: 'journaled', sequence: kept.length, userId, tokenId, amount, json };
      const committed = fails() === 'commit' ? Promise.reject(new Error('disk')) : undefined;
      return { charge: row as never, committed: committed ?? Promise.resolve() };
    },
    release: () => {},
    close: (isApplied) => void closed.push(isApplied),
  };
  return { journal, kept, closed };
}

export const full = new Error('full');
export const refused = new AppError('database_replaced');
