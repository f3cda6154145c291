import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import {
  defaultOptions,
  type OptionKey,
  type OptionValue,
} from '../../../src/core/options/index.ts';
import { priceTopUp, readCents, yuanText } from '../../../src/core/payments/top-up-price.ts';

type Changes = Partial<ReturnType<typeof defaultOptions>>;

function price(amount: number, changes: Changes = {}, group = 'default', topUpCode = '') {
  const values = { ...defaultOptions(), ...changes };
  try {
    return priceTopUp({ amount, topUpCode }, group, {
      get: <K extends OptionKey>(key: K) => values[key] as OptionValue<K>,
    });
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe('the price of a top-up', () => {
  test.each<[string, () => ReturnType<typeof price>, unknown]>([
    ['units', () => price(10), { moneyCents: 7300, quota: 5_000_000 }],
    [
      'the group has a ratio',
      () => price(10, { TopupGroupRatio: { vip: 0.9 } }, 'vip'),
      { moneyCents: 6570, quota: 5_000_000 },
    ],
    [
      'a group without one pays the full price',
      () => price(10, { TopupGroupRatio: { vip: 0.9 } }, 'toString'),
      { moneyCents: 7300 },
    ],
    [
      'a discount code',
      () => price(10, { TopUpCodes: { half: 0.5 } }, '', 'half'),
      { moneyCents: 3650, quota: 5_000_000 },
    ],
    [
      'an unknown code',
      () => price(10, { TopUpCodes: { half: 0.5 } }, '', 'Half'),
      'top_up_code_invalid',
    ],
    [
      'a name of every object is no code',
      () => price(10, {}, '', 'constructor'),
      'top_up_code_invalid',
    ],
    ['half a cent goes up', () => price(1, { Price: 0.005 }), { moneyCents: 1 }],
    ['less than half a cent', () => price(1, { Price: 0.0049 }), 'top_up_money_too_low'],
    ['1.005 is not 1.00499…', () => price(1, { Price: 1.005 }), { moneyCents: 101 }],
    ['below the minimum', () => price(4, { MinTopUp: 5 }), 'top_up_too_small'],
    ['the minimum', () => price(5, { MinTopUp: 5 }), { moneyCents: 3650 }],
    ['negative', () => price(-1), 'top_up_too_small'],
    ['huge', () => price(Number.MAX_SAFE_INTEGER), 'amount_limit'],
    ['no quota', () => price(1, { QuotaPerUnit: 0.5 }), 'top_up_money_too_low'],
    ['the least quota', () => price(1, { QuotaPerUnit: 1 }), { moneyCents: 730, quota: 1 }],
    ['quota of a fraction is cut off', () => price(3, { QuotaPerUnit: 0.5 }), { quota: 1 }],
    [
      'quota: half a unit',
      () => price(250_000, { DisplayInCurrencyEnabled: false, MinTopUp: 0 as number }),
      { moneyCents: 365, quota: 250_000 },
    ],
    [
      'quota below the minimum',
      () => price(499_999, { DisplayInCurrencyEnabled: false }),
      'top_up_too_small',
    ],
    [
      'quota: the division is exact',
      () => price(500_001, { DisplayInCurrencyEnabled: false }),
      { moneyCents: 730, quota: 500_001 },
    ],
  ])('%s', (_name, made, expected) => {
    const actual = made();
    if (typeof expected === 'string') expect(actual).toBe(expected);
    else expect(actual).toMatchObject(expected as object);
  });
});

test('what is too small says what is not', () => {
  const values = { ...defaultOptions(), DisplayInCurrencyEnabled: false };
  const options = { get: <K extends OptionKey>(key: K) => values[key] as OptionValue<K> };
  expect(() => priceTopUp({ amount: 1, topUpCode: '' }, 'default', options)).toThrow(
    expect.objectContaining({ code: 'top_up_too_small', params: { min: '500000' } }),
  );
});

test('cents as yuan and back', () => {
  expect([1, 10, 100, 7300, 123_456_789].map(yuanText)).toEqual([
    '0.01',
    '0.10',
    '1.00',
    '73.00',
    '1234567.89',
  ]);
  expect(['73.00', '73', '73.0', '0.01', '73.000000'].map(readCents)).toEqual([
    7300, 7300, 7300, 1, 7300,
  ]);
  for (const text of [
    '',
    '-1',
    '73.001',
    '1e2',
    ' 73',
    '73,00',
    '0x10',
    '.5',
    'NaN',
    '9'.repeat(20),
  ]) {
    expect(readCents(text), text).toBeUndefined();
  }
});
