import { isObject } from '../kernel/json.ts';
import { maxPageSize } from '../kernel/page.ts';

/** Reads a page; `total`: rows of all pages. */
type ReadPage<Row> = (page: {
  readonly p: number;
  readonly page_size: number;
}) => Promise<{ readonly items: readonly Row[]; readonly total: number }>;

interface Reading {
  /** What the first page is called. Absent: 1. */
  readonly first?: number;
  /** Rows to read at most. Absent: all. */
  readonly most?: number;
  /** Called between two pages with the rows read so far and those that there are. */
  readonly onPage?: (read: number, total: number) => void;
}

/**
 * The rows of all pages of a list, in as few calls as there can be. A row that moves to the next
 * page meanwhile, because newer ones arrive, is there once; one that moves to the page before,
 * because others are deleted, is there, too.
 */
export async function everyRow<Row>(
  read: ReadPage<Row>,
  { first = 1, most = Number.POSITIVE_INFINITY, onPage }: Reading = {},
): Promise<readonly Row[]> {
  const rows = new Map<unknown, Row>();
  let rest = 0;
  for (let p = first; ; p += 1) {
    const { items, total } = await read({ p, page_size: maxPageSize });
    const gone = rest - total;
    rest = total;
    if (gone > 0 && p > first) {
      p = Math.max(first, p - Math.ceil(gone / maxPageSize)) - 1;
      continue;
    }
    for (const row of items) rows.set(isObject(row) ? (row['id'] ?? row) : row, row);
    if (items.length < maxPageSize || rows.size >= most) break;
    onPage?.(rows.size, total);
  }
  return [...rows.values()].slice(0, most);
}
