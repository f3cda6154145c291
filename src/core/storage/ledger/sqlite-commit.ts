/** Commits settlements on SQLite, on the connection that owns the write lock. */
import BetterSqlite3 from 'better-sqlite3';
import { keysOf } from './keys.ts';
import type { PlanBatch } from './plan.ts';
import type { Settlement, SettlementResult } from './settlement.ts';
import { prepareSqliteReader } from './sqlite-state.ts';
import { prepareSqliteWriter } from './sqlite-write.ts';
import { RefusedItemError } from './write-errors.ts';

/**
 * Prepares the statements once. The returned function is one transaction: all of the batch or
 * nothing. It throws RefusedItemError where an item is at fault, else what SQLite throws (disk
 * full, busy).
 */
export function createSqliteCommitter(
  db: BetterSqlite3.Database,
  planBatch: PlanBatch,
): (batch: readonly Settlement[]) => readonly SettlementResult[] {
  const readState = prepareSqliteReader(db);
  const writePlan = prepareSqliteWriter(db);
  const noteCharge = db.prepare<[number]>('UPDATE charge_journal SET applied = ?');
  const commit = db.transaction((batch: readonly Settlement[]): readonly SettlementResult[] => {
    const { plan, results } = planBatch(batch, readState(keysOf(batch)));
    writePlan(plan);
    const last = batch.findLast((item) => item.kind === 'charge' && item.sequence !== undefined);
    if (last?.kind === 'charge' && last.sequence !== undefined) noteCharge.run(last.sequence);
    return results;
  });
  return (batch) => {
    try {
      return commit.immediate(batch);
    } catch (error) {
      throw isRefusedByData(error) ? new RefusedItemError(error) : error;
    }
  };
}

/** TypeError and RangeError: a value that cannot be planned or bound. */
function isRefusedByData(error: unknown): error is Error {
  if (error instanceof BetterSqlite3.SqliteError)
    return /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(error.code);
  return error instanceof TypeError || error instanceof RangeError;
}
