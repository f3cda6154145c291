/** Why items can never be written, in words that a log names the field by. */
import { describe, expect, it } from 'vitest';
import { findProblem, isCertain } from '../../../../src/core/billing/plan/check-item.ts';
import type {
  ChargeSettlement,
  RefundSettlement,
  Settlement,
} from '../../../../src/core/storage/ledger/settlement.ts';
import { logFor } from '../ledger-support.ts';

const ended = {
  table: 'tasks',
  id: 4,
  from: 'SUBMITTED',
  to: 'FAILURE',
  set: { quota: 0 },
} as const;
const log = logFor(1, 'r', 5);
const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7, cost: 9 };
const charge = (more: Partial<ChargeSettlement> = {}): ChargeSettlement => ({
  kind: 'charge',
  requestId: 'r',
  userId: 1,
  tokenId: 5,
  channelId: 7,
  amount: 5,
  at: 20,
  log,
  rollup,
  ...more,
});
const refund = (more: Partial<RefundSettlement> = {}): RefundSettlement => ({
  kind: 'refund',
  userId: 1,
  reference: 'task:4',
  at: 40,
  log,
  guard: ended,
  charges: [{ amount: 5, tokenId: 5, channelId: 7, rollup }],
  ...more,
});
const posting = (more: object = {}): Settlement => ({
  kind: 'posting',
  posting: 'top_up',
  userId: 1,
  amount: 5,
  reference: null,
  at: 10,
  log,
  guard: null,
  ...more,
});
const allowance = (more: object = {}): Settlement => ({
  kind: 'allowance',
  tokenId: 5,
  remainQuota: 5,
  unlimited: false,
  at: 30,
  ...more,
});
const charges = (more: object) => [
  { amount: 1, tokenId: 5, channelId: 7, rollup: null },
  { amount: 1, tokenId: 5, channelId: 7, rollup, ...more },
];

describe('an item that can be written', () => {
  it.each<[string, Settlement]>([
    ['a charge', charge()],
    ['a charge without rows', charge({ log: null, rollup: null })],
    ['a charge of nothing', charge({ amount: 0 })],
    ['a posting', posting()],
    ['a posting without a row', posting({ log: null })],
    ['a posting that takes', posting({ amount: -5 })],
    ['a refund', refund()],
    ['a refund without a row', refund({ log: null, charges: [] })],
    ['a refund of nothing', refund({ charges: charges({ amount: 0 }) })],
    ['an allowance', allowance()],
    ['an allowance that leaves the sum', allowance({ remainQuota: null })],
    ['a release', { kind: 'release', requestId: 'r', userId: 1, tokenId: 5 }],
  ])('is %s', (_, item) => {
    expect(findProblem(item)).toBeUndefined();
  });
});

describe('an item that cannot be written says why', () => {
  const odd = (name: string) => `${name} is not a safe integer: 0.5`;
  const logFields = ['createdAt', 'quota', 'promptTokens', 'completionTokens', 'useTime'] as const;

  it.each<[Settlement, string]>([
    [charge({ amount: -1 }), 'a charge has a negative amount'],
    [charge({ amount: Number.NaN }), 'a charge has a negative amount'],
    [charge({ amount: 0.5 }), odd('amount')],
    [charge({ amount: 2 ** 53 }), 'amount is not a safe integer: 9007199254740992'],
    [charge({ at: 0.5 }), odd('at')],
    [charge({ rollup: { ...rollup, hour: 0.5 } }), odd('rollup.hour')],
    [charge({ rollup: { ...rollup, tokens: 0.5 } }), odd('rollup.tokens')],
    [charge({ rollup: { ...rollup, cost: 0.5 } }), odd('rollup.cost')],
    [posting({ amount: 0.5 }), odd('amount')],
    [posting({ at: 0.5 }), odd('at')],
    [refund({ at: 0.5 }), odd('at')],
    [refund({ charges: charges({ amount: 0.5 }) }), odd('amount')],
    [
      refund({ charges: charges({ amount: -1 }) }),
      'a charge that is taken back has a negative amount',
    ],
    [refund({ charges: charges({ rollup: { ...rollup, cost: 0.5 } }) }), odd('rollup.cost')],
    [allowance({ at: 0.5 }), odd('at')],
    [allowance({ remainQuota: 0.5 }), odd('remainQuota')],
  ])('%j', (item, problem) => {
    expect(findProblem(item)).toBe(problem);
  });

  it.each(logFields)('by the log row, too: %s', (field) => {
    const broken = { ...log, [field]: 0.5 };
    for (const item of [charge({ log: broken }), posting({ log: broken }), refund({ log: broken })])
      expect(findProblem(item)).toBe(odd(`log.${field}`));
  });
});

describe('a charge that nothing can refuse', () => {
  it.each<[string, Partial<ChargeSettlement>, boolean]>([
    ['has whole numbers and all values', {}, true],
    ['may have no rows', { log: null, rollup: null }, true],
    ['may have no cost', { rollup: { ...rollup, cost: undefined } }, true],
    [
      'has no guard',
      { guard: { table: 'tasks', id: 4, from: 'A', to: 'B', set: { quota: 1 } } },
      false,
    ],
    ['has whole numbers', { amount: 0.5 }, false],
    ['has all values of the row', { log: { ...log, tokenName: null as never } }, false],
    ['has all values of the sum', { rollup: { ...rollup, username: undefined as never } }, false],
  ])('%s', (_, more, certain) => {
    expect(isCertain(charge(more))).toBe(certain);
  });
});
