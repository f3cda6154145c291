import { expect, it } from 'vitest';
import { everyRow } from '../../../src/core/contract/every-row.ts';

const rowsTo = (last: number) => Array.from({ length: last }, (_, index) => ({ id: index + 1 }));

it.each([
  [0, 1],
  [99, 1],
  [100, 2],
  [250, 3],
])('%i rows are read in %i calls', async (count, calls) => {
  const asked: number[] = [];
  const found = await everyRow(async ({ p, page_size }) => {
    asked.push(p);
    return { items: rowsTo(count).slice((p - 1) * page_size, p * page_size) };
  });
  expect([found, asked]).toEqual([rowsTo(count), Array.from({ length: calls }, (_, at) => at + 1)]);
});

it('a row that moves to the next page meanwhile is there once', async () => {
  let rows = rowsTo(150);
  const found = await everyRow(async ({ p, page_size }) => {
    const items = rows.slice((p - 1) * page_size, p * page_size);
    rows = [{ id: 0 }, ...rows];
    return { items };
  });
  expect(found).toEqual(rowsTo(150));
});
