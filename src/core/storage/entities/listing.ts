import type { PageRequest } from '../../kernel/page.ts';

/** A slice of a list together with the size of the whole list. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** Rows that match the filter, not just those in `items`. */
  readonly total: number;
}

/** Inclusive bounds in the unit of the column they are laid on; an absent bound is open. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

export type { PageRequest };
