import type BetterSqlite3 from 'better-sqlite3';
import { type GuardedTable, guardedTableNames, guardSelect } from './guards.ts';
import type { LedgerKeys } from './keys.ts';
import { guardKey, type LedgerState, referenceKey } from './plan.ts';

/** Prepares the statements that read the state of a batch; call the result inside its transaction. */
export function prepareSqliteReader(db: BetterSqlite3.Database): (keys: LedgerKeys) => LedgerState {
  const readWallet = db.prepare<[number], { quota: number; used: number }>(
    'SELECT quota, used_quota AS used FROM users WHERE id = ?',
  );
  const readAllowance = db.prepare<[number], { remain: number; unlimited: number; used: number }>(
    'SELECT remain_quota AS remain, unlimited_quota AS unlimited, used_quota AS used FROM tokens WHERE id = ?',
  );
  // `kind != 'charge'` is spelt out so that SQLite sees that the partial index applies.
  const findReference = db.prepare<[string, string]>(
    "SELECT 1 FROM ledger WHERE kind = ? AND kind != 'charge' AND reference = ?",
  );
  const readGuard = new Map(
    guardedTableNames.map((table): [GuardedTable, BetterSqlite3.Statement<[number], { state: number | string }>] => [
      table,
      db.prepare(guardSelect(table, 'id = ?')),
    ]),
  );

  return (keys) => {
    const wallets = new Map<number, { quota: number; used: number }>();
    for (const id of keys.users) {
      const wallet = readWallet.get(id);
      if (wallet !== undefined) wallets.set(id, wallet);
    }
    const allowances = new Map<number, { remain: number; unlimited: boolean; used: number }>();
    for (const id of keys.tokens) {
      const row = readAllowance.get(id);
      if (row !== undefined) allowances.set(id, { remain: row.remain, unlimited: row.unlimited === 1, used: row.used });
    }
    const references = new Set<string>();
    for (const { kind, reference } of keys.references) {
      if (findReference.get(kind, reference) !== undefined) references.add(referenceKey(kind, reference));
    }
    const guards = new Map<string, number | string>();
    for (const guard of keys.guards) {
      const row = readGuard.get(guard.table)?.get(guard.id);
      if (row !== undefined) guards.set(guardKey(guard), row.state);
    }
    return { wallets, allowances, references, guards };
  };
}
