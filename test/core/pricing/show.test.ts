import { describe, expect, it } from 'vitest';
import { decimal, one, toText } from '../../../src/core/kernel/decimal.ts';
import { type BillableUsage, priceUsage } from '../../../src/core/pricing/cost.ts';
import { explainLog, makeTicket } from '../../../src/core/pricing/explain.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import * as format from '../../../src/core/pricing/format.ts';
import { amountInUnits, formatBalance, formatPaid } from '../../../src/core/pricing/format-sums.ts';
import { priceFields } from '../../../src/core/pricing/price-fields.ts';
import {
  completionRatioFromPrices,
  inYuan,
  pricePerCall,
  pricesPerMillion,
  ratioFromPrice,
} from '../../../src/core/pricing/price-per-million.ts';
import { pricesWith } from './default-tables.ts';

const unit = decimal(500_000);
const dollars = { inCurrency: true, quotaPerUnit: unit };
const tables = pricesWith();
const priceOf = (model: string) => {
  const price = findPrice(model, tables);
  if (price === undefined) throw new Error(`no price: ${model}`);
  return price;
};
const parts = (money: format.FormattedMoney) => money.segments.map((segment) => segment.text);

describe('format', () => {
  it('what is not 0 is shown as 0 nowhere: balances, orders, numbers, files', () => {
    const balance = (amount: number, currency = 'USD') => formatBalance({ amount, currency });
    expect([0, 0.004, -0.0042, 1e-9, 0.05, 1234.5].map((amount) => balance(amount))).toEqual([
      '$0.00',
      '$0.004',
      '-$0.0042',
      '$0.000000001',
      '$0.05',
      '$1,234.50',
    ]);
    expect([balance(3, 'CNY'), balance(120, 'POINTS')]).toEqual(['¥3.00', '120.00 POINTS']);
    // Stored before balances had currencies.
    expect(balance(-1234567.891, '')).toBe('-$1,234,567.89');
    expect([0, 346.75, 1234, 0.3 - 0.1, 0.001, -0.5].map(formatPaid)).toEqual([
      '0.00',
      '346.75',
      '1234.00',
      '0.20',
      '0.001',
      '-0.50',
    ]);
    expect([1 / 3, 1.25, 0.000_000_12, 5].map((value) => format.shortNumber(value))).toEqual([
      '0.333333',
      '1.25',
      '0.00000012',
      '5',
    ]);
    // One quota, by units of which six places say nothing.
    expect(toText(amountInUnits(1, decimal(500_000)))).toBe('0.000002');
    expect(toText(amountInUnits(1, decimal(500_000_000)))).toBe('0.000000002');
    expect(toText(amountInUnits(-3, decimal(1)))).toBe('-3');
  });

  it.each([
    [3369, '$0.006738', ['$', '0.00', '6738']],
    [421, '$0.000842', ['$', '0.000', '842']],
    [81_544, '$0.163088', ['$', '0.', '163088']],
    [0, '$0.000000', ['$', '0.000000']],
    [617_283_945, '$1,234.567890', ['$', '1,234.567890']],
    [-3369, '−$0.006738', ['−', '$', '0.00', '6738']],
  ])('cost of %i quota', (quota, text, segments) => {
    expect(format.formatCost(quota, dollars)).toMatchObject({ text });
    expect(parts(format.formatCost(quota, dollars))).toEqual(segments);
  });

  it.each([
    [64_200_000, '$128.40', ['$', '128', '.40']],
    [-2500, '−$0.005', ['−', '$', '0', '.005']],
    [1, '$0.000002', ['$', '0', '.000002']],
    [26_150, '$0.052', ['$', '0', '.052']],
    [49_900, '$0.10', ['$', '0', '.10']],
    [0, '$0.00', ['$', '0', '.00']],
    [500_000_000_000, '$1,000,000.00', ['$', '1,000,000', '.00']],
  ])('total of %i quota', (quota, text, segments) => {
    expect(format.formatTotal(quota, dollars).text).toBe(text);
    expect(parts(format.formatTotal(quota, dollars))).toEqual(segments);
  });

  it.each([
    ['3', '$3.00'],
    ['0.0224', '$0.0224'],
    ['2.0016', '$2.0016'],
    ['0.224', '$0.224'],
    ['0.136986301369863', '$0.137'],
    ['0.00125', '$0.00125'],
    ['0.000000044', '$0.000000044'],
    ['0', '$0.00'],
    ['1234.5', '$1,234.50'],
  ])('price %s', (price, text) => {
    expect(format.formatPrice(decimal(price)).text).toBe(text);
  });

  it('shows quota where currency display is off', () => {
    const points = { inCurrency: false, quotaPerUnit: unit };
    expect(format.formatCost(16_789, points).text).toBe('16,789');
    expect(format.formatTotal(-1_234_567, points).text).toBe('−1,234,567');
    expect(format.formatQuota(0).text).toBe('0');
  });

  it('uses the symbol and rate of the site', () => {
    expect(
      format.formatTotal(1000, { inCurrency: true, quotaPerUnit: decimal(100), symbol: '¥' }).text,
    ).toBe('¥10.00');
    expect(format.formatAmount(decimal('0.0183964'), { symbol: '¥' }).text).toBe('¥0.018396');
    expect(format.formatDecimal(decimal('-16788.96'))).toBe('−16,788.96');
  });

  it.each([
    [0, '0'],
    [9999, '9,999'],
    [10_000, '10.0k'],
    [12_480, '12.5k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [41_812_345, '41.8M'],
    [1_234_567_890, '1.2B'],
    [-29_000, '−29.0k'],
  ])('%i tokens in short', (count, text) => {
    expect(format.formatTokenCount(count)).toBe(text);
  });

  it('shows counts in full', () => {
    expect(format.formatCount(12_480)).toBe('12,480');
  });
});

describe('prices per million', () => {
  const sonnet = priceOf('claude-sonnet-4-5');

  it('prompt = 2 × ratio × group ratio, completion = × completion ratio', () => {
    if (sonnet.kind !== 'ratio') throw new Error('not a ratio');
    const prices = pricesPerMillion(sonnet, decimal('0.8'), unit);
    expect(
      [prices.prompt, prices.completion, prices.cached, prices.cacheWrite].map(toText),
    ).toEqual(['2.4', '12', '0.24', '3']);
    expect(prices.audioIn).toBeUndefined();
    expect(toText(inYuan(prices.prompt, decimal('7.3')))).toBe('17.52');
  });

  it('follows QuotaPerUnit', () => {
    if (sonnet.kind !== 'ratio') throw new Error('not a ratio');
    expect(toText(pricesPerMillion(sonnet, one, decimal(1_000_000)).prompt)).toBe('1.5');
  });

  it('converts prices back to ratios', () => {
    expect(ratioFromPrice(decimal('0.28'), unit)).toBe(0.14);
    expect(completionRatioFromPrices(decimal('0.6'), decimal('2.4'))).toBe(4);
    expect(completionRatioFromPrices(decimal(0), decimal('2.4'))).toBeUndefined();
  });

  it('per call', () => {
    expect(pricePerCall(sonnet, one)).toBeUndefined();
    expect(toText(pricePerCall(priceOf('dall-e-3'), decimal('0.8')) ?? one)).toBe('0.032');
  });
});

describe('the ticket', () => {
  const usage: BillableUsage = {
    promptTokens: 18_420,
    cachedTokens: 12_288,
    completionTokens: 1326,
  };

  it('explains a row with cached tokens and a group ratio', () => {
    const ticket = makeTicket(
      priceUsage(usage, priceOf('claude-sonnet-4-5'), decimal('0.8'), unit),
      unit,
    );
    const shown = ticket.lines.map((line) => [
      line.kind,
      `${format.formatCount(line.count)} × ${format.formatPrice(line.price).text}/1M`,
      format.formatAmount(line.amount).text,
    ]);
    expect(shown).toEqual([
      ['input', '6,132 × $3.00/1M', '$0.018396'],
      ['cached', '12,288 × $0.30/1M', '$0.003686'],
      ['output', '1,326 × $15.00/1M', '$0.019890'],
    ]);
    expect([
      format.formatDecimal(ticket.raw),
      format.formatCount(ticket.quota),
      format.formatCost(ticket.quota, dollars).text,
    ]).toEqual(['16,788.96', '16,789', '$0.033578']);
  });

  it.each<[string, BillableUsage, string]>([
    ['claude-sonnet-4-5', usage, '0.8'],
    [
      'claude-sonnet-4-5',
      {
        promptTokens: 9000,
        cachedTokens: 10,
        cacheWriteTokens: 3000,
        cacheWrite1hTokens: 1000,
        completionTokens: 7,
      },
      '1.1',
    ],
    [
      'gpt-4o-audio-preview',
      {
        promptTokens: 1100,
        promptAudioTokens: 100,
        completionTokens: 250,
        completionAudioTokens: 50,
      },
      '1',
    ],
    ['gpt-image-1', { promptTokens: 300, promptImageTokens: 200, completionTokens: 10 }, '1'],
    ['dall-e-3', {}, '0.7'],
    ['gpt-3.5-turbo-16k', { promptTokens: 77, completionTokens: 3 }, '0.3333'],
  ])('a log row of %s explains its own charge', (model, used, group) => {
    const price = priceOf(model);
    const charge = priceUsage(used, price, decimal(group), unit);
    const other = JSON.parse(JSON.stringify(priceFields(used, price, decimal(group)))) as Record<
      string,
      unknown
    >;
    const row = {
      prompt_tokens: used.promptTokens ?? 0,
      completion_tokens: used.completionTokens ?? 0,
      quota: charge.quota,
      other,
    };
    const ticket = explainLog(row, unit);
    expect(ticket).toMatchObject({ quota: charge.quota, exact: true });
    expect(toText(ticket?.raw ?? one)).toBe(toText(charge.raw));
  });

  it('reads imported rows of the Claude route, whose prompt excludes the cache', () => {
    const other = {
      claude: true,
      model_ratio: 1.5,
      model_price: -1,
      completion_ratio: 5,
      group_ratio: 1,
      user_group_ratio: -1,
      cache_tokens: 6000,
      cache_ratio: 0.1,
      cache_creation_tokens: 3000,
      cache_creation_ratio: 1.25,
    };
    expect(
      explainLog({ prompt_tokens: 1000, completion_tokens: 100, quota: 8775, other }, unit),
    ).toMatchObject({ exact: true });
  });

  it('prefers the special group ratio', () => {
    const price = priceOf('gpt-4o');
    const other = {
      ...priceFields({ promptTokens: 1000 }, price, decimal('0.5'), decimal('0.5')),
      group_ratio: 1,
    };
    expect(other.user_group_ratio).toBe(0.5);
    expect(
      explainLog({ prompt_tokens: 1000, completion_tokens: 0, quota: 625, other }, unit),
    ).toMatchObject({ exact: true });
  });

  it('reports a row that was charged differently', () => {
    const other = { model_ratio: 1, completion_ratio: 1, group_ratio: 1 };
    expect(
      explainLog({ prompt_tokens: 10, completion_tokens: 0, quota: 12, other }, unit),
    ).toMatchObject({
      quota: 12,
      exact: false,
    });
  });

  it('is undefined for rows without a price', () => {
    expect(
      explainLog({ prompt_tokens: 0, completion_tokens: 0, quota: 500_000, other: {} }, unit),
    ).toBeUndefined();
  });
});

it('a row with a price per call keeps its cached tokens, which cost nothing', () => {
  const usage = { promptTokens: 900, cachedTokens: 700, cacheWriteTokens: 100 };
  const fields = priceFields(usage, { kind: 'call', price: decimal('0.02') }, decimal(1));
  expect(fields).toMatchObject({
    model_price: 0.02,
    model_ratio: 0,
    cache_tokens: 700,
    cache_creation_tokens: 100,
  });
  const row = { prompt_tokens: 900, completion_tokens: 5, quota: 10_000, other: { ...fields } };
  expect(explainLog(row, decimal(500_000))).toMatchObject({ quota: 10_000, exact: true });
});
