import type { Pool } from 'pg';
import {
  countStaleHolds,
  type PostgresHoldParts,
  type PostgresHoldRequest,
  placeHolds,
  renewLeases,
  takeOverHolds,
} from './postgres-holds.ts';
import type { PostgresSettlement } from './postgres-plan.ts';
import { CommitUnknownError, isRefusedByData } from './postgres-transaction.ts';
import { commitBatch } from './postgres-write.ts';
import type { SettlementResult } from './settlement.ts';

/** What one node of the ledger does to PostgreSQL. Each call is one transaction. */
export interface PostgresLedgerStore {
  placeHolds<Request extends PostgresHoldRequest, Admission extends { readonly amount: number }>(
    requests: readonly Request[],
    admit: PostgresHoldParts<Request, Admission>['admit'],
  ): ReturnType<typeof placeHolds<Request, Admission>>;
  /** Rejects when nothing of the batch was written, and only then; the same batch again never charges twice. */
  settle(batch: readonly PostgresSettlement[]): Promise<readonly SettlementResult[]>;
  /** Whether an item of the batch can never be written, or not now, while others can. */
  isRefusedByData(error: unknown): boolean;
  renewLeases(requestIds: readonly string[]): Promise<void>;
  takeOverHolds(): Promise<number>;
  countStaleHolds(): Promise<number>;
}

/** `node` names this process among those that share the database; never used again by another. */
export function createPostgresLedgerStore(pool: Pool, node: string): PostgresLedgerStore {
  /** A batch whose commit nobody answered for: until that is known it is not written again. */
  let unknown: {
    readonly batch: readonly PostgresSettlement[];
    readonly error: CommitUnknownError<readonly SettlementResult[]>;
  } | null = null;
  return {
    placeHolds: (requests, admit) => placeHolds({ pool, node, requests, admit }),
    settle: async (batch) => {
      if (unknown?.batch === batch) {
        const outcome = await unknown.error.findOutcome();
        unknown = null;
        if (outcome !== undefined) return outcome.value;
      }
      try {
        return await commitBatch(pool, node, batch);
      } catch (error) {
        if (error instanceof CommitUnknownError) unknown = { batch, error };
        throw error;
      }
    },
    isRefusedByData,
    renewLeases: (requestIds) => renewLeases(pool, node, requestIds),
    takeOverHolds: () => takeOverHolds(pool),
    countStaleHolds: () => countStaleHolds(pool),
  };
}
