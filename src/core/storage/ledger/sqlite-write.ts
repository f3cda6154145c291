import type BetterSqlite3 from 'better-sqlite3';
import { maxQuota } from '../../kernel/quota.ts';
import { storableText } from '../storable-text.ts';
import { allowanceText, postingText } from './chain.ts';
import { type GuardedTable, guardColumns, guardedTableNames, guardUpdate } from './guards.ts';
import { logColumnNames, logValues } from './log-columns.ts';
import type { LedgerPlan } from './plan.ts';
import {
  addMinuteSql,
  keptMinutes,
  type RollupTable,
  rollupColumns,
  rollupTableNames,
  rollupUpsert,
} from './rollups.ts';
import { prepareSqliteChain } from './sqlite-chain.ts';

/**
 * Prepares the statements that write a plan; call the result inside the transaction that its state
 * was read in.
 */
export function prepareSqliteWriter(db: BetterSqlite3.Database): (plan: LedgerPlan) => void {
  const appendPostings = prepareSqliteChain(db, 'ledger', [
    'user_id',
    'token_id',
    'kind',
    'amount',
    'balance_after',
    'reference',
    'created_at',
    'windows',
  ]);
  const appendAllowances = prepareSqliteChain(db, 'token_allowances', [
    'token_id',
    'amount',
    'used',
    'remain_after',
    'created_at',
  ]);
  const insertLog = db.prepare(
    `INSERT INTO logs (${logColumnNames.join(', ')})
     VALUES (${logColumnNames.map(() => '?').join(', ')})`,
  );
  const updateUser = db.prepare(
    'UPDATE users SET quota = ?, used_quota = ?, request_count = request_count + ? WHERE id = ?',
  );
  const updateToken = db.prepare(
    `UPDATE tokens SET remain_quota = ?, unlimited_quota = ?, used_quota = ?, accessed_time = coalesce(?, accessed_time)
     WHERE id = ?`,
  );
  const updateChannel = db.prepare(
    `UPDATE channels SET used_quota = min(used_quota + ?, ${maxQuota}) WHERE id = ?`,
  );
  const addRollup = new Map(
    rollupTableNames.map((table): [RollupTable, BetterSqlite3.Statement] => {
      const columns = rollupColumns(table);
      return [
        table,
        db.prepare(rollupUpsert(table, `VALUES (${columns.map(() => '?').join(', ')})`)),
      ];
    }),
  );
  const addHour = db.prepare(
    'INSERT INTO ledger_hours (hour, first_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const addSpentSql = `UPDATE budget_windows SET spent = min(spent + ?, ${maxQuota}),
    requests = requests + ?, charged_at = max(charged_at, ?) WHERE id = ?`;
  const addSpent = db.prepare<[number, number, number, number]>(addSpentSql);
  const addPaced = db.prepare<[number, number, number, number], { pace: number | null }>(
    `${addSpentSql} RETURNING (SELECT most_pace FROM budgets WHERE budgets.id = budget_id) AS pace`,
  );
  // An update that gives a row back takes half as long again.
  const anyPace = db.prepare('SELECT 1 FROM budgets WHERE most_pace > 0 LIMIT 1');
  const addMinute = db.prepare<[number, number, number, number]>(
    addMinuteSql('VALUES (?, ?, ?, ?)'),
  );
  const updateGuard = new Map(
    guardedTableNames.map((table): [GuardedTable, BetterSqlite3.Statement] => [
      table,
      db.prepare(`${guardUpdate(table, () => '?')} WHERE id = ?`),
    ]),
  );

  const writePostings = ({ postings, logs }: LedgerPlan): void => {
    const ids = appendPostings(
      postings.map((posting) => {
        const { userId, tokenId, kind, amount, balanceAfter, at, windows = null } = posting;
        const reference = posting.reference === null ? null : storableText(posting.reference);
        return {
          text: postingText(posting),
          values: [userId, tokenId, kind, amount, balanceAfter, reference, at, windows],
        };
      }),
    );
    let noted = -1;
    for (const [index, { at }] of postings.entries()) {
      const hour = at - (at % 3600);
      if (hour !== noted) addHour.run(hour, ids[index]);
      noted = hour;
    }
    for (const { row, posting } of logs) {
      insertLog.run(...logValues(row), posting === null ? null : ids[posting]);
    }
  };

  /** A window that is gone counts nothing any more. */
  const writeWindows = ({ windows }: LedgerPlan): void => {
    if (windows.changes.length === 0) return;
    const isPaced = anyPace.get() !== undefined;
    for (const { id, amount, requests, minute } of windows.changes) {
      if (!isPaced) addSpent.run(amount, requests, minute * 60, id);
      else if ((addPaced.get(amount, requests, minute * 60, id)?.pace ?? 0) > 0)
        addMinute.run(id, minute % keptMinutes, minute, amount);
    }
  };

  return (plan) => {
    writePostings(plan);
    writeWindows(plan);
    for (const { id, quota, used, requests } of plan.users)
      updateUser.run(quota, used, requests, id);
    appendAllowances(
      plan.allowances.map((row) => ({
        text: allowanceText(row),
        values: [row.tokenId, row.amount, row.used, row.remainAfter, row.at],
      })),
    );
    for (const { id, remain, unlimited, used, at } of plan.tokens)
      updateToken.run(remain, unlimited ? 1 : 0, used, at, id);
    for (const { id, used } of plan.channels) updateChannel.run(used, id);
    for (const table of rollupTableNames) {
      const columns = rollupColumns(table);
      const rows: readonly Readonly<Record<string, number | string>>[] = plan.rollups[table];
      for (const row of rows) addRollup.get(table)?.run(...columns.map((column) => row[column]));
    }
    for (const { table, id, state, set } of plan.guards) {
      updateGuard
        .get(table)
        ?.run(state, ...guardColumns(table).map((column) => set[column] ?? null), id);
    }
  };
}
