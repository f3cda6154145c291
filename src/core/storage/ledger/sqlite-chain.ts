import type BetterSqlite3 from 'better-sqlite3';
import type { LinkedTable } from '../../vocabulary/ledger-chain.ts';
import { linkGroup } from './chain.ts';

/** A row to append: what its link covers, and the values of its columns. */
export interface AppendedRow {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Prepares the statements that append rows to a table and link them (docs/rules/ledger.md#chain).
 * The returned function appends a group, in the transaction that it is committed with, and returns
 * the ids.
 */
export function prepareSqliteChain(
  db: BetterSqlite3.Database,
  table: LinkedTable,
  columns: readonly string[],
): (rows: readonly AppendedRow[]) => readonly number[] {
  const readEnd = db.prepare<[], { last_id: number; link: string }>(
    `SELECT last_id, link FROM ledger_chains WHERE name = '${table}'`,
  );
  const readNewest = db.prepare<[], { id: number }>(
    `SELECT coalesce(max(id), 0) AS id FROM ${table}`,
  );
  const insert = db.prepare(
    `INSERT INTO ${table} (id, link, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
  );
  const moveEnd = db.prepare<[number, string]>(
    `UPDATE ledger_chains SET last_id = ?, link = ? WHERE name = '${table}'`,
  );

  return (rows) => {
    if (rows.length === 0) return [];
    const end = readEnd.get() ?? { last_id: 0, link: '' };
    // Somebody else may have added rows, or removed some: the ledger goes on, and a verification
    // finds it.
    const first = Math.max(end.last_id, readNewest.get()?.id ?? 0) + 1;
    const ids = rows.map((_, index) => first + index);
    const links = linkGroup(
      end.link,
      rows.map(({ text }, index) => ({ id: first + index, text })),
    );
    for (const [index, { values }] of rows.entries())
      insert.run(first + index, links[index], ...values);
    moveEnd.run(first + rows.length - 1, links.at(-1) ?? '');
    return ids;
  };
}
