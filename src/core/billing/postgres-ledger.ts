/**
 * The ledger of processes that share PostgreSQL (docs/rules/ledger.md#postgres-holds). The database
 * has every balance and every hold. A hold is leased to the node that serves its request; when a
 * lease runs out, any node gives the hold back: that reply was never finished, so it costs nothing.
 * Holds and settlements are written in separate groups, because a settlement waits for the disk and
 * a hold does not.
 */

import { endsWithin } from '../kernel/at-most.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Quota, toQuota } from '../kernel/quota.ts';
import type { LockedWindow } from '../storage/ledger/postgres-state.ts';
import type { PostgresLedgerStore } from '../storage/ledger/postgres-store.ts';
import { RefusedItemError } from '../storage/ledger/write-errors.ts';
import type { Storage } from '../storage/storage.ts';
import { type Admission, admit } from './admission.ts';
import { createGroupWriter } from './group-writer.ts';
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
import { closeWait, createSettlementQueue, longestWait, verifyWait } from './settlement-queue.ts';
import { verifyLedger } from './verify.ts';

export interface PostgresLedgerDeps {
  readonly storage: Pick<Storage, 'statements' | 'users' | 'ledger' | 'chains' | 'budgets'>;
  readonly store: PostgresLedgerStore;
  /** Absent: the newest links are not noted. */
  readonly noted?: NotedHead | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How often a node renews its leases and takes over those that ran out, in ms. */
const leaseInterval = 10_000;

export function createPostgresLedger({
  storage,
  store,
  noted,
  clock,
  logger,
}: PostgresLedgerDeps): Ledger {
  /** Request ids of this node's holds. */
  const open = new Set<string>();

  const queue = createSettlementQueue({ commit: store.settle, clock, logger });

  const holds = createGroupWriter<HoldRequest, Admission | AppError>({
    commit: (requests) => store.placeHolds(requests, admitKnown),
    onFailure: async (error) => {
      if (error instanceof RefusedItemError) return 'divide';
      logger.error({ error }, 'holds could not be written');
      return 'reject';
    },
    // One that is placed later all the same ends with its lease, which nobody renews.
    patience: {
      clock,
      limit: longestWait,
      grace: 0,
      onLate: () => new Error('no reply from the database'),
    },
  });

  const hold = async (request: HoldRequest): Promise<Hold> => {
    if (queue.isStalled()) throw new AppError('ledger_unavailable');
    const admission = await holds.write(request).catch((cause: unknown) => {
      throw new AppError('ledger_unavailable', {}, { cause });
    });
    if (admission instanceof AppError) throw admission;
    const { requestId, userId, tokenId } = request;
    const { windows, tightest } = admission;
    open.add(requestId);
    return {
      requestId,
      userId,
      tokenId,
      amount: toQuota(admission.amount),
      small: admission.small,
      ...(windows !== undefined && { windows, tightest }),
    };
  };

  const release = async (held: Hold): Promise<void> => {
    const { requestId, userId, tokenId } = held;
    try {
      await queue.write({ kind: 'release', requestId, userId, tokenId, windows: windowIds(held) });
    } finally {
      open.delete(requestId);
    }
  };

  const settle = async (
    held: Hold,
    { channelId, amount, log, rollup, guard }: ChargeRequest,
  ): Promise<Quota> => {
    const at = timeOf(log, clock);
    const { requestId, userId, tokenId } = held;
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
      windows: windowIds(held),
      guard,
    };
    const { done, balance } = await queue.write(charge).catch(async (error: unknown) => {
      // Nothing of a refused charge was written, so the hold is still there. Where nothing can be
      // written, its lease runs out.
      if (queue.isStalled()) open.delete(requestId);
      else await release(held);
      throw error;
    });
    // This node renews the lease until the end of the hold is committed.
    open.delete(requestId);
    if (!done) throw new AppError('ledger_conflict');
    return toQuota(balance);
  };

  const post = async (request: PostingRequest): ReturnType<Ledger['post']> => {
    const { kind: posting, userId, amount, reference, log = null, guard = null } = request;
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

  const stopping = new AbortController();
  const keepLeases = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await store.renewLeases([...open]);
        const count = await store.takeOverHolds();
        if (count > 0) logger.warn({ count }, 'holds of a process that is gone were given back');
      } catch (error) {
        logger.error({ error }, 'the leases of holds could not be renewed');
      }
      // the only rejection is the stop
      await clock.sleep(leaseInterval, stopping.signal).catch(() => {});
    }
  };
  const leases = keepLeases();

  return {
    hold,
    settle,
    release,
    post,
    refund: async (request) =>
      (await queue.write({ kind: 'refund', at: timeOf(request.log, clock), ...request })).done,
    setTokenAllowance: async (tokenId, remainQuota, unlimited) => {
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
      const user = await storage.users.find(userId);
      if (user === null) throw new AppError('not_found');
      return { quota: user.quota, held: user.held };
    },
    verify: async () => {
      if (!(await queue.drain(verifyWait))) throw queue.unavailability();
      return verifyLedger(storage, {
        staleHolds: await store.countStaleHolds(),
        noted: noted?.read(),
      });
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
    holds: () => open.size,
    hurry: queue.hurry,
    drain: async () => void (await queue.drain(closeWait)),
    close: async () => {
      stopping.abort(new Error('stopping'));
      await endsWithin(closeWait, Promise.all([leases, holds.drain()]));
      if (!(await queue.drain(closeWait))) await queue.abandon();
      else await noted?.note();
    },
  };
}

/** Throws AppError not_found, token_unknown and what {@link admit} throws. */
function admitKnown(
  wallet: Parameters<typeof admit>[0] | undefined,
  allowance: NonNullable<Parameters<typeof admit>[1]> | undefined,
  request: HoldRequest,
  states: ReadonlyMap<number, LockedWindow>,
): Admission {
  if (wallet === undefined) throw new AppError('not_found');
  if (request.tokenId !== 0 && allowance === undefined) throw new AppError('token_unknown');
  // A window that is gone was that of a budget that was deleted.
  const windows = request.windows?.flatMap((window) => {
    const state = states.get(window.id);
    return state === undefined ? [] : [{ window, ...state }];
  });
  return admit(wallet, allowance ?? null, request, windows);
}
