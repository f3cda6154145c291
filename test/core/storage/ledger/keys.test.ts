import { expect, it } from 'vitest';
import type { Guard } from '../../../../src/core/storage/ledger/guards.ts';
import { keysOf } from '../../../../src/core/storage/ledger/keys.ts';
import { guardKey, referenceKey, windowText } from '../../../../src/core/storage/ledger/plan.ts';
import type { Settlement } from '../../../../src/core/storage/ledger/settlement.ts';

const guardOf = (id: number): Guard => ({
  table: 'tasks',
  id,
  from: 'SUBMITTED',
  to: 'FAILURE',
  set: { quota: 0 },
});
const rows = { at: 1, log: null, rollup: null };
const batch: readonly Settlement[] = [
  {
    kind: 'charge',
    requestId: 'a',
    userId: 1,
    tokenId: 11,
    channelId: 0,
    amount: 5,
    ...rows,
    windows: [31],
    guard: guardOf(41),
  },
  {
    kind: 'charge',
    requestId: 'b',
    userId: 2,
    tokenId: 0,
    channelId: 0,
    amount: 5,
    ...rows,
  },
  {
    kind: 'posting',
    posting: 'top_up',
    userId: 3,
    amount: 5,
    reference: 'x',
    at: 1,
    log: null,
    guard: guardOf(42),
  },
  {
    kind: 'posting',
    posting: 'grant',
    userId: 4,
    amount: 5,
    reference: null,
    at: 1,
    log: null,
    guard: null,
  },
  {
    kind: 'refund',
    userId: 5,
    reference: 'task:4',
    at: 1,
    log: null,
    guard: guardOf(43),
    charges: [
      { amount: 1, tokenId: 12, channelId: 0, rollup: null, windows: [32, 33] },
      { amount: 1, tokenId: 0, channelId: 0, rollup: null },
    ],
  },
  { kind: 'allowance', tokenId: 13, remainQuota: 5, unlimited: false, at: 1 },
  { kind: 'release', requestId: 'c', userId: 6, tokenId: 14, windows: [34] },
  { kind: 'release', requestId: 'd', userId: 6, tokenId: 0 },
];

it('a batch involves the rows of all its items', () => {
  expect(keysOf(batch)).toEqual({
    users: new Set([1, 2, 3, 4, 5, 6]),
    charged: new Set([1, 2, 5]),
    tokens: new Set([11, 12, 13, 14]),
    references: [
      { kind: 'top_up', reference: 'x' },
      { kind: 'refund', reference: 'task:4' },
    ],
    guards: [guardOf(41), guardOf(42), guardOf(43)],
    windows: new Set([31, 32, 33, 34]),
  });
  expect(keysOf([])).toEqual({
    users: new Set(),
    charged: new Set(),
    tokens: new Set(),
    windows: new Set(),
    references: [],
    guards: [],
  });
});

it('keys and texts name what they are of', () => {
  expect(referenceKey('top_up', 'x')).toBe('top_up x');
  expect(guardKey({ table: 'tasks', id: 4 })).toBe('tasks 4');
  const amounts = new Map([
    [3, 30],
    [4, 30],
  ]);
  expect(windowText('charge', amounts)).toBe('[3,4]');
  expect(windowText('refund', amounts)).toBe('{"3":30,"4":30}');
});
