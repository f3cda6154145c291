import { describe, expect, it } from 'vitest';
import { type ScreenColumn, statusFirst } from '../../../src/ui/list/columns.ts';
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

describe('the status beside the name', () => {
  const column = (key: string, more: Partial<ScreenColumn<string>> = {}): ScreenColumn<string> => ({
    key,
    label: key,
    render: (row: string) => row,
    ...more,
  });
  const keys = (columns: readonly ScreenColumn<string>[]) =>
    statusFirst(columns).map(({ key }) => key);
  const status = column('status', { card: { place: 'status' } });

  it('moves behind the column that names a row', () => {
    const name = column('name', { fixed: true });
    expect(keys([column('id'), name, column('group'), status, column('used')])).toEqual([
      'id',
      'name',
      'status',
      'group',
      'used',
    ]);
  });

  it('moves behind the first one where none is said to name it', () => {
    expect(keys([column('name'), column('group'), status])).toEqual(['name', 'status', 'group']);
  });

  it('changes nothing in a list without a status', () => {
    expect(keys([column('id'), column('used')])).toEqual(['id', 'used']);
  });
});
