import type BetterSqlite3 from 'better-sqlite3';
import { clampQuota } from '../../kernel/quota.ts';
import { type GuardedRow, type GuardedTable, guardedTableNames, guardSelect } from './guards.ts';
import type { LedgerKeys } from './keys.ts';
import {
  guardKey,
  type LedgerState,
  referenceKey,
  type StoredAllowance,
  type StoredWallet,
} from './plan.ts';
import {
  exactAllowance,
  exactBalance,
  exactUsed,
  readAllowance as toAllowance,
  readWallet as toWallet,
} from './stored-accounts.ts';

/**
 * Prepares the statements that read the state of a batch; call the result inside its transaction.
 */
export function prepareSqliteReader(db: BetterSqlite3.Database): (keys: LedgerKeys) => LedgerState {
  const readWallet = db.prepare<[number], { quota: number; used: number; exact: string | null }>(
    `SELECT quota, used_quota AS used, ${exactBalance} AS exact FROM users WHERE id = ?`,
  );
  const readLastBalance = db.prepare<[number], { quota: number }>(
    'SELECT balance_after AS quota FROM ledger WHERE user_id = ? ORDER BY id DESC LIMIT 1',
  );
  const readAllowance = db.prepare<[number], Parameters<typeof toAllowance>[0]>(
    `SELECT remain_quota AS remain, unlimited_quota AS unlimited, used_quota AS used, ${exactAllowance} AS exact, ${exactUsed} AS exact_used
     FROM tokens WHERE id = ?`,
  );
  // `kind != 'charge'` is spelt out so that SQLite sees that the partial index applies.
  const findReference = db.prepare<[string, string]>(
    "SELECT 1 FROM ledger WHERE kind = ? AND kind != 'charge' AND reference = ?",
  );
  const readGuard = new Map(
    guardedTableNames.map(
      (table): [GuardedTable, BetterSqlite3.Statement<[number], GuardedRow>] => [
        table,
        db.prepare(guardSelect(table, 'id = ?')),
      ],
    ),
  );

  return (keys) => {
    const wallets = new Map<number, StoredWallet>();
    const closed = new Map<number, number>();
    for (const id of keys.users) {
      const row = readWallet.get(id);
      if (row !== undefined) wallets.set(id, toWallet(row));
      else if (keys.charged.has(id))
        closed.set(id, clampQuota(readLastBalance.get(id)?.quota ?? 0));
    }
    const allowances = new Map<number, StoredAllowance>();
    for (const id of keys.tokens) {
      const row = readAllowance.get(id);
      if (row !== undefined) allowances.set(id, toAllowance(row));
    }
    const references = new Set<string>();
    for (const { kind, reference } of keys.references) {
      if (findReference.get(kind, reference) !== undefined)
        references.add(referenceKey(kind, reference));
    }
    const guards = new Map<string, GuardedRow>();
    for (const guard of keys.guards) {
      const row = readGuard.get(guard.table)?.get(guard.id);
      if (row !== undefined) guards.set(guardKey(guard), row);
    }
    return { wallets, closed, allowances, references, guards };
  };
}
