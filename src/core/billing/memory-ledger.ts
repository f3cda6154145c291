/**
 * The ledger of a single process (docs/rules/ledger.md#memory-ledger): balances and holds live in
 * memory, where one thread makes them free of races and a crash releases the holds by itself;
 * settlements go to the writer in groups.
 */
import type { Clock } from '../kernel/clock.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { maxQuota, type Quota, toQuota } from '../kernel/quota.ts';
import type { ChargeJournal } from '../storage/journal/charge-journal.ts';
import {
  type ChargeSettlement,
  type JournaledCharge,
  type Settlement,
  type SettlementResult,
  textOfBatch,
} from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import { type Allowance, admit, type Wallet } from './admission.ts';
import {
  type ChargeRequest,
  type Hold,
  type HoldRequest,
  type Ledger,
  type PostingRequest,
  timeOf,
  windowIds,
} from './ledger.ts';
import type { NotedHead } from './noted-head.ts';
import { isCertain } from './plan/check-item.ts';
import { closeWait, createSettlementQueue, verifyWait } from './settlement-queue.ts';
import { verifyLedger } from './verify.ts';
import { createWindowStates } from './window-states.ts';

export interface MemoryLedgerDeps {
  readonly storage: Pick<
    Storage,
    'statements' | 'users' | 'tokens' | 'ledger' | 'chains' | 'budgets'
  >;
  /**
   * Writes a {@link textOfBatch | batch} in one transaction. Where it rejects, nothing was written;
   * with RefusedItemError, an item is at fault.
   */
  readonly commit: (batch: string) => Promise<readonly SettlementResult[]>;
  /** Commits charges before `commit` does. Absent: `commit` alone does. */
  readonly journal?: ChargeJournal | undefined;
  /** Why nothing is written any more until the process ends; undefined: it is. */
  readonly refusal?: (() => AppError | undefined) | undefined;
  /** Absent: the newest links are not noted. */
  readonly noted?: NotedHead | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A user in memory. `unwritten`: charges that are taken from `quota` but not committed yet. */
interface CachedWallet extends Wallet {
  unwritten: number;
}

/** A token in memory. `unwritten`: charges that are taken from `remain` but not committed yet. */
interface CachedAllowance extends Allowance {
  unwritten: number;
}

export interface MemoryLedger extends Ledger {
  /**
   * Resolves when what is committed by now is in the tables; undefined: it is, or they cannot be
   * written.
   */
  pending(): Promise<void> | undefined;
}

export function createMemoryLedger({
  storage,
  commit,
  journal,
  noted,
  refusal,
  clock,
  logger,
}: MemoryLedgerDeps): MemoryLedger {
  // A charge counts in memory as soon as it is known, so that nobody is admitted on money that is
  // spent. Everything else counts once it is committed. With nothing in flight, memory equals the
  // database.
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

  /**
   * What is committed less what is not written yet: a charge may have been capped
   * (docs/rules/ledger.md#quota-range).
   */
  const onSettled = (
    item: Settlement | JournaledCharge,
    result: SettlementResult | undefined,
  ): void => {
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

  const queue = createSettlementQueue({
    commit: async (batch) => commit(textOfBatch(batch)),
    onSettled,
    refusal,
    clock,
    logger,
  });

  let holds = 0;
  const hold = async (request: HoldRequest): Promise<Hold> => {
    if (queue.isStalled()) throw refusal?.() ?? new AppError('ledger_unavailable');
    const { requestId, userId, tokenId } = request;
    // Awaited only where something must be read: under load most accounts are known.
    const wallet = wallets.peek(userId) ?? (await wallets.load(userId));
    const allowance =
      tokenId === 0 ? null : (allowances.peek(tokenId) ?? (await allowances.load(tokenId)));
    const states =
      request.windows && (windows.peek(request.windows) ?? (await windows.load(request.windows)));
    const { amount, small, windows: held, tightest } = admit(wallet, allowance, request, states);
    holds += 1;
    wallet.held += amount;
    if (allowance !== null) allowance.held += amount;
    if (held === undefined) return { requestId, userId, tokenId, amount: toQuota(amount), small };
    windows.hold(held, 1);
    return { requestId, userId, tokenId, amount: toQuota(amount), small, windows: held, tightest };
  };

  const dropHold = ({ userId, tokenId, amount, windows: held }: Hold): void => {
    holds -= 1;
    if (held !== undefined) windows.hold(held, -1);
    const wallet = wallets.peek(userId);
    const allowance = allowances.peek(tokenId);
    if (wallet !== undefined) wallet.held -= amount;
    if (allowance !== undefined) allowance.held -= amount;
  };

  const settle = async (
    held: Hold,
    { amount, channelId, log, rollup, guard }: ChargeRequest,
  ): Promise<Quota> => {
    dropHold(held);
    const { requestId, userId, tokenId } = held;
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
    const spentIn = windowIds(held);
    windows.spend(spentIn, amount);
    const at = timeOf(log, clock);
    const charge = {
      kind: 'charge' as const,
      requestId,
      userId,
      tokenId,
      channelId,
      amount,
      at,
      log,
      rollup,
      ...(spentIn !== undefined && { windows: spentIn }),
      guard,
    };
    const after = wallet?.quota ?? 0;
    const isForJournal = journal !== undefined && after >= -maxQuota && isCertain(charge);
    if (isForJournal && (await commitByJournal(journal, charge))) return toQuota(after);
    const { done, balance } = await queue.write(charge);
    if (!done) throw new AppError('ledger_conflict');
    return toQuota(balance);
  };

  /** Commits a charge; false where the journal does not have it. */
  const commitByJournal = async (
    journal: ChargeJournal,
    settlement: ChargeSettlement,
  ): Promise<boolean> => {
    let isAppended = false;
    try {
      const { charge, committed } = journal.append(settlement);
      isAppended = true;
      queue.add(charge);
      await committed;
    } catch (error) {
      logger.error(
        { error },
        'the journal of charges could not be written; a charge waits for the tables',
      );
      if (isAppended) await queue.flush();
    }
    return isAppended;
  };

  const post = async (request: PostingRequest): ReturnType<Ledger['post']> => {
    const { kind: posting, userId, amount, reference, log = null, guard = null } = request;
    // Loaded before the posting is written, so that the balance read does not contain it already.
    await wallets.load(userId);
    const at = timeOf(log, clock);
    const { done, balance } = await queue.write({
      kind: 'posting',
      posting,
      userId,
      amount,
      reference,
      at,
      log,
      guard,
    });
    if (!done && (await storage.users.find(userId)) === null) throw new AppError('not_found');
    return { posted: done, balance: toQuota(balance) };
  };

  return {
    hold,
    settle,
    post,
    refund: async (request) => {
      const { userId, charges } = request;
      // Loaded before the refund is written, so that what is read does not contain it already.
      await Promise.all([
        loadKnown(wallets, userId),
        ...charges.map(({ tokenId }) => loadKnown(allowances, tokenId)),
        windows.load(charges.flatMap((charged) => (charged.windows ?? []).map((id) => ({ id })))),
      ]);
      return (await queue.write({ kind: 'refund', at: timeOf(request.log, clock), ...request }))
        .done;
    },
    release: async (held) => dropHold(held),
    setTokenAllowance: async (tokenId, remainQuota, unlimited) => {
      await allowances.load(tokenId);
      const { done } = await queue.write({
        kind: 'allowance',
        tokenId,
        remainQuota,
        unlimited,
        at: nowSeconds(clock),
      });
      if (!done) throw new AppError('token_unknown');
    },
    balance: async (userId) => {
      const wallet = await wallets.load(userId);
      return { quota: toQuota(wallet.quota), held: toQuota(wallet.held) };
    },
    verify: async () => {
      // What is proved of files that are gone is proved of nothing.
      if (refusal?.() !== undefined || !(await queue.drain(verifyWait)))
        throw queue.unavailability();
      return verifyLedger(storage, { noted: noted?.read() });
    },
    noteHead: async () => noted?.note(),
    queue: () => {
      const stalled = queue.isStalled();
      return {
        waiting: queue.waiting(),
        stalled,
        ...(stalled && { failure: queue.unavailability() }),
      };
    },
    holds: () => holds,
    pending: () => (queue.isStalled() ? undefined : queue.flush()),
    hurry: queue.hurry,
    drain: async () => void (await queue.drain(closeWait)),
    close: async () => {
      const isWritten = await queue.drain(closeWait);
      if (!isWritten) await queue.abandon();
      else await noted?.note();
      journal?.close(isWritten);
    },
  };
}

/** Accounts that are gone have nothing to keep in memory. */
async function loadKnown(cache: Cache<unknown>, id: number): Promise<void> {
  if (id === 0) return;
  await cache.load(id).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
}

interface Cache<Value> {
  peek(id: number): Value | undefined;
  /** Reads what is not known yet, once however many ask at the same time. */
  load(id: number): Promise<Value>;
}

function createCache<Value>(read: (id: number) => Promise<Value>): Cache<Value> {
  const known = new Map<number, Value>();
  const loading = new Map<number, Promise<Value>>();
  return {
    peek: (id) => known.get(id),
    load: async (id) => {
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
    },
  };
}
