import { sql } from 'kysely';
import type { RowChangeRepository } from '../entities/row-change.ts';
import { type Access, changes } from './access.ts';

/** Rows that one reading returns at most: beyond them reading everything again costs less. */
const mostRows = 1000;

interface Noted {
  readonly horizon: number;
  readonly kind: string | null;
  readonly row_key: string | null;
  readonly tx: number | null;
}

export function createRowChangeRepository({ read, write, abilities }: Access): RowChangeRepository {
  // On PostgreSQL whatever is older than the oldest open transaction is visible to this statement.
  // A later number than the snapshot's last one is of another server, from which the database was
  // copied.
  const { horizon, seen } = abilities.isSqlite
    ? {
        horizon: sql<number>`(select coalesce(max(tx), 0) + 1 from row_changes)`,
        seen: sql<boolean>`true`,
      }
    : {
        horizon: sql<number>`txid_snapshot_xmin(txid_current_snapshot())`,
        seen: sql<boolean>`noted.tx < txid_snapshot_xmax(txid_current_snapshot())`,
      };
  return {
    async since(from) {
      const { rows } = await sql<Noted>`select mark.horizon, noted.kind, noted.row_key, noted.tx
        from (select ${horizon} as horizon) as mark
        left join row_changes as noted on noted.tx >= ${from ?? Number.MAX_SAFE_INTEGER} and ${seen}
        limit ${mostRows + 1}`.execute(read);
      const found = rows.flatMap(({ kind, row_key: key, tx }) =>
        kind === null || key === null || tx === null ? [] : [{ kind, key, tx }],
      );
      const isCut = found.length > mostRows;
      return { horizon: rows[0]?.horizon ?? from ?? 0, rows: isCut ? [] : found, isCut };
    },
    async prune(seconds) {
      let query = write
        .deleteFrom('row_changes')
        .where('noted_at', '<', sql<number>`${abilities.now} - ${seconds}`);
      // SQLite counts on from the newest.
      if (abilities.isSqlite)
        query = query.where('tx', '<', (row) =>
          row.selectFrom('row_changes').select(row.fn.max('tx').as('tx')),
        );
      return changes(await query.executeTakeFirst());
    },
  };
}
