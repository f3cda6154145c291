import { describe, expect, it } from 'vitest';
import { orderColumns } from '../../../src/ui/list/use-columns.ts';

const columns = ['id', 'name', 'status', 'actions'].map((key) => ({ key }));
const order = (stored: readonly string[]) =>
  orderColumns(columns, stored).map((column) => column.key);

describe('order of columns', () => {
  it('is the table’s own without a choice', () => {
    expect(order([])).toEqual(['id', 'name', 'status', 'actions']);
  });

  it('follows the choice', () => {
    expect(order(['status', 'id', 'name', 'actions'])).toEqual(['status', 'id', 'name', 'actions']);
  });

  it('puts a column that the choice does not know behind the one before it', () => {
    expect(order(['name', 'id', 'actions'])).toEqual(['name', 'status', 'id', 'actions']);
  });

  it('forgets columns that no longer exist, and puts a new first one first', () => {
    expect(order(['gone', 'actions', 'status', 'name'])).toEqual([
      'id',
      'actions',
      'status',
      'name',
    ]);
  });
});
