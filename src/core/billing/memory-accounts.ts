/** Balances, holds and windows of the ledger of a single process, in memory. */
import { AppError } from '../kernel/errors.ts';
import type { ChargeJournal } from '../storage/journal/charge-journal.ts';
import type {
  JournaledCharge,
  Settlement,
  SettlementResult,
} from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import type { Allowance, Wallet } from './admission.ts';
import type { Hold } from './ledger.ts';
import { createWindowStates, type WindowStates } from './window-states.ts';

/** A user in memory. `unwritten`: charges that are taken from `quota` but not committed yet. */
interface CachedWallet extends Wallet {
  unwritten: number;
}

/** A token in memory. `unwritten`: charges that are taken from `remain` but not committed yet. */
interface CachedAllowance extends Allowance {
  unwritten: number;
}

/**
 * A charge counts in memory as soon as it is known, so that nobody is admitted on money that is
 * spent. Everything else counts once it is committed. With nothing in flight, memory equals the
 * database.
 */
export interface MemoryAccounts {
  /** Throw AppError not_found and token_unknown where there is no such row. */
  readonly wallets: Cache<CachedWallet>;
  readonly allowances: Cache<CachedAllowance>;
  readonly windows: WindowStates;
  /** `sign`: 1 sets the amount aside, -1 lets it go. */
  hold(held: Pick<Hold, 'userId' | 'tokenId' | 'amount' | 'windows'>, sign: 1 | -1): void;
  /** Takes a charge that is not committed yet; returns the balance then, 0 if it is not known. */
  charge(held: Pick<Hold, 'userId' | 'tokenId' | 'windows'>, amount: number): number;
  /**
   * How an item ended: what is committed less what is not written yet, because a charge may have
   * been capped (docs/rules/ledger.md#quota-range).
   */
  settled(item: Settlement | JournaledCharge, result: SettlementResult | undefined): void;
}

export function createMemoryAccounts(
  storage: Pick<Storage, 'users' | 'tokens' | 'budgets'>,
  journal: ChargeJournal | undefined,
): MemoryAccounts {
  const wallets = createCache(async (id: number): Promise<CachedWallet> => {
    const user = await storage.users.find(id);
    if (user === null) throw new AppError('not_found');
    return { quota: user.quota, held: 0, unwritten: 0 };
  });
  const allowances = createCache(async (id: number): Promise<CachedAllowance> => {
    const token = await storage.tokens.find(id);
    if (token === null) throw new AppError('token_unknown');
    return { remain: token.remainQuota, held: 0, unlimited: token.unlimitedQuota, unwritten: 0 };
  });
  const windows = createWindowStates(storage.budgets);

  const settled: MemoryAccounts['settled'] = (item, result) => {
    const done = result?.done === true;
    if (item.kind === 'charge' || item.kind === 'journaled') {
      if (item.kind === 'journaled') journal?.release(item.sequence);
      const wallet = wallets.peek(item.userId);
      const allowance = allowances.peek(item.tokenId);
      if (wallet !== undefined) {
        wallet.unwritten -= item.amount;
        wallet.quota = done ? result.balance - wallet.unwritten : wallet.quota + item.amount;
      }
      if (allowance !== undefined) {
        allowance.unwritten -= item.amount;
        if (!done) allowance.remain += item.amount;
        else if (result.remain !== undefined)
          allowance.remain = result.remain - allowance.unwritten;
      }
      if (!done) windows.spend(item.windows, -item.amount);
      windows.written(item.windows);
    } else if (item.kind === 'posting') {
      const wallet = wallets.peek(item.userId);
      if (done && wallet !== undefined) wallet.quota = result.balance - wallet.unwritten;
    } else if (item.kind === 'refund') {
      if (!done) return;
      const wallet = wallets.peek(item.userId);
      if (wallet !== undefined) wallet.quota = result.balance - wallet.unwritten;
      for (const [id, remain] of Object.entries(result.remains ?? {})) {
        const allowance = allowances.peek(Number(id));
        if (allowance !== undefined) allowance.remain = remain - allowance.unwritten;
      }
      for (const charged of item.charges) windows.spend(charged.windows, -charged.amount);
    } else if (item.kind === 'allowance') {
      const allowance = allowances.peek(item.tokenId);
      if (!done || allowance === undefined) return;
      if (item.remainQuota !== null) allowance.remain = item.remainQuota - allowance.unwritten;
      allowance.unlimited = item.unlimited;
    }
  };

  return {
    wallets,
    allowances,
    windows,
    hold: ({ userId, tokenId, amount, windows: held }, sign) => {
      if (held !== undefined) windows.hold(held, sign);
      const wallet = wallets.peek(userId);
      const allowance = allowances.peek(tokenId);
      if (wallet !== undefined) wallet.held += sign * amount;
      if (allowance !== undefined) allowance.held += sign * amount;
    },
    charge: ({ userId, tokenId, windows: held }, amount) => {
      const wallet = wallets.peek(userId);
      const allowance = allowances.peek(tokenId);
      if (wallet !== undefined) {
        wallet.quota -= amount;
        wallet.unwritten += amount;
      }
      if (allowance !== undefined) {
        allowance.remain -= amount;
        allowance.unwritten += amount;
      }
      if (held !== undefined) windows.charge(held, amount);
      return wallet?.quota ?? 0;
    },
    settled,
  };
}

interface Cache<Value> {
  peek(id: number): Value | undefined;
  /** Reads what is not known yet, once however many ask at the same time. */
  load(id: number): Promise<Value>;
  /** The same for an account that may be gone, which has nothing to keep, or is 0: nobody. */
  loadKnown(id: number): Promise<void>;
}

function createCache<Value>(read: (id: number) => Promise<Value>): Cache<Value> {
  const known = new Map<number, Value>();
  const loading = new Map<number, Promise<Value>>();
  const load = async (id: number): Promise<Value> => {
    const value = known.get(id);
    if (value !== undefined) return value;
    let promise = loading.get(id);
    if (promise === undefined) {
      promise = read(id)
        .then((fresh) => {
          known.set(id, fresh);
          return fresh;
        })
        .finally(() => loading.delete(id));
      loading.set(id, promise);
    }
    return promise;
  };
  return {
    peek: (id) => known.get(id),
    load,
    loadKnown: async (id) => {
      if (id === 0) return;
      await load(id).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
    },
  };
}
