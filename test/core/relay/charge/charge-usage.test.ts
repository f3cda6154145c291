// Covers src/core/relay/charge/charge.ts.
/** What is charged for what an upstream reported, and what is counted where it said nothing. */
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../../src/core/canonical/usage.ts';
import { decimal, one } from '../../../../src/core/kernel/decimal.ts';
import { type Countable, nothingToCount } from '../../../../src/core/metering/countable.ts';
import { readDetails } from '../../../../src/core/pricing/details.ts';
import type { CallPrice, ModelPrice, RatioPrice } from '../../../../src/core/pricing/find-price.ts';
import type { MeasuredUsage } from '../../../../src/core/relay/attempt.ts';
import {
  believable,
  chargeUsage,
  type PricingContext,
} from '../../../../src/core/relay/charge/charge.ts';
import { call, plain, unit } from '../../pricing/sample-prices.ts';

const input: Countable = { ...nothingToCount, texts: ['in'] };
const said = (...texts: string[]): Countable => ({ ...nothingToCount, texts });

/** Counts 7 tokens of the request and 3 of an answer, and says what it was asked to count. */
async function charge(
  usage: Usage | undefined,
  used: Partial<MeasuredUsage> = {},
  pricing: Partial<PricingContext> = {},
  now = 0,
) {
  const counted: Countable[] = [];
  const charged = await chargeUsage(
    { usage, input: () => input, output: () => said('out'), ...used },
    { model: 'm', price: plain, groupRatio: one, quotaPerUnit: unit, ...pricing },
    {
      count: async (what: Countable) => {
        counted.push(what);
        return what === input ? 7 : 3;
      },
    } as never,
    now,
  );
  const { promptTokens, completionTokens } = charged.usage;
  const quota = charged.charge.quota;
  return { charged, counted, tokens: [promptTokens, completionTokens], quota };
}

describe('the usage of a conversation', () => {
  const both = { promptTokens: 10, completionTokens: 5 };

  it.each<[string, Usage | undefined, Partial<MeasuredUsage>, number[], 'upstream' | 'counted']>([
    ['is the reported one', both, {}, [10, 5], 'upstream'],
    ['is counted where none is reported', undefined, {}, [7, 3], 'counted'],
    ['is counted of the side that is left out', { promptTokens: 10 }, {}, [10, 3], 'counted'],
    ['is counted of the other side', { completionTokens: 5 }, {}, [7, 5], 'counted'],
    [
      'is counted where zero was reported of something',
      { promptTokens: 0, completionTokens: 0 },
      {},
      [7, 3],
      'counted',
    ],
    [
      'is zero where that is believed',
      { promptTokens: 0, completionTokens: 0 },
      { believesZero: true },
      [0, 0],
      'upstream',
    ],
    [
      'is counted of what is left out where zero is believed',
      { promptTokens: 0 },
      { believesZero: true },
      [0, 3],
      'counted',
    ],
    [
      'is zero of an answer without anything',
      { promptTokens: 10, completionTokens: 0 },
      { output: () => said(' ', '\n') },
      [10, 0],
      'upstream',
    ],
    [
      'is counted of an answer of which nothing is reported',
      { promptTokens: 10 },
      { output: () => said('') },
      [10, 3],
      'counted',
    ],
    [
      'is counted of an answer with some text',
      { promptTokens: 10, completionTokens: 0 },
      { output: () => said(' ', 'a') },
      [10, 3],
      'counted',
    ],
    [
      'is counted of an answer with marks',
      { promptTokens: 10, completionTokens: 0 },
      { output: () => ({ ...nothingToCount, tokens: 1 }) },
      [10, 3],
      'counted',
    ],
    [
      'is counted of an answer with an image',
      { promptTokens: 10, completionTokens: 0 },
      { output: () => ({ ...nothingToCount, images: [{ head: '' }] }) },
      [10, 3],
      'counted',
    ],
    [
      'is counted of both where the prompt is missing and the answer is empty',
      { completionTokens: 0 },
      { output: () => said('') },
      [7, 3],
      'counted',
    ],
    [
      'is counted where it is impossible',
      { ...both, cachedTokens: 1e9 + 1 },
      {},
      [7, 3],
      'counted',
    ],
    [
      'is counted where calls of a tool are impossible',
      { ...both, toolCalls: { web_search: 1e9 + 1 } },
      {},
      [7, 3],
      'counted',
    ],
    [
      'is counted where that of another model is impossible',
      { ...both, others: [{ model: 'x', usage: { promptTokens: 1, completionTokens: 2e9 } }] },
      {},
      [7, 3],
      'counted',
    ],
    [
      'is counted where the tools of another model are impossible',
      { ...both, others: [{ model: 'x', usage: { toolCalls: { web_search: 2e9 } } }] },
      {},
      [7, 3],
      'counted',
    ],
    ['may be very large', { ...both, promptTokens: 1e9 }, {}, [1e9, 5], 'upstream'],
  ])('%s', async (_, usage, used, tokens, source) => {
    const { charged, tokens: charged_, quota } = await charge(usage, used);
    expect([charged_, charged.source]).toEqual([tokens, source]);
    expect(quota).toBe((tokens[0] ?? 0) + 4 * (tokens[1] ?? 0));
    expect(charged.price).toBe(plain);
  });

  it('is not counted where it was reported, and of one side only where the other was', async () => {
    expect((await charge(both)).counted).toEqual([]);
    expect((await charge({ promptTokens: 10 })).counted).toEqual([said('out')]);
    expect((await charge({ completionTokens: 5 })).counted).toEqual([input]);
  });

  it('keeps what else was reported beside what was counted', async () => {
    const { charged } = await charge({ promptTokens: 10, cachedTokens: 4 });
    expect(charged.usage).toMatchObject({ promptTokens: 10, cachedTokens: 4, completionTokens: 3 });
  });

  it('has speech by its length, where no tokens were reported', async () => {
    const { tokens, counted } = await charge({ promptTokens: 10 }, { spokenSeconds: 60 });
    expect(tokens).toEqual([10, expect.any(Number)]);
    expect(tokens[1]).toBeGreaterThan(3);
    expect(counted).toEqual([]);
  });

  it('is no number of what is no number', () => {
    const odd = { raw: [{ n: 2e9 }], promptTokens: 1 } as unknown as Usage;
    expect(believable(odd)).toBe(odd);
    expect(believable({ promptTokens: 1, completionTokens: 2e9 })).toBeUndefined();
    expect(believable(undefined)).toBeUndefined();
  });
});

describe('calls that are measured', () => {
  const measured = { promptTokens: 10, completionTokens: 0 };
  const measure = (usageOf: (reported: Usage | undefined) => Usage | undefined) => ({
    measure: { promptTokens: 1, outputTokens: 0, usageOf },
  });

  it.each<[string, Usage | undefined, 'upstream' | 'counted']>([
    ['by what was reported', { promptTokens: 10 }, 'upstream'],
    ['by another figure', { promptTokens: 9 }, 'counted'],
    ['by none', undefined, 'counted'],
    ['by zero', { promptTokens: 0 }, 'counted'],
  ])('%s', async (_, usage, source) => {
    const { charged, counted } = await charge(
      usage,
      {},
      measure(() => measured),
    );
    expect(charged).toMatchObject({ usage: measured, source });
    expect(counted).toEqual([]);
    expect(
      (
        await charge(
          usage,
          {},
          measure(() => undefined),
        )
      ).counted,
    ).not.toEqual([]);
    const nothing = { promptTokens: 0 };
    expect(
      (
        await charge(
          usage,
          {},
          measure(() => nothing),
        )
      ).charged.source,
    ).toBe('counted');
  });
});

describe('images', () => {
  const order = { count: 3, size: '1024x1024', quality: '' };
  const drawn = (price: ModelPrice, model = 'm') => ({
    model,
    price,
    measure: { promptTokens: 1, outputTokens: 0, images: order },
  });

  it('cost each what was ordered and made', async () => {
    expect((await charge(undefined, {}, drawn(call))).quota).toBe(30_000);
    const { charged, quota } = await charge(undefined, { images: 2 }, drawn(call));
    expect([quota, charged.images]).toEqual([20_000, { ...order, count: 2 }]);
    expect(charged.price).toMatchObject({ kind: 'call', price: call.price });
    expect((await charge(undefined, { images: 5 }, drawn(call))).quota).toBe(30_000);
    expect((await charge(undefined, { images: 0 }, drawn(call))).quota).toBe(0);
  });

  it('cost their tokens where they are priced by tokens and reported', async () => {
    for (const usage of [{ promptTokens: 10 }, { completionTokens: 5 }]) {
      const { charged, quota } = await charge(usage, {}, drawn(plain));
      expect(charged).toMatchObject({ source: 'counted', price: plain });
      expect(charged.images).toBeUndefined();
      expect(quota).toBe(usage.promptTokens === 10 ? 10 + 12 : 7 + 20);
    }
    const whole = await charge({ promptTokens: 10, completionTokens: 5 }, {}, drawn(plain));
    expect([whole.quota, whole.charged.source]).toEqual([30, 'upstream']);
    const priced = await charge({ promptTokens: 10, completionTokens: 5 }, {}, drawn(call));
    expect(priced.quota).toBe(30_000);
  });

  it.each<[string, Usage, number]>([
    ['the prompt alone was reported', { promptTokens: 10 }, 10],
    ['none of the output was', { promptTokens: 10, completionTokens: 0 }, 10],
    ['nothing was', { promptTokens: 0, completionTokens: 0 }, 7],
  ])('cost the tokens that the model takes where %s', async (_, usage, prompt) => {
    const pricing = drawn(plain, 'gpt-image-1');
    const { charged, quota } = await charge(usage, { output: () => said('') }, pricing);
    const drawnTokens = 3 * 4160;
    expect(charged.usage).toMatchObject({ promptTokens: prompt, completionTokens: drawnTokens });
    expect([quota, charged.source]).toEqual([prompt + 4 * drawnTokens, 'counted']);
  });

  it('cost each by the ratio where nothing is known of their tokens', async () => {
    const { charged, quota } = await charge(undefined, { images: 1 }, drawn(plain));
    expect(charged.images).toEqual({ ...order, count: 1 });
    expect(quota).toBe(0.0025 * 500_000);
  });
});

describe('what other models did', () => {
  const others = [{ model: 'helper', usage: { promptTokens: 100, completionTokens: 0 } }];
  const usage: Usage = { promptTokens: 10, completionTokens: 5, others };
  const dear: RatioPrice = { ...plain, modelRatio: decimal(3) };

  it.each<[string, Partial<PricingContext>, number]>([
    ['costs what the model does', {}, 130],
    ['costs what the site says', { otherPrice: () => dear }, 330],
    ['has no price by the call', { otherPrice: (): CallPrice => call }, 130],
    ['has none that is known', { otherPrice: () => undefined }, 130],
    ['is in the price of a call', { price: call, otherPrice: () => dear }, 10_000],
  ])('%s', async (_, pricing, quota) => {
    expect((await charge(usage, {}, pricing)).quota).toBe(quota);
  });

  it('is named with its price', async () => {
    const { charged } = await charge(usage, {}, { otherPrice: () => dear });
    expect(charged.others).toEqual([{ ...others[0], price: dear }]);
    expect((await charge({ promptTokens: 1, completionTokens: 1 })).charged.others).toBeUndefined();
  });
});

describe('what replies do not report', () => {
  const usage: Usage = { promptTokens: 10, completionTokens: 5 };
  const price: RatioPrice = {
    ...plain,
    details: readDetails({
      tools: { web_search: 0.01 },
      factors: { offpeak: 0.5 },
      peakHours: [{ days: [4], from: 60, to: 120 }],
    }),
  };
  const at = (hour: number) => Date.UTC(1970, 0, 1, hour);

  it('is the hour', async () => {
    expect((await charge(usage, {}, { price }, at(1))).quota).toBe(30);
    const night = await charge(usage, {}, { price }, at(2));
    expect([night.quota, night.charged.usage.tiers]).toEqual([15, ['offpeak']]);
    expect((await charge(usage, {}, { price }, at(1))).charged.usage).toBe(usage);
    expect((await charge(usage, {}, { price: call }, at(2))).charged.usage).toBe(usage);
  });

  it('are tools that a model always calls', async () => {
    const always = { ...price, details: { ...price.details, alwaysCalled: { web_search: 2 } } };
    const pricing = { price: always as RatioPrice };
    const { quota, charged } = await charge(usage, {}, pricing, at(1));
    expect([quota, charged.usage.toolCalls]).toEqual([30 + 10_000, { web_search: 2 }]);
    const called = { ...usage, toolCalls: { web_search: 1 } };
    expect((await charge(called, {}, pricing, at(1))).quota).toBe(30 + 5000);
  });
});
