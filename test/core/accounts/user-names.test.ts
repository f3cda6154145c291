import { expect, test } from 'vitest';
import { readShownName, readUsername } from '../../../src/core/accounts/user-names.ts';

test.each([
  [' ann ', 'ann'],
  ['小明', '小明'],
  ['1234567890', '1234567890'],
  ['a'.repeat(20), 'a'.repeat(20)],
  ['密'.repeat(20), '密'.repeat(20)],
])('%j becomes %j', (given, stored) => {
  expect(readUsername(given)).toBe(stored);
});

test.each(['', '   ', 'a b', 'a\tb', 'a\u0000b', 'a\u200bb', 'ann@example.org', '13800000000', 'a'.repeat(21)])(
  '%j is refused',
  (name) => {
    expect(() => readUsername(name)).toThrowError(/username_invalid/);
  },
);

test('shown names have 0 to 20 characters', () => {
  expect(readShownName('  ')).toBe('');
  expect(readShownName('密'.repeat(20))).toBe('密'.repeat(20));
  expect(() => readShownName('a'.repeat(21))).toThrowError(/name_too_long/);
});
