import { expect, test } from 'vitest';
import { maskMessage } from '../../../src/core/upstream/mask.ts';

test.each([
  ['no route to [fd00::12]:8080', 'no route to ***'],
  ['no route to [fe80:0:0:0:1:2:3:4]', 'no route to ***'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.c2lnbmF0dXJl', 'token ***'],
  ['[a: list, 12:30]', '[a: list, 12:30]'],
])('%s', (text, masked) => expect(maskMessage(text)).toBe(masked));

// A pattern that backtracks needs many minutes for one of these, during which nothing else is
// served.
test.each(['[:', ':', 'eyJ-', 'eyJaaaaaaaa.', 'a:', ' ::', '1.', 'sk-', 'Bearer ', 'http://'])(
  'a megabyte of %j is masked without delay',
  (piece) => {
    const text = `[${':'.repeat(1000)}${piece.repeat(Math.ceil(1024 ** 2 / piece.length))}`;
    expect(maskMessage(text).length).toBeLessThanOrEqual(4000);
  },
);
test('a megabyte of colons in a bracket', () =>
  expect(maskMessage(`[${':'.repeat(1024 ** 2)}`)).toHaveLength(4000));
