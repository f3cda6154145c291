/**
 * The ledger of one process (design, product 3): balances and holds live in memory, where one thread makes them
 * race-free and a crash releases the holds by itself; settlements go to the writer in groups. Group commit without a
 * timer: the next transaction is whatever arrived while the last one was being written.
 */
import type { Clock } from '../kernel/clock.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Quota, toQuota } from '../kernel/quota.ts';
import type { Settlement, SettlementResult } from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import type { ChargeRequest, Hold, HoldRequest, Ledger, PostingRequest } from './ledger.ts';
import { verifyLedger } from './verify.ts';

interface Wallet {
  quota: number;
  held: number;
}
interface Allowance {
  remain: number;
  held: number;
  unlimited: boolean;
}
interface Waiting {
  readonly settlement: Settlement;
  readonly resolve: (result: SettlementResult) => void;
}

export interface MemoryLedgerParts {
  readonly storage: Pick<Storage, 'users' | 'tokens' | 'ledger'>;
  /** Writes a batch in one transaction; rejects when nothing of it was written. */
  readonly commit: (batch: readonly Settlement[]) => Promise<readonly SettlementResult[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long a failed batch waits before the next try, in ms. */
const retryDelay = 1000;

export function createMemoryLedger({ storage, commit, clock, logger }: MemoryLedgerParts): Ledger {
  const wallets = new Map<number, Wallet>();
  const allowances = new Map<number, Allowance>();
  const loadingWallets = new Map<number, Promise<Wallet>>();
  const loadingAllowances = new Map<number, Promise<Allowance>>();
  let queue: Waiting[] = [];
  let writing: Promise<void> | null = null;
  /** The database refuses: nothing new is admitted, what was answered waits. */
  let stalled = false;

  const write = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue;
      queue = [];
      const settlements = batch.map((waiting) => waiting.settlement);
      for (;;) {
        try {
          const results = await commit(settlements);
          stalled = false;
          for (const [index, waiting] of batch.entries()) waiting.resolve(results[index] as SettlementResult);
          break;
        } catch (error) {
          // The answers of this batch are owed to the ledger: they wait, and nobody new is let in meanwhile.
          stalled = true;
          logger.error({ error, waiting: batch.length + queue.length }, 'the ledger could not be written; trying again');
          await clock.sleep(retryDelay);
        }
      }
    }
    writing = null;
  };

  const enqueue = (settlement: Settlement): Promise<SettlementResult> =>
    new Promise((resolve) => {
      queue.push({ settlement, resolve });
      writing ??= Promise.resolve().then(write);
    });

  const loadOnce = <T>(
    id: number,
    known: Map<number, T>,
    loading: Map<number, Promise<T>>,
    load: () => Promise<T>,
  ): Promise<T> => {
    let promise = loading.get(id);
    if (promise === undefined) {
      promise = load()
        .then((value) => {
          known.set(id, value);
          return value;
        })
        .finally(() => loading.delete(id));
      loading.set(id, promise);
    }
    return promise;
  };

  const walletOf = (id: number): Wallet | Promise<Wallet> =>
    wallets.get(id) ??
    loadOnce(id, wallets, loadingWallets, async () => {
      const user = await storage.users.find(id);
      if (user === null) throw new AppError('not_found');
      return { quota: user.quota, held: 0 };
    });

  const allowanceOf = (id: number): Allowance | Promise<Allowance> =>
    allowances.get(id) ??
    loadOnce(id, allowances, loadingAllowances, async () => {
      const token = await storage.tokens.find(id);
      if (token === null) throw new AppError('token_unknown');
      return { remain: token.remainQuota, held: 0, unlimited: token.unlimitedQuota };
    });

  const covers = (allowance: Allowance | null, amount: number): boolean =>
    allowance === null || allowance.unlimited || allowance.remain - allowance.held >= amount;

  const chooseAmount = (
    wallet: Wallet,
    allowance: Allowance | null,
    request: HoldRequest,
  ): { amount: number; small: boolean } => {
    if (allowance !== null && !allowance.unlimited && allowance.remain <= 0) throw new AppError('token_exhausted');
    const free = wallet.quota - wallet.held;
    if (free >= request.amount && covers(allowance, request.amount)) return { amount: request.amount, small: false };
    const small = request.smallAmount;
    if (small !== undefined && small < request.amount && wallet.quota >= small && covers(allowance, small)) {
      if (wallet.held === 0) return { amount: small, small: true };
      // What others hold may come back: the caller is told to wait a moment, not to top up.
      throw new AppError('small_hold_busy');
    }
    if (free < (small ?? request.amount)) {
      throw new AppError('insufficient_user_quota', { quota: Math.max(free, 0), need: request.amount });
    }
    const remain = allowance === null ? 0 : allowance.remain - allowance.held;
    throw new AppError('pre_consume_token_quota_failed', { quota: Math.max(remain, 0), need: request.amount });
  };

  const dropHold = (hold: Hold): { wallet: Wallet | undefined; allowance: Allowance | undefined } => {
    const wallet = wallets.get(hold.userId);
    if (wallet !== undefined) wallet.held -= hold.amount;
    const allowance = hold.tokenId === 0 ? undefined : allowances.get(hold.tokenId);
    if (allowance !== undefined) allowance.held -= hold.amount;
    return { wallet, allowance };
  };

  const hold = async (request: HoldRequest): Promise<Hold> => {
    if (stalled) throw new AppError('ledger_unavailable');
    const knownWallet = walletOf(request.userId);
    const knownAllowance = request.tokenId === 0 ? null : allowanceOf(request.tokenId);
    const wallet = knownWallet instanceof Promise ? await knownWallet : knownWallet;
    const allowance = knownAllowance instanceof Promise ? await knownAllowance : knownAllowance;
    const { amount, small } = chooseAmount(wallet, allowance, request);
    wallet.held += amount;
    if (allowance !== null) allowance.held += amount;
    return { requestId: request.requestId, userId: request.userId, tokenId: request.tokenId, amount: toQuota(amount), small };
  };

  const settle = async (held: Hold, charge: ChargeRequest): Promise<void> => {
    const { wallet, allowance } = dropHold(held);
    const before = wallet?.quota ?? 0;
    if (wallet !== undefined) wallet.quota = toQuota(wallet.quota - charge.amount);
    if (allowance !== undefined) allowance.remain -= charge.amount;
    const debt = Math.max(0, -(before - charge.amount)) - Math.max(0, -before);
    await enqueue({
      kind: 'charge',
      requestId: held.requestId,
      userId: held.userId,
      tokenId: held.tokenId,
      channelId: charge.channelId,
      amount: charge.amount,
      at: nowSeconds(clock),
      log: charge.log !== null && debt > 0 ? { ...charge.log, other: withDebt(charge.log.other, debt) } : charge.log,
      rollup: charge.rollup,
    });
  };

  const post = async (posting: PostingRequest): Promise<{ posted: boolean; balance: Quota }> => {
    const { userId, amount, reference } = posting;
    // Read before it is written, so that the row's new balance is never added twice.
    const known = walletOf(userId);
    const wallet = known instanceof Promise ? await known : known;
    const result = await enqueue({
      kind: 'posting',
      posting: posting.kind,
      userId,
      amount,
      reference,
      at: posting.guard?.at ?? nowSeconds(clock),
      log: posting.log ?? null,
      redeem: posting.guard === undefined ? null : { redemptionId: posting.guard.redemptionId },
    });
    // Money that comes in counts once it is written.
    if (result.done) wallet.quota = toQuota(wallet.quota + amount);
    return { posted: result.done, balance: toQuota(wallet.quota) };
  };

  return {
    hold,
    settle,
    post,
    release: async (held) => {
      dropHold(held);
    },
    setTokenAllowance: async (tokenId, remainQuota, unlimited) => {
      const allowance = await allowanceOf(tokenId);
      allowance.remain = remainQuota;
      allowance.unlimited = unlimited;
      await enqueue({ kind: 'allowance', tokenId, remainQuota, unlimited });
    },
    balance: async (userId) => {
      const wallet = await walletOf(userId);
      return { quota: toQuota(wallet.quota), held: toQuota(wallet.held) };
    },
    verify: async () => {
      while (writing !== null) await writing;
      return verifyLedger(storage);
    },
    drain: async () => {
      while (writing !== null) await writing;
    },
  };
}

/** `other` with `debt` added (spec, billing 8): the part of the charge that went below zero. */
function withDebt(other: string, debt: number): string {
  return other === '' || other === '{}' ? `{"debt":${debt}}` : `${other.slice(0, -1)},"debt":${debt}}`;
}
