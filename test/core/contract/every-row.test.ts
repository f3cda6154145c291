import { expect, it } from 'vitest';
import { everyRow } from '../../../src/core/contract/every-row.ts';

const rowsTo = (last: number) => Array.from({ length: last }, (_, index) => ({ id: index + 1 }));

it.each([
  [0, 1],
  [99, 1],
  [100, 2],
  [250, 3],
])('%i rows are read in %i calls', async (count, calls) => {
  const pages: number[] = [];
  const found = await everyRow(async ({ p, page_size }) => {
    pages.push(p);
    return { items: rowsTo(count).slice((p - 1) * page_size, p * page_size), total: count };
  });
  expect([found, pages]).toEqual([rowsTo(count), Array.from({ length: calls }, (_, at) => at + 1)]);
});

it('a row that moves to the next page meanwhile is there once', async () => {
  let rows = rowsTo(150);
  const found = await everyRow(async ({ p, page_size }) => {
    const items = rows.slice((p - 1) * page_size, p * page_size);
    rows = [{ id: 0 }, ...rows];
    return { items, total: rows.length };
  });
  expect(found).toEqual(rowsTo(150));
});

it.each([1, 99, 100, 101, 250])(
  'rows that move forward, because %i are deleted meanwhile, are all there',
  async (count) => {
    let rows = rowsTo(400);
    let calls = 0;
    const found = await everyRow(async ({ p, page_size }) => {
      calls += 1;
      if (calls === 3) rows = rows.slice(count);
      return { items: rows.slice((p - 1) * page_size, p * page_size), total: rows.length };
    });
    expect(found).toEqual(rowsTo(400).filter(({ id }) => id > count || id <= 200));
  },
);

it('reads no page beyond the rows that are wanted, from where pages begin, and tells how far it is', async () => {
  const pages: number[] = [];
  const progress: unknown[] = [];
  const found = await everyRow(
    async ({ p, page_size }) => {
      pages.push(p);
      return { items: rowsTo(900).slice(p * page_size, (p + 1) * page_size), total: 900 };
    },
    { first: 0, most: 250, onPage: (read, total) => progress.push([read, total]) },
  );
  expect(found).toEqual(rowsTo(250));
  expect([pages, progress]).toEqual([
    [0, 1, 2],
    [
      [100, 900],
      [200, 900],
    ],
  ]);
});
