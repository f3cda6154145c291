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
  type SettlementResult,
  textOfBatch,
} from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import { admit } from './admission.ts';
import {
  type ChargeRequest,
  type Hold,
  type HoldRequest,
  type Ledger,
  type PostingRequest,
  timeOf,
  windowIds,
} from './ledger.ts';
import { createMemoryAccounts } from './memory-accounts.ts';
import type { NotedHead } from './noted-head.ts';
import { isCertain } from './plan/check-item.ts';
import { closeWait, createSettlementQueue, verifyWait } from './settlement-queue.ts';
import { verifyLedger } from './verify.ts';

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
  const accounts = createMemoryAccounts(storage, journal);
  const { wallets, allowances, windows } = accounts;

  const queue = createSettlementQueue({
    commit: async (batch) => commit(textOfBatch(batch)),
    onSettled: accounts.settled,
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
    let within = request.windows;
    let states = within && windows.peek(within);
    // Looked at again once they are read: another request may have been admitted meanwhile.
    while (within !== undefined && states === undefined) {
      within = await windows.load(within);
      states = windows.peek(within);
    }
    const admitted = admit(wallet, allowance, request, states);
    const { small, windows: held, tightest } = admitted;
    const amount = toQuota(admitted.amount);
    const made: Hold =
      held === undefined
        ? { requestId, userId, tokenId, amount, small }
        : { requestId, userId, tokenId, amount, small, windows: held, tightest };
    holds += 1;
    accounts.hold(made, 1);
    return made;
  };

  const dropHold = (held: Hold): void => {
    holds -= 1;
    accounts.hold(held, -1);
  };

  const settle = async (
    held: Hold,
    { amount, channelId, log, rollup, guard }: ChargeRequest,
  ): Promise<Quota> => {
    dropHold(held);
    const { requestId, userId, tokenId } = held;
    const spentIn = windowIds(held);
    const after = accounts.charge(held, amount);
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
      windows: spentIn,
      guard,
    };
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
        wallets.loadKnown(userId),
        ...charges.map(({ tokenId }) => allowances.loadKnown(tokenId)),
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
