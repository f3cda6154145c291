import { expect, test } from 'vitest';
import { chooseForms } from '../../../src/core/kernel/text.ts';

const text = '{users} {users:user has|users have} {rows} {rows:row|rows}';

test.each([
  [{ users: 1, rows: 0 }, '{users} user has {rows} rows'],
  [{ users: '1', rows: '1' }, '{users} user has {rows} row'],
  [{ users: '1,001', rows: 11 }, '{users} users have {rows} rows'],
  [{}, '{users} users have {rows} rows'],
])('forms for %o', (params, expected) => {
  expect(chooseForms(text, params)).toBe(expected);
});
