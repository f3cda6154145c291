// Covers src/core/relay/charge/bill.ts, src/core/relay/charge/estimate-hold.ts, src/core/relay/charge/hold.ts.
/** What is held for a request, by its price, its limits and its site. */
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { buildPriceTables } from '../../../../src/core/pricing/tables.ts';
import type { RequestBody } from '../../../../src/core/relay/body/request-body.ts';
import { openBill } from '../../../../src/core/relay/charge/bill.ts';
import type { BillRequest } from '../../../../src/core/relay/charge/estimate-hold.ts';
import { codeOf } from '../../billing/ledger-support.ts';
import {
  contextOf,
  done,
  held,
  nothingDone,
  outcome,
  priceOptions,
  request,
  type Site,
  settle,
} from './bill-bench.ts';

beforeEach(nothingDone);

describe('what is held', () => {
  const images = { count: 3, size: '1024x1024', quality: '' };
  const measure = { promptTokens: 1, outputTokens: 6 };

  it.each<[string, Partial<BillRequest>, Site, object]>([
    ['is the most that the request can cost', {}, {}, { amount: 60 }],
    ['is by the group', {}, { context: { group: 'vip' } }, { amount: 30 }],
    [
      'is by what the group of the user pays there',
      {},
      { context: { group: 'vip' }, caller: { userGroup: 'staff' } },
      { amount: 15 },
    ],
    ['has all answers', { answers: 3 }, {}, { amount: 140 }],
    [
      'may be less where the limit is far',
      { maxOutputTokens: 100_000 },
      {},
      { amount: 800_020, smallAmount: 8212 },
    ],
    [
      'may be less of each answer',
      { maxOutputTokens: 2048, answers: 2 },
      {},
      { amount: 32_788, smallAmount: 16_404 },
    ],
    [
      'is by experience where there is no limit',
      { maxOutputTokens: undefined },
      {},
      { amount: 8212 },
    ],
    [
      'has the largest prompt that it can be',
      { most: { promptTokens: 50, mediaTokens: 0, caching: 'none' } },
      {},
      { amount: 140, smallAmount: 60 },
    ],
    ['has a least number of tokens', {}, { policy: { leastHeldTokens: 100 } }, { amount: 230 }],
    [
      'has that with its media',
      { most: { promptTokens: 10, mediaTokens: 20, caching: 'none' } },
      { policy: { leastHeldTokens: 100 } },
      { amount: 230 },
    ],
    ['is the price of a call', { model: 'caller' }, {}, { amount: 20 }],
    ['has each image', { model: 'caller', measure: { ...measure, images } }, {}, { amount: 60 }],
    [
      'has the tokens of images with a ratio, which a reply may report, and else each of them',
      { measure: { ...measure, images } },
      {},
      { amount: 99_860, smallAmount: 15 },
    ],
    ['has the output of a call that is measured', { measure }, {}, { amount: 68 }],
    [
      'is what a call is expected to use',
      { measure: { ...measure, expected: { promptTokens: 40, completionTokens: 1 } } },
      {},
      { amount: 88, smallAmount: expect.any(Number) },
    ],
    [
      'is the price of a call, whatever that is expected to use',
      { model: 'caller', measure: { ...measure, expected: { promptTokens: 40 } } },
      {},
      { amount: 20 },
    ],
  ])('%s', async (_, more, site, expected) => {
    await openBill(contextOf(site), request(more));
    const { smallAmount, ...rest } = { smallAmount: undefined, ...(held() as object) };
    const known = smallAmount === undefined ? {} : { smallAmount };
    expect({ ...rest, ...known }).toEqual({
      requestId: 'r',
      userId: 4,
      tokenId: 5,
      ...expected,
    });
  });

  it('needs a price, unless the call is free without one', async () => {
    const open = (more: Partial<BillRequest>, site: Site = {}) =>
      openBill(contextOf(site), request({ model: 'unknown', ...more }));
    await expect(open({})).rejects.toMatchObject({
      code: 'model_price_error',
      params: { model: 'unknown' },
    });
    expect(done).toEqual([]);
    await open({}, { policy: { selfUse: true } });
    await open({}, { caller: { acceptUnpriced: true } });
    expect(done).toHaveLength(2);
    nothingDone();
    const free = { promptTokens: 1, outputTokens: 0, freeUnpriced: true };
    const { charge } = await settle(open({ measure: free }), { upstreamModel: 'unknown' });
    expect([held(), charge.amount]).toEqual([expect.objectContaining({ amount: 0 }), 0]);
    nothingDone();
    await open({ model: 'thinker', measure: free });
    expect(held()).toMatchObject({ amount: 20 });
  });

  it('counts against rates by what is expected, with the tags of the request', async () => {
    const rates: unknown[] = [];
    const ended: number[] = [];
    const budgets = {
      windowsOf: (...given: unknown[]) => void rates.push(given.at(-1)),
      enterRates: ({ tokens, subjects }: { tokens: number; subjects: unknown }) => {
        rates.push(tokens, subjects);
        return Promise.resolve({ end: (used: number) => ended.push(used) });
      },
    };
    const open = (more: Partial<BillRequest>, headers = {}) =>
      openBill(contextOf({ deps: { budgets }, headers }), request(more));
    const bill = await open({ subjects: { conversation: 'c' } as never });
    expect(rates).toEqual([15, { conversation: 'c' }, { conversation: 'c' }]);
    await bill.settle(outcome());
    expect(ended).toEqual([15]);
    rates.length = 0;
    await (await open({ maxOutputTokens: 5000, answers: 2 })).release();
    await open({ measure: { promptTokens: 1, outputTokens: 6 } }, { 'x-turnpike-tags': 'a' });
    await open({ unrated: true });
    expect(rates).toEqual([
      10 + 2 * 1024,
      undefined,
      undefined,
      10,
      { tags: ['a'] },
      { tags: ['a'] },
      undefined,
    ]);
    expect(ended).toEqual([15, 0]);
  });

  it('leaves no rate behind where the money is refused', async () => {
    const ended: number[] = [];
    const budgets = {
      windowsOf: () => Promise.resolve([{ id: 3 }]),
      enterRates: async () => ({ end: (used: number) => ended.push(used) }),
    };
    const hold = (): never => {
      throw new AppError('budget_exceeded', { budget: 'team', endsAt: 200 });
    };
    await expect(openBill(contextOf({ deps: { budgets }, hold }), request())).rejects.toMatchObject(
      {
        code: 'budget_exceeded',
        params: { budget: 'team', until: '1970-01-01T00:03:20.000Z', retryAfter: 93 },
      },
    );
    expect(held()).toMatchObject({ windows: [{ id: 3 }] });
    expect(ended).toEqual([0]);
  });
});

describe('the budget that ends first', () => {
  let serial = 0;
  const named = async (more: object) => {
    const context = contextOf({ hold: () => ({ tightest: more }) });
    await openBill(context, request());
    return context.response.addedHeaders;
  };

  it('is named to the caller, as it is now', async () => {
    // What was written for one request may be used for the next one.
    serial += 1;
    const tightest = { budget: `Team ${serial}`, limit: 900, endsAt: 200 * serial, left: 7 };
    const changes = [{}, { left: 6 }, { budget: 'B' }, { limit: 800 }, { endsAt: 100 }];
    for (const more of changes.flatMap((change) => [{}, change, {}])) {
      const { budget, limit, endsAt, left } = { ...tightest, ...more };
      expect(await named({ budget, limit, endsAt, left })).toEqual({
        'x-turnpike-budget': encodeURIComponent(budget),
        'x-turnpike-budget-limit': String(limit),
        'x-turnpike-budget-reset': new Date(endsAt * 1000).toISOString(),
        'x-turnpike-budget-remaining': String(left),
      });
    }
    const endless = await named({ ...tightest, endsAt: 0 });
    expect(endless).not.toHaveProperty('x-turnpike-budget-reset');
  });

  it('is not named where there is none', async () => {
    const context = contextOf();
    await openBill(context, request());
    expect(context.response.addedHeaders).toBeUndefined();
    expect(held()).toMatchObject({ windows: undefined });
  });
});

describe('money that is refused', () => {
  const refused = (error: Error) =>
    openBill(
      contextOf({
        hold: () => {
          throw error;
        },
      }),
      request(),
    );

  it('says when a budget begins anew, in a second at least', async () => {
    const exceeded = (params: object) => refused(new AppError('budget_exceeded', { ...params }));
    await expect(exceeded({ budget: 'b', endsAt: 107 })).rejects.toMatchObject({
      params: { budget: 'b', until: '1970-01-01T00:01:47.000Z', retryAfter: 1 },
    });
    await expect(exceeded({ budget: 'b' })).rejects.toMatchObject({ params: { budget: 'b' } });
    await expect(exceeded({ budget: 'b' })).rejects.not.toMatchObject({
      params: { retryAfter: expect.anything() },
    });
  });

  it('of a token that is used up is noted at the token, and told to others', async () => {
    const announced = Promise.withResolvers<unknown[]>();
    const noted: unknown[] = [];
    const deps = {
      storage: { tokens: { setStatus: async (...given: unknown[]) => noted.push(...given) } },
      changes: { announce: async (...given: unknown[]) => announced.resolve(given) },
    };
    const hold = () => {
      throw new AppError('token_exhausted');
    };
    const context = contextOf({ deps, hold, caller: { tokenStatus: 1 } });
    expect(await codeOf(openBill(context, request()))).toBe('token_exhausted');
    expect(await announced.promise).toEqual(['token', 5]);
    expect(noted).toEqual([5, 1, 4]);
  });

  it('is what the ledger says', async () => {
    const busy = new AppError('small_hold_busy');
    await expect(refused(busy)).rejects.toBe(busy);
    const broken = new Error('no ledger');
    await expect(refused(broken)).rejects.toBe(broken);
  });
});

describe('what a request asks for besides tokens', () => {
  const bodyOf = (fields: Readonly<Record<string, unknown>>) =>
    ({
      media: { parts: 0, bytes: 0, sealedBytes: 0, caching: 'none' },
      has: (name: string) => name in fields,
      kind: (name: string) => (Array.isArray(fields[name]) ? 'array' : typeof fields[name]),
      get: (name: string) => fields[name],
    }) as unknown as RequestBody;
  const details = { factors: { flex: 0.5, priority: 2 }, tools: { web_search: 0.01 } };
  const deps = { routing: { tiers: () => [{ channels: [{ rules: { strips: [] } }] }] } };
  const tables = (own: object) => buildPriceTables({ ...priceOptions, ...own });
  const site: Site = {
    deps,
    policy: { prices: tables({ ModelPriceDetails: { thinker: details } }) },
  };

  it.each<[string, Record<string, unknown>, object]>([
    ['is nothing', {}, { amount: 60 }],
    ['is a dearer tier', { service_tier: 'priority' }, { amount: 120 }],
    ['is a cheaper tier', { service_tier: 'flex' }, { amount: 30 }],
    ['is a tool', { tools: [{ type: 'web_search' }] }, { amount: 60 + 30, smallAmount: 60 }],
  ])('%s', async (_, fields, amounts) => {
    await openBill(contextOf(site), request({ body: bodyOf(fields) }));
    expect(held()).toMatchObject(amounts);
  });

  it('is an image at the price of the model that draws it, or at its own', async () => {
    const drawing = { tools: [{ type: 'image_generation', model: 'painter', quality: 'low' }] };
    const open = async (own: object) => {
      nothingDone();
      const prices = tables({ ModelPriceDetails: { thinker: details }, ...own });
      await openBill(contextOf({ deps, policy: { prices } }), request({ body: bodyOf(drawing) }));
      return (held() as { amount: number }).amount - 60;
    };
    const own = await open({ ModelRatio: { thinker: 2, painter: 1 } });
    expect(own).toBeGreaterThan(0);
    // Of the model itself each token of output is eight times as dear.
    expect(await open({})).toBe(8 * own);
    expect(await open({ ModelPrice: { painter: 5 } })).toBe(8 * own);
  });
});

it('counts speech only where it is priced by tokens and measured', async () => {
  const speaks = { promptTokens: 1, outputTokens: 0, speaks: true };
  const counts = async (more: Partial<BillRequest>) =>
    (await openBill(contextOf(), request(more))).countsSpeech;
  expect(await counts({ measure: speaks })).toBe(true);
  expect(await counts({ measure: { ...speaks, speaks: false } })).toBe(false);
  expect(await counts({ model: 'caller', measure: speaks })).toBe(false);
  expect(await counts({})).toBe(false);
  expect(
    await codeOf(openBill(contextOf({ headers: { 'x-turnpike-tags': '%' } }), request())),
  ).toBe('tags_invalid');
});
