/** A source some of whose tables are made of those of another one. */
import { moneyToQuota, toBigInt } from '../convert.ts';
import type { ImportSource, SourceRow } from '../source/source.ts';

export interface View {
  readonly rows: readonly SourceRow[];
  /** The tables whose rows it has, and which of its columns they have: their sums are these. */
  readonly sums: Readonly<Record<string, readonly string[]>>;
}

/** A table that is read as it is, in the order of these columns, its rows numbered from 1 on. */
export interface NumberedTable {
  readonly order: readonly string[];
  readonly without: ReadonlySet<string>;
}

export function viewsOf(
  source: ImportSource,
  views: Readonly<Record<string, View>>,
  numbered: Readonly<Record<string, NumberedTable>>,
): ImportSource {
  const added = async (
    view: View,
    column: string,
    sum: (table: string) => Promise<bigint | undefined>,
    amount: (row: SourceRow) => bigint,
  ): Promise<bigint> => {
    const tables = Object.entries(view.sums).filter(([, columns]) => columns.includes(column));
    if (tables.length === 0) return view.rows.reduce((total, row) => total + amount(row), 0n);
    let total = 0n;
    for (const [table] of tables) total += (await sum(table)) ?? 0n;
    return total;
  };
  return {
    ...source,
    count: async (table) => views[table]?.rows.length ?? source.count(table),
    sum: async (table, column) => {
      const view = views[table];
      return view === undefined
        ? source.sum(table, column)
        : added(
            view,
            column,
            (one) => source.sum(one, column),
            (row) => toBigInt(row[column]),
          );
    },
    sumScaled: async (table, column, factor) => {
      const view = views[table];
      return view === undefined
        ? ((await source.sumScaled?.(table, column, factor)) ?? 0n)
        : added(
            view,
            column,
            async (one) => source.sumScaled?.(one, column, factor),
            (row) => moneyToQuota(row[column], factor).quota,
          );
    },
    async *rows(table, key, batch) {
      const view = views[table];
      const other = numbered[table];
      if (view !== undefined)
        for (let at = 0; at < view.rows.length; at += batch) yield view.rows.slice(at, at + batch);
      else if (other === undefined) yield* source.rows(table, key, batch);
      else yield* source.numberedRows?.(table, other.order, other.without, batch) ?? [];
    },
  };
}
