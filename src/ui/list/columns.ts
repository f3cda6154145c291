import type { ReactNode } from 'react';
import type { ListColumn } from './data-table.tsx';

/** A column as data: its cell, whether it can be hidden, and its place on a phone's card. */
export interface ScreenColumn<Row> extends ListColumn<Row> {
  /** Always shown. */
  readonly fixed?: boolean;
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

/** `dimmed`: disabled. `parent` and `child`: a group and what belongs to it. */
export type RowState = 'dimmed' | 'parent' | 'child' | undefined;
