import { maxPageSize } from '../kernel/page.ts';

type Pages<Row> = (page: { readonly p: number; readonly page_size: number }) => Promise<{
  readonly items: readonly Row[];
}>;

/**
 * All rows of a list whose pages count from 1, in as few calls as there can be. A row that moves to
 * the next page meanwhile is there once.
 */
export async function everyRow<Row extends { readonly id: number }>(
  read: Pages<Row>,
): Promise<readonly Row[]> {
  const rows = new Map<number, Row>();
  for (let p = 1; ; p++) {
    const { items } = await read({ p, page_size: maxPageSize });
    for (const row of items) rows.set(row.id, row);
    if (items.length < maxPageSize) return [...rows.values()];
  }
}
