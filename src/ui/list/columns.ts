/** What a list declares of its columns and rows, for its table and its cards. */
import type { ReactNode } from 'react';

export interface ListColumn<T> {
  readonly key: string;
  readonly label: string;
  readonly render: (row: T) => ReactNode;
  readonly numeric?: boolean;
  readonly width?: number | string;
  readonly sortable?: boolean;
  /** Not named in the head: actions. The name stays for screen readers. */
  readonly bare?: boolean;
  /** Always shown; the first of them stays in sight when the table is scrolled sideways. */
  readonly fixed?: boolean;
}

/** A column as data: its cell, whether it can be hidden, and its place on a phone's card. */
export interface ScreenColumn<Row> extends ListColumn<Row> {
  /** Hidden until the reader asks for it. */
  readonly hidden?: boolean;
  /** Where a phone's card shows it; nowhere unless given. */
  readonly card?: {
    readonly place: 'second' | 'status' | 'figure';
    /** The column's own unless given. */
    readonly label?: string;
    readonly render?: (row: Row) => ReactNode;
  };
}

/** The status beside the name, for where there is no room for what stands between them. */
export function statusFirst<Row>(
  columns: readonly ScreenColumn<Row>[],
): readonly ScreenColumn<Row>[] {
  const name = columns.find(({ fixed }) => fixed) ?? columns[0];
  const isStatus = ({ card }: ScreenColumn<Row>) => card?.place === 'status';
  const statuses = columns.filter(isStatus);
  return columns.flatMap((column) =>
    column === name ? [column, ...statuses] : isStatus(column) ? [] : [column],
  );
}

/** `dimmed`: disabled. `parent` and `child`: a group and what belongs to it. */
export type RowState = 'dimmed' | 'parent' | 'child' | 'dimmedChild' | undefined;

export interface Selection<T> {
  readonly selected: readonly T[];
  readonly onChange: (rows: readonly T[]) => void;
  readonly nameOf: (row: T) => string;
  readonly selectable?: (row: T) => boolean;
}

export interface Expansion<T> {
  readonly open: readonly unknown[];
  /** `keep`: Shift was held, other rows stay open. */
  readonly onToggle: (row: T, keep: boolean) => void;
  readonly content: (row: T) => ReactNode;
  readonly expandable?: (row: T) => boolean;
}

export interface ColumnSorting {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  readonly onSort: (column: string) => void;
}
