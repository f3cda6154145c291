// Covers src/core/relay/charge/usage-log-row.ts, src/core/relay/charge/rollup-of.ts, src/core/relay/charge/record-traffic.ts, src/core/relay/charge/trace-request.ts, src/core/relay/charge/bill.ts.
/** What is written about a charge: the row, the hourly sum, the figures, the trace. */
import { beforeEach, describe, expect, it } from 'vitest';
import { maxAmount } from '../../../../src/core/kernel/quota.ts';
import { buildPriceTables } from '../../../../src/core/pricing/tables.ts';
import { openBill } from '../../../../src/core/relay/charge/bill.ts';
import { recordFailed } from '../../../../src/core/relay/charge/record-traffic.ts';
import {
  contextOf,
  done,
  nothingDone,
  priceOptions,
  request,
  type Site,
  settle,
} from './bill-bench.ts';

beforeEach(nothingDone);

describe('what is written', () => {
  it('is a row with what was used, and the hour', async () => {
    const { charge, row, other } = await settle(openBill(contextOf(), request()));
    expect(row).toEqual({
      userId: 4,
      username: 'ann',
      createdAt: 107,
      type: 2,
      content: '',
      tokenName: 'key',
      tokenId: 5,
      modelName: 'thinker',
      quota: 56,
      promptTokens: 10,
      completionTokens: 5,
      useTime: 8,
      isStream: false,
      channelId: 7,
      group: 'default',
      requestId: 'r',
      tags: '',
    });
    expect(other).toMatchObject({
      group: 'default',
      usage_source: 'upstream',
      use_ms: 7600,
      model_ratio: 2,
      request_path: '/v1/chat/completions',
      admin_info: {
        use_channel: ['6', '7'],
        route: [{ channel: 6 }, { channel: 7 }],
        ip: '::1',
        held: 60,
      },
    });
    for (const name of ['frt', 'is_model_mapped', 'ended', 'playground_key', 'claude', 'uncharged'])
      expect(other).not.toHaveProperty(name);
    expect(Object.keys(other['admin_info'] as object)).toEqual([
      'use_channel',
      'route',
      'ip',
      'held',
    ]);
    expect(charge.rollup).toMatchObject({ modelName: 'thinker', hour: 0, tokens: 15 });
  });

  it('has what is special in a request', async () => {
    const site: Site = {
      context: { playgroundKey: 3 },
      headers: { 'x-turnpike-tags': 'a, b' },
      hold: () => ({ small: true }),
    };
    const bill = openBill(
      contextOf(site),
      request({ format: { logsPromptWithoutCache: true } as never }),
    );
    const { row, other, charge } = await settle(bill, {
      startedAt: 105_000,
      firstByteAt: 105_400,
      stream: true,
      ended: 'client_gone',
      upstreamModel: 'other',
      reasoningEffort: 'high',
      usage: {
        promptTokens: 10,
        completionTokens: 5,
        cachedTokens: 4,
        cacheWriteTokens: 3,
        thinkingDropped: ['signature'],
        cacheMiss: 'tools',
        toolCalls: { a: 2, b: 0 },
      } as never,
    });
    expect(row).toMatchObject({ promptTokens: 3, isStream: true, useTime: 3, tags: 'a,b' });
    expect(other).toMatchObject({
      frt: 400,
      use_ms: 2600,
      is_model_mapped: true,
      upstream_model_name: 'other',
      reasoning_effort: 'high',
      claude: true,
      ended: 'client_gone',
      playground_key: 3,
      admin_info: {
        small_hold: true,
        route: [
          { channel: 6 },
          {
            channel: 7,
            dropped_thinking: ['signature'],
            cache_miss: 'tools',
            hosted_tools: [{ tool: 'a', count: 2 }],
          },
        ],
      },
    });
    expect(charge.rollup).toMatchObject({ tags: ['x'] });
  });

  it('has a prompt that is never below zero, and no time before the request', async () => {
    const clock = { now: () => 99_000 };
    const format = { logsPromptWithoutCache: true } as never;
    const bill = openBill(contextOf({ deps: { clock } }), request({ format }));
    const usage = { promptTokens: 3, completionTokens: 5, cachedTokens: 2, cacheWrite1hTokens: 4 };
    const { row, other } = await settle(bill, { usage });
    expect(row).toMatchObject({ promptTokens: 0, useTime: 0 });
    expect(other).toMatchObject({ use_ms: 0 });
  });

  it('has the cost that the vendor states, and a mark where it is above the price', async () => {
    const channel = { id: 7, provider: { statesCost: true } } as never;
    const said = async (statedCost: number) => {
      nothingDone();
      const usage = { promptTokens: 10, completionTokens: 5, statedCost } as never;
      const { charge, other } = await settle(openBill(contextOf(), request()), { channel, usage });
      const { below_cost: below, route } = other['admin_info'] as Record<string, object[]>;
      return [charge.rollup?.cost, below, route?.at(-1)];
    };
    expect(await said(0.06)).toEqual([60_000, undefined, { channel: 7, stated_cost: 60 }]);
    expect(await said(0.0605)).toEqual([60_500, 60.5, { channel: 7, stated_cost: 60.5 }]);
  });

  it('says a cost of a vendor that states none nowhere, and names the last of many channels', async () => {
    const usage = { promptTokens: 10, completionTokens: 5, statedCost: 1, cacheMiss: 'tools' };
    const steps = [{ channel: 6 }, { channel: 8 }, { channel: 7 }] as never;
    const more = { usage: usage as never, steps };
    const { other } = await settle(openBill(contextOf(), request()), more);
    expect((other['admin_info'] as Record<string, object[]>)['route']).toEqual([
      { channel: 6 },
      { channel: 8 },
      { channel: 7, cache_miss: 'tools' },
    ]);
  });

  it('names what the vendor said of its usage where the site keeps it', async () => {
    const usage = { promptTokens: 10, completionTokens: 5, raw: [{ a: 1 }] } as never;
    for (const logReportedUsage of [true, false]) {
      nothingDone();
      const bill = openBill(contextOf({ policy: { logReportedUsage } }), request());
      const { route } = (await settle(bill, { usage })).other['admin_info'] as Record<
        string,
        object[]
      >;
      const said = logReportedUsage ? { reported_usage: [{ a: 1 }] } : {};
      expect(route?.at(-1)).toEqual({ channel: 7, ...said });
    }
  });

  it('counts in the hour for its tags and for its key', async () => {
    const hours: unknown[] = [];
    const summedTags = {
      of: (...what: unknown[]) => {
        hours.push(what);
        return ['x'];
      },
    };
    const clock = { now: () => 7_200_000 + 3_599_999 };
    const site: Site = { deps: { summedTags, clock }, headers: { 'x-turnpike-tags': 'a' } };
    const keyed = { channel: { id: 7, provider: {}, keyName: 'k' } } as never;
    const { charge } = await settle(openBill(contextOf(site), request()), keyed);
    expect(charge.rollup).toMatchObject({ username: 'ann', hour: 7200, tags: ['x'], keyName: 'k' });
    expect(hours).toEqual([[4, 7200, ['a']]]);
    nothingDone();
    const plain = await settle(openBill(contextOf(), request()));
    expect(plain.charge.rollup).not.toHaveProperty('tags');
    expect(plain.charge.rollup).not.toHaveProperty('keyName');
  });

  it('says how much of a charge was beyond the largest one', async () => {
    const prices = buildPriceTables({ ...priceOptions, ModelRatio: { thinker: maxAmount / 10 } });
    const { charge, other } = await settle(openBill(contextOf({ policy: { prices } }), request()));
    expect([charge.amount, other['uncharged']]).toEqual([maxAmount, 1.8 * maxAmount]);
  });

  it('is nothing where rows and sums are off', async () => {
    const policy = { logConsume: false, dataExport: false };
    const { charge } = await settle(openBill(contextOf({ policy }), request()));
    expect(charge).toMatchObject({ amount: 56, log: null, rollup: null });
  });

  it('names images with the price of each', async () => {
    const images = { count: 3, size: '1024x1024', quality: 'hd' };
    const measure = { promptTokens: 1, outputTokens: 0, images };
    const bill = openBill(contextOf(), request({ model: 'caller', measure }));
    const { row, charge, other } = await settle(bill, { images: 2 });
    expect([charge.amount, row.content]).toEqual([40, expect.stringMatching(/2.*1024x1024.*hd/)]);
    expect(other).toMatchObject({ image_count: 2 });
    nothingDone();
    const plain = { ...measure, images: { ...images, quality: '' } };
    const other_ = await settle(
      openBill(contextOf(), request({ model: 'caller', measure: plain })),
      { images: 1 },
    );
    expect(other_.row.content).toMatch(/1024x1024\D*$/);
  });

  it.each([
    [undefined, true],
    ['client_gone', true],
    ['gateway_stopped', true],
    ['upstream_cut', false],
    ['idle_timeout', false],
  ] as const)('counts a reply that ended by %s as served: %s', async (ended, ok) => {
    const more = { ...(ended !== undefined && { ended }), firstByteAt: 100_250 };
    await settle(openBill(contextOf(), request()), more);
    expect(done).toContainEqual([
      'traffic',
      {
        channelId: 7,
        model: 'thinker',
        ok,
        firstByteMs: 250,
        durationMs: 7600,
        status: 0,
        quota: 56,
        final: true,
        promptTokens: 10,
        completionTokens: 5,
        cachedTokens: 4,
        turn: undefined,
      },
    ]);
  });

  it('counts an attempt that failed with its status, and no figures', () => {
    recordFailed({ deps: contextOf().deps, model: 'thinker' }, 7, 503, false);
    const none = { firstByteMs: 0, durationMs: 0, quota: 0 };
    const tokens = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };
    const attempt = { channelId: 7, model: 'thinker', status: 503, final: false, ok: false };
    expect(done).toEqual([['traffic', { ...attempt, ...none, ...tokens }]]);
  });

  it('is traced where requests are', async () => {
    const traces: unknown[] = [];
    const tracer = { record: (trace: unknown) => traces.push(trace) };
    const site = { deps: { tracer }, headers: { traceparent: '00-1' } };
    await settle(openBill(contextOf(site), request()), { firstByteAt: 100_250 });
    expect(traces).toEqual([
      {
        requestId: 'r',
        group: 'default',
        path: '/v1/chat/completions',
        userId: 4,
        tokenId: 5,
        model: 'thinker',
        ended: undefined,
        status: 200,
        traceparent: '00-1',
        startedAt: 100_000,
        endedAt: 107_600,
        attempts: [{ channel: 6 }, { channel: 7 }],
        charged: {
          upstreamModel: 'thinker',
          stream: false,
          quota: 56,
          promptTokens: 10,
          completionTokens: 5,
          cachedTokens: 4,
          firstByteMs: 250,
        },
      },
    ]);
  });
});
