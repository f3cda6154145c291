import type { PageRequest } from '../../kernel/page.ts';

/** A page of a list with the size of the whole list. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** All rows that match the filter, not only `items`. */
  readonly total: number;
}

/** The most rows that are counted for the total of a long list. */
export const totalCap = 200_000;

/** Inclusive bounds in the unit of the filtered column; an absent bound is open. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

export type { PageRequest };
