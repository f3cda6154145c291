/** The parts of which sums are made, and the bounds at which their form changes. */
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../src/core/kernel/decimal.ts';
import {
  digitsOf,
  type FormattedMoney,
  formatAmount,
  formatCost,
  formatDecimal,
  formatPrice,
  formatQuota,
  formatSeconds,
  formatTokenCount,
  formatTotal,
  placesOf,
  shortNumber,
} from '../../../src/core/pricing/format.ts';

const money = { inCurrency: true, quotaPerUnit: decimal(500_000), symbol: '¥' };
const parts = ({ text, segments }: FormattedMoney) => {
  expect(segments.map((segment) => segment.text).join('')).toBe(text);
  return segments.map(({ part, text: shown }) => [part, shown]);
};

describe('the parts of a sum', () => {
  it('of a cost are its leading zeros and its digits', () => {
    expect(parts(formatCost(3369, money))).toEqual([
      ['symbol', '¥'],
      ['zeros', '0.00'],
      ['digits', '6738'],
    ]);
    expect(parts(formatCost(-617_500_000, money))).toEqual([
      ['sign', '−'],
      ['symbol', '¥'],
      ['digits', '1,235.000000'],
    ]);
    expect(parts(formatCost(250_000, money))).toEqual([
      ['symbol', '¥'],
      ['zeros', '0.'],
      ['digits', '500000'],
    ]);
  });

  it('of a total are its units and its cents', () => {
    expect(parts(formatTotal(64_200_000, money))).toEqual([
      ['symbol', '¥'],
      ['digits', '128'],
      ['cents', '.40'],
    ]);
  });

  it('of a price and of an amount are their digits', () => {
    expect(parts(formatPrice(decimal('-1234.5'), money))).toEqual([
      ['sign', '−'],
      ['symbol', '¥'],
      ['digits', '1,234.50'],
    ]);
    expect(parts(formatAmount(decimal('0.018396'), money))).toEqual([
      ['symbol', '¥'],
      ['digits', '0.018396'],
    ]);
    expect(formatAmount(decimal(2)).text).toBe('$2.000000');
  });

  it('of quota are its sign and its digits', () => {
    expect(parts(formatQuota(-1_234_567))).toEqual([
      ['sign', '−'],
      ['digits', '1,234,567'],
    ]);
    expect(parts(formatQuota(0))).toEqual([['digits', '0']]);
    const quota = { ...money, inCurrency: false };
    expect(parts(formatCost(-5, quota))).toEqual(parts(formatQuota(-5)));
    expect(parts(formatTotal(5, quota))).toEqual(parts(formatQuota(5)));
  });
});

it.each([
  ['0.00123', 2, 4],
  ['-0.00123', 2, 4],
  ['0.5', 2, 2],
  ['10.00123', 2, 2],
  ['0', 6, 6],
])('%s with %i places has %i', (value, places, expected) => {
  expect(placesOf(decimal(value), places)).toBe(expected);
});

it.each([
  ['0.0099', '$0.0099'],
  ['0.00994', '$0.00994'],
  ['0.01', '$0.01'],
  ['0.010049', '$0.01'],
  ['-0.01', '−$0.01'],
  ['-0.00994', '−$0.00994'],
  ['2', '$2.00'],
  ['0.0224', '$0.0224'],
  ['0.22449', '$0.2245'],
])('the price %s is %s', (value, text) => {
  expect(formatPrice(decimal(value)).text).toBe(text);
});

it.each([
  [9999, '9,999'],
  [10_000, '10.0k'],
  [-12_480, '−12.5k'],
  [999_949, '999.9k'],
  [999_950, '1.0M'],
  [999_949_999, '999.9M'],
  [999_950_000, '1.0B'],
  [-1_234_500_000_000, '−1,234.5B'],
])('%i tokens are %s', (count, text) => {
  expect(formatTokenCount(count)).toBe(text);
});

it.each([
  [0, '0.00'],
  [0.001, '<0.01'],
  [0.01, '0.01'],
  [0.62, '0.62'],
  [9.994, '9.99'],
  [10, '10.0'],
  [14.24, '14.2'],
  [-1, '-1.00'],
])('%d seconds are %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

it('decimals keep all their places, and numbers lose the noise of a division', () => {
  expect(formatDecimal(decimal('16788.96'))).toBe('16,788.96');
  expect(formatDecimal(decimal('-1234'))).toBe('−1,234');
  expect(shortNumber(0.1 + 0.2)).toBe('0.3');
  expect(shortNumber(1.005, 2)).toBe('1.01');
  expect(digitsOf(decimal('1.23456'), 2, 3)).toEqual({
    negative: false,
    whole: '1',
    fraction: '234',
  });
});
