import { DatabaseError, type Pool } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import { maxQuota } from '../../kernel/quota.ts';
import { keysOf } from './keys.ts';
import type { PlanBatch } from './plan.ts';
import {
  countStaleHolds,
  type PlacedHold,
  type PostgresHoldDeps,
  type PostgresHoldRequest,
  placeHolds,
  renewLeases,
  takeOverHolds,
} from './postgres-holds.ts';
import { placeQuickHolds } from './postgres-quick-holds.ts';
import { type LockedWindow, lockState } from './postgres-state.ts';
import { CommitUnknownError, inTransaction, mayBeRepeated } from './postgres-transaction.ts';
import { writePlan } from './postgres-write.ts';
import type { Settlement, SettlementResult } from './settlement.ts';
import { RefusedItemError, UnknownOutcomeError } from './write-errors.ts';

/**
 * What one node of the ledger does on PostgreSQL. Each call is one transaction; where it rejects,
 * nothing was written.
 */
export interface PostgresLedgerStore {
  /**
   * Rejects with RefusedItemError where one of the requests is at fault or an account is locked for
   * too long.
   */
  placeHolds<Request extends PostgresHoldRequest, Admission extends PlacedHold>(
    requests: readonly Request[],
    admit: PostgresHoldDeps<Request, Admission>['admit'],
  ): ReturnType<typeof placeHolds<Request, Admission>>;
  /**
   * Rejects with RefusedItemError where an item of the batch is at fault, and with
   * UnknownOutcomeError where the batch may have been written: settling the same one (the same
   * array) again never charges twice.
   */
  settle(batch: readonly Settlement[]): Promise<readonly SettlementResult[]>;
  renewLeases(requestIds: readonly string[]): Promise<void>;
  takeOverHolds(): Promise<number>;
  countStaleHolds(): Promise<number>;
}

/**
 * `node` names this process among those that share the database; no two processes ever have the
 * same name.
 */
export function createPostgresLedgerStore(
  pool: Pool,
  node: string,
  planBatch: PlanBatch,
): PostgresLedgerStore {
  /**
   * A batch of which it is not known whether it was committed: until that is known it is not
   * written again.
   */
  let unknown: {
    readonly batch: readonly Settlement[];
    readonly error: CommitUnknownError<readonly SettlementResult[]>;
  } | null = null;

  const commit = (batch: readonly Settlement[]): Promise<readonly SettlementResult[]> =>
    inTransaction(pool, 'durable', async (client, begun) => {
      const keys = keysOf(batch);
      const state = await lockState(client, keys);
      const { plan, results } = planOrRefuse(planBatch, batch, state);
      await begun;
      return { value: results, ...(await writePlan(client, plan, keys, node)) };
    });

  const holdsOf = createHoldWriter(pool, node);

  return {
    placeHolds: (requests, admit) =>
      holdsOf(requests, admit).catch((error: unknown) => {
        const isLocked = error instanceof DatabaseError && error.code === lockNotAvailable;
        throw isLocked ? new RefusedItemError(error) : translate(error);
      }),
    settle: async (batch) => {
      if (unknown?.batch === batch) {
        const outcome = await unknown.error.findOutcome().catch((cause: unknown) => {
          throw new UnknownOutcomeError(
            'it is still unknown whether a transaction was committed',
            cause,
          );
        });
        unknown = null;
        if (outcome !== undefined) return outcome.value;
      }
      try {
        return await commit(batch);
      } catch (error) {
        if (error instanceof CommitUnknownError) unknown = { batch, error };
        throw translate(error);
      }
    },
    renewLeases: (requestIds) => renewLeases(pool, node, requestIds),
    takeOverHolds: () => takeOverHolds(pool),
    countStaleHolds: () => countStaleHolds(pool),
  };
}

/**
 * Places holds by one statement where all accounts have plenty, else on accounts that are read and
 * locked before. Who had too little is not taken to have plenty before it was seen again.
 */
function createHoldWriter(pool: Pool, node: string): PostgresLedgerStore['placeHolds'] {
  const scarce = new Set<number>();
  return async (requests, admit) => {
    const isPlain = requests.every(
      ({ userId, windows = [] }) => windows.length === 0 && !scarce.has(userId),
    );
    if (isPlain) {
      const admissions = requests.map((request) => admit(plenty, plenty, request, noWindows));
      const holds = requests.map(({ requestId, userId, tokenId }, index) => ({
        requestId,
        userId,
        tokenId,
        amount: admissions[index]?.amount ?? 0,
      }));
      const arePlaced = placeQuickHolds(pool, node, holds).catch((error: unknown) => {
        if (mayBeRepeated(pool, error)) return false;
        throw error;
      });
      if (await arePlaced) return admissions;
    }
    const results = await placeHolds({ pool, node, requests, admit });
    for (const [index, { userId }] of requests.entries()) {
      const result = results[index];
      if (result instanceof AppError || result?.small) scarce.add(userId);
      else scarce.delete(userId);
    }
    return results;
  };
}

/** An account that covers everything: what is held in it does not depend on it. */
const plenty = { quota: maxQuota, remain: maxQuota, held: 0, unlimited: false };
const noWindows: ReadonlyMap<number, LockedWindow> = new Map();

const lockNotAvailable = '55P03';

/** The planner is pure: whatever it throws is the fault of an item. */
function planOrRefuse(
  planBatch: PlanBatch,
  ...[batch, state]: Parameters<PlanBatch>
): ReturnType<PlanBatch> {
  try {
    return planBatch(batch, state);
  } catch (error) {
    throw error instanceof Error ? new RefusedItemError(error) : error;
  }
}

/**
 * Classes of SQLSTATE: 22 data exceptions, 23 broken constraints, 54 values beyond a limit of the
 * server. A RangeError is a stored value beyond the safe integers.
 */
function translate(error: unknown): unknown {
  const isData =
    error instanceof DatabaseError
      ? /^(22|23|54)/.test(error.code ?? '')
      : error instanceof RangeError;
  return isData && error instanceof Error ? new RefusedItemError(error) : error;
}
