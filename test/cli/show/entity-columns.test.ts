import { expect, test } from 'vitest';
import { entityColumns } from '../../../src/cli/show/entity-columns.ts';
import { defaultMoney } from '../../../src/cli/show/money.ts';
import { defineFields } from '../../../src/core/entities/field.ts';

const label = (en: string) => ({ en, zh: en });
const fields = defineFields({
  id: { kind: 'integer', label: label('id') },
  secret_note: { kind: 'text', hidden: true, label: label('note') },
  unnamed: { kind: 'text' },
  open: { kind: 'flag', label: label('open') },
  hosts: { kind: 'list', separator: '\n', label: label('hosts') },
  worth: { kind: 'quota', label: label('worth') },
  end_time: { kind: 'time', never: 0, label: label('ends') },
  name: { kind: 'text', label: label('name') },
  most: { kind: 'integer', none: 0, label: label('most') },
  least: { kind: 'integer', none: 0, label: label('least') },
});
const row = {
  id: 7,
  unnamed: 'u',
  open: true,
  hosts: 'a\nb\n',
  worth: 500_000,
  end_time: 0,
  name: 'n',
  most: 0,
  least: 3,
};

test('placed columns come first; other fields with a label are in the card', () => {
  const columns = entityColumns(fields, {
    name: { width: 4 },
    id: { value: (shown) => `#${shown.id}` },
  });
  const view = { language: 'en', money: defaultMoney, now: 0 } as const;
  expect(
    columns.map((column) => [column.title.en, column.value(row, view), column.cardOnly === true]),
  ).toEqual([
    ['name', 'n', false],
    ['id', '#7', false],
    ['open', 'yes', true],
    ['hosts', 'a, b', true],
    ['worth', '$1.00', true],
    ['ends', 'never', true],
    ['most', '', true],
    ['least', '3', true],
  ]);
  expect(columns.map(({ align }) => align)).toEqual([
    undefined,
    'right',
    undefined,
    undefined,
    'right',
    undefined,
    'right',
    'right',
  ]);
  const without = entityColumns(fields, { name: {}, id: false, open: false });
  expect(without.map(({ title }) => title.en)).toEqual([
    'name',
    'hosts',
    'worth',
    'ends',
    'most',
    'least',
  ]);
});
