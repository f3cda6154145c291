import type BetterSqlite3 from 'better-sqlite3';
import type { PlanBatch } from '../ledger/plan.ts';
import { batchOfText, type SettlementResult } from '../ledger/settlement.ts';
import { createSqliteCommitter } from '../ledger/sqlite-commit.ts';
import { createExecutor, type SqliteResult } from './sqlite-connection.ts';
import { fromFailure, toFailure } from './sqlite-errors.ts';

/**
 * The connection interface of the dialect, on this thread or on a worker. Calls are executed in
 * order.
 */
export interface SqlitePort {
  execute(sql: string, parameters: readonly unknown[]): Promise<SqliteResult>;
  /** A {@link textOfBatch | batch}. */
  settle(batch: string): Promise<readonly SettlementResult[]>;
  close(): Promise<void>;
}

/** A connection on the calling thread: for commands, tests and `:memory:`. */
export function createLocalPort(
  database: BetterSqlite3.Database,
  planBatch: PlanBatch | undefined,
): SqlitePort {
  const execute = createExecutor(database);
  let commit: ReturnType<typeof createSqliteCommitter> | undefined;
  const translated = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw fromFailure(toFailure(error));
    }
  };
  return {
    execute: async (sql, parameters) => translated(() => execute(sql, parameters)),
    settle: async (batch) => {
      if (planBatch === undefined)
        throw new Error('the database was opened without the rules of money');
      // The committer prepares its statements, so it is created after the migrations.
      commit ??= createSqliteCommitter(database, planBatch);
      const prepared = commit;
      return translated(() => prepared(batchOfText(batch)));
    },
    close: async () => void database.close(),
  };
}
