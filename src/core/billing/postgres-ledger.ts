/**
 * The ledger of processes that share PostgreSQL (design, product 3; spec, billing 4). The database knows every balance
 * and every hold; a hold is leased to the node that serves its request, and whoever finds a lease that ran out gives the
 * hold back: that answer never ended, so it costs nothing. Holds and settlements are written in groups, each by itself:
 * a settlement waits for the disk, a hold does not.
 */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { toQuota } from '../kernel/quota.ts';
import type { PostgresSettlement } from '../storage/ledger/postgres-plan.ts';
import type { PostgresLedgerStore } from '../storage/ledger/postgres-store.ts';
import type { SettlementResult } from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import { type Admission, admit } from './admission.ts';
import { type AfterFailure, createGroupWriter } from './group-writer.ts';
import type { HoldRequest, Ledger, PostingRequest } from './ledger.ts';
import { verifyLedger } from './verify.ts';

export interface PostgresLedgerParts {
  readonly storage: Pick<Storage, 'users' | 'ledger'>;
  readonly store: PostgresLedgerStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long a failed batch waits before the next try, in ms. */
const retryDelay = 1000;
/** How often a node renews its leases and takes over those that ran out, in ms (spec, accounts-and-payments 15.3). */
const leaseRhythm = 10_000;

export function createPostgresLedger({ storage, store, clock, logger }: PostgresLedgerParts): Ledger {
  /** Request ids of this node's holds. */
  const open = new Set<string>();
  /** The database refuses: nothing new is admitted, what was answered waits. */
  let stalled = false;

  const settlements = createGroupWriter<PostgresSettlement, SettlementResult>({
    commit: async (batch) => {
      const results = await store.settle(batch);
      stalled = false;
      return results;
    },
    onFailure: async (error, batch): Promise<AfterFailure> => {
      if (store.isRefusedByData(error)) {
        logger.error({ error, settlements: batch.length }, 'the database refused a settlement');
        return 'apart';
      }
      stalled = true;
      logger.error({ error, waiting: batch.length + settlements.waiting() }, 'the ledger could not be written; trying again');
      await clock.sleep(retryDelay);
      return 'again';
    },
  });

  const holds = createGroupWriter<HoldRequest, Admission | AppError>({
    commit: (requests) => store.placeHolds(requests, admitKnown),
    onFailure: async (error): Promise<AfterFailure> => {
      if (store.isRefusedByData(error)) return 'apart';
      logger.error({ error }, 'holds could not be written');
      return 'refuse';
    },
  });

  /** The hold is this node's until its end is committed. */
  const end = async (settlement: PostgresSettlement & { readonly requestId: string }): Promise<void> => {
    try {
      await settlements.write(settlement);
    } finally {
      open.delete(settlement.requestId);
    }
  };

  const post = async (posting: PostingRequest): ReturnType<Ledger['post']> => {
    const { userId, amount, reference, guard, log } = posting;
    const { done, balance } = await settlements.write({
      kind: 'posting',
      posting: posting.kind,
      userId,
      amount,
      reference,
      at: guard?.at ?? nowSeconds(clock),
      log: log ?? null,
      redeem: guard === undefined ? null : { redemptionId: guard.redemptionId },
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
      await clock.sleep(leaseRhythm, stopping.signal).catch(() => {}); // the only rejection is the stop
    }
  };
  const leases = keepLeases();

  const drain = async (): Promise<void> => {
    await holds.drain();
    await settlements.drain();
  };

  return {
    hold: async (request) => {
      if (stalled) throw new AppError('ledger_unavailable');
      const answer = await holds.write(request).catch((cause: unknown) => {
        throw new AppError('ledger_unavailable', {}, { cause });
      });
      if (answer instanceof AppError) throw answer;
      const { requestId, userId, tokenId } = request;
      open.add(requestId);
      return { requestId, userId, tokenId, amount: toQuota(answer.amount), small: answer.small };
    },
    settle: ({ requestId, userId, tokenId }, { channelId, amount, log, rollup }) =>
      end({ kind: 'charge', requestId, userId, tokenId, channelId, amount, at: nowSeconds(clock), log, rollup }),
    release: ({ requestId, userId, tokenId }) => end({ kind: 'release', requestId, userId, tokenId }),
    post,
    setTokenAllowance: async (tokenId, remainQuota, unlimited) => {
      const { done } = await settlements.write({ kind: 'allowance', tokenId, remainQuota, unlimited });
      if (!done) throw new AppError('token_unknown');
    },
    balance: async (userId) => {
      const user = await storage.users.find(userId);
      if (user === null) throw new AppError('not_found');
      return { quota: user.quota, held: user.held };
    },
    verify: async () => {
      await drain();
      return verifyLedger(storage, await store.countStaleHolds());
    },
    drain,
    close: async () => {
      stopping.abort(new Error('stopping'));
      await leases;
      await drain();
    },
  };
}

/** Throws AppError not_found, token_unknown and what {@link admit} throws. */
function admitKnown(
  wallet: Parameters<typeof admit>[0] | undefined,
  allowance: NonNullable<Parameters<typeof admit>[1]> | undefined,
  request: HoldRequest,
): Admission {
  if (wallet === undefined) throw new AppError('not_found');
  if (request.tokenId !== 0 && allowance === undefined) throw new AppError('token_unknown');
  return admit(wallet, allowance ?? null, request);
}
