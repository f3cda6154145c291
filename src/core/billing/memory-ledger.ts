/**
 * The ledger of one process (design, product 3): balances and holds live in memory, where one thread makes them
 * race-free and a crash releases the holds by itself; settlements go to the writer in groups.
 */
import type { Clock } from '../kernel/clock.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Quota, toQuota } from '../kernel/quota.ts';
import { type Settlement, type SettlementResult, tellDebt } from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import { type Allowance, admit, type Wallet } from './admission.ts';
import { createGroupWriter } from './group-writer.ts';
import type { ChargeRequest, Hold, HoldRequest, Ledger, PostingRequest } from './ledger.ts';
import { verifyLedger } from './verify.ts';

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
  /** The database refuses: nothing new is admitted, what was answered waits. */
  let stalled = false;

  /** Requests under way: each will settle or release. */
  let open = 0;

  const writer = createGroupWriter<Settlement, SettlementResult>({
    expected: () => open,
    commit: async (batch) => {
      const results = await commit(batch);
      stalled = false;
      return results;
    },
    onFailure: async (error, batch) => {
      // The answers of this batch are owed to the ledger: they wait, and nobody new is let in meanwhile.
      stalled = true;
      logger.error({ error, waiting: batch.length + writer.waiting() }, 'the ledger could not be written; trying again');
      await clock.sleep(retryDelay);
      return 'again';
    },
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

  const dropHold = (hold: Hold): { wallet: Wallet | undefined; allowance: Allowance | undefined } => {
    open -= 1;
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
    const { amount, small } = admit(wallet, allowance, request);
    open += 1;
    wallet.held += amount;
    if (allowance !== null) allowance.held += amount;
    return { requestId: request.requestId, userId: request.userId, tokenId: request.tokenId, amount: toQuota(amount), small };
  };

  const settle = async (held: Hold, charge: ChargeRequest): Promise<void> => {
    const { wallet, allowance } = dropHold(held);
    const before = wallet?.quota ?? 0;
    if (wallet !== undefined) wallet.quota = toQuota(wallet.quota - charge.amount);
    if (allowance !== undefined) allowance.remain -= charge.amount;
    await writer.write({
      kind: 'charge',
      requestId: held.requestId,
      userId: held.userId,
      tokenId: held.tokenId,
      channelId: charge.channelId,
      amount: charge.amount,
      at: nowSeconds(clock),
      log: charge.log === null ? null : tellDebt(charge.log, before, charge.amount),
      rollup: charge.rollup,
    });
  };

  const post = async (posting: PostingRequest): Promise<{ posted: boolean; balance: Quota }> => {
    const { userId, amount, reference } = posting;
    // Read before it is written, so that the row's new balance is never added twice.
    const known = walletOf(userId);
    const wallet = known instanceof Promise ? await known : known;
    const result = await writer.write({
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
      await writer.write({ kind: 'allowance', tokenId, remainQuota, unlimited });
    },
    balance: async (userId) => {
      const wallet = await walletOf(userId);
      return { quota: toQuota(wallet.quota), held: toQuota(wallet.held) };
    },
    verify: async () => {
      await writer.drain();
      return verifyLedger(storage);
    },
    drain: writer.drain,
  };
}
