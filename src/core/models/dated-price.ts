/** Prices that change on a day that their vendor has named (docs/rules/models.md#dated-prices). */
import type { ModelRow } from './schema.ts';

/** The machine's, for catalogues that are given no other. */
export const priceClock = { now: (): number => Date.now() };

/** The first millisecond of a day, `2026-12-01`, in UTC. */
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The row with the price that holds at `now`, in milliseconds; the same row where nothing changed. */
export function rowAt(row: ModelRow, now: number): ModelRow {
  const { nextPrice, ...rest } = row;
  if (nextPrice === undefined || now < startOf(nextPrice.from)) return row;
  const { price, source, seen } = nextPrice;
  return { ...rest, price, source, seen: seen > row.seen ? seen : row.seen };
}

/** When the next price of these rows begins to hold, in milliseconds. */
export function nextChangeOf(rows: readonly ModelRow[], now: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { nextPrice } of rows) {
    const from = nextPrice === undefined ? next : startOf(nextPrice.from);
    if (from > now && from < next) next = from;
  }
  return next;
}
