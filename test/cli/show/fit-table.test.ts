import { describe, expect, test } from 'vitest';
import { type FittedColumn, fitColumns } from '../../../src/cli/show/fit-table.ts';

const column = (title: string, width: number, narrow?: 'elide' | 'drop'): FittedColumn => ({
  title,
  cells: ['x'.repeat(width)],
  narrow,
});
const columns = [
  column('id', 4),
  column('name', 40, 'elide'),
  column('group', 10, 'drop'),
  column('type', 20, 'elide'),
];
const total = (widths: ReadonlyMap<number, number>) =>
  [...widths.values()].reduce((sum, width) => sum + width + 2, -2);

describe('a table on a terminal', () => {
  test('stays complete if it fits, and in pipes', () => {
    expect([...fitColumns(columns, Number.POSITIVE_INFINITY).values()]).toEqual([4, 40, 10, 20]);
    expect([...fitColumns(columns, 80).values()]).toEqual([4, 40, 10, 20]);
  });

  test('shortens the longest texts first', () => {
    const widths = fitColumns(columns, 60);
    expect([...widths.values()]).toEqual([4, 20, 10, 20]);
    expect(total(fitColumns(columns, 50))).toBe(50);
  });

  test('omits columns only if shortening is not enough, and never fixed columns', () => {
    expect([...fitColumns(columns, 28).keys()]).toEqual([0, 1, 3]);
    expect([...fitColumns(columns, 25).keys()]).toEqual([0, 1]);
    expect(fitColumns(columns, 10).get(0)).toBe(4);
  });

  test('without hints, shortens texts and then omits columns from the right; the first two stay', () => {
    const text = (title: string, width: number) => ({ ...column(title, width), isText: true });
    const plain = [column('id', 4), text('name', 40), column('amount', 12), text('state', 12)];
    expect([...fitColumns(plain, 50)]).toEqual([
      [0, 4],
      [1, 16],
      [2, 12],
      [3, 12],
    ]);
    expect([...fitColumns(plain, 30).keys()]).toEqual([0, 1, 2]);
    expect([...fitColumns(plain, 12).keys()]).toEqual([0, 1]);
  });

  test('measures Chinese by its cells', () => {
    const widths = fitColumns(
      [{ title: '名称', cells: ['渠道渠道渠道渠道'], narrow: 'elide' }],
      12,
    );
    expect(widths.get(0)).toBe(12);
  });
});
