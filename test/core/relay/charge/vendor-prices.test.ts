/**
 * What vendors' lists say that a request costs, and what is charged for it: each case through the
 * real relay, whole and streamed, by one caller's format here and by every one in the long suite.
 * Dollars are worked out by hand from the lists in vendor-lists.ts, each with its source and date.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bearer, created, done, greet } from '../../../support/realtime-bench.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type SocketUpstream, startSocketUpstream } from '../../../support/socket-upstream.ts';
import { mediaCases, realtimeCases, realtimeUsage } from './media-cases.ts';
import { searchCases } from './search-cases.ts';
import { callers } from './token-cases.ts';
import { toolCases } from './tool-cases.ts';
import { type FeeName, fees } from './vendor-lists.ts';
import {
  everyCase,
  listOf,
  oneCallerEach,
  peak,
  quotaOf,
  startVendorSite,
  type VendorSite,
} from './vendor-site.ts';

let site: VendorSite;
beforeAll(async () => {
  site = await startVendorSite();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: peak });
});
afterAll(() => site.close());

it('there are enough cases', () => {
  // Vendor × model × kind of usage, whole and streamed.
  expect(everyCase.length * 2).toBeGreaterThanOrEqual(300);
  const names = everyCase.map(({ model, what, by }) => `${model} ${what} ${by ?? ''}`);
  expect(new Set(names).size).toBe(everyCase.length);
});

describe('has its list price, where it stands in public, and since when', () => {
  const priced = [...everyCase, ...mediaCases, ...realtimeCases];
  const isPublic = ({ source, seen }: { readonly source: string; readonly seen: string }) =>
    source.startsWith('https://') && /^2026-(?:09|1[01])-\d\d$/.test(seen);
  it.each([...new Set(priced.map(({ model }) => model))])('%s', (model) => {
    const list = listOf(model);
    expect(list && isPublic(list) && list.input > 0).toBe(true);
  });

  it('fees, too, of each case that costs more than tokens', () => {
    expect(Object.entries(fees).filter(([, fee]) => !isPublic(fee))).toEqual([]);
    const other = /advisor|cheaper model|iteration/;
    const without = [...toolCases, ...searchCases].filter(
      ({ what, fees: own = [] }) => own.length === 0 && !other.test(what),
    );
    expect(without.map(({ model, what }) => `${model} ${what}`)).toEqual([]);
    const used = new Set([...everyCase, ...mediaCases].flatMap(({ fees: own = [] }) => own));
    expect(Object.keys(fees).filter((name) => !used.has(name as FeeName))).toEqual([]);
  });
});

describe('is charged as its vendor lists it', () => {
  it.each(oneCallerEach)('$model $what, by $caller (stream: $stream)', async (row) => {
    const { quota } = await site.chargeOf(row.caller, row.model, row.stream, row);
    expect(quota).toBe(quotaOf(row.dollars));
  });
});

describe('sound and vectors', () => {
  beforeAll(() =>
    site.bench.gateway.addChannel({
      type: 1,
      baseUrl: site.bench.upstream.url,
      models: [...new Set(mediaCases.map(({ model }) => model))].join(','),
    }),
  );
  it.each(mediaCases)('$model: $what', async ({ path, body, answer, dollars }) => {
    const { bench, customer } = site;
    bench.upstream.answer(answer);
    const reply = await bench.post(path, customer.key, body());
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
    await bench.newestLog(customer.username);
    expect(await site.charged()).toBe(quotaOf(dollars));
  });
});

describe('realtime', () => {
  let sockets: SocketUpstream;
  beforeAll(async () => {
    sockets = await startSocketUpstream();
    sockets.script({ connect: greet });
    await site.bench.gateway.addChannel({
      type: 1,
      baseUrl: sockets.url,
      models: realtimeCases.map(({ model }) => model).join(','),
    });
  });
  afterAll(() => sockets.close());
  it.each(realtimeCases)('$model', async ({ model, dollars }) => {
    const { bench, customer } = site;
    const address = `${bench.gateway.url.replace('http', 'ws')}/v1/realtime?model=${model}`;
    const client = await openSocket(address, bearer(customer.key));
    expect(await client.next()).toMatchObject({ type: 'session.created' });
    client.send({ type: 'response.create' });
    const server = sockets.connections.at(-1);
    await server?.next();
    server?.send(created('resp_1'));
    server?.send(done('resp_1', realtimeUsage));
    for (;;) if ((await client.next()).type === 'response.done') break;
    client.socket.close();
    expect(await site.charged()).toBe(quotaOf(dollars));
  });
});

/** The cases that only this wire can say, which are those of its own tools. */
describe('Responses by WebSocket', () => {
  it.each(everyCase.filter(({ by }) => by?.includes('responses')))('$model $what', async (said) => {
    expect(await site.overSocket(said.model, said)).toBe(quotaOf(said.dollars));
  });
});

describe('a tier without a price', () => {
  it.each(callers)('costs what the usual one does, and is noted (by %s)', async (caller) => {
    const said = { prompt: 1000, output: 500, reply: { service_tier: 'scale' } };
    const { quota, other } = await site.chargeOf(caller, 'gpt-6-sol', true, said);
    expect([quota, other['tiers']]).toEqual([3500, { scale: null }]);
  });
});

it('a stream that is cut before its usage has the tier that its first chunk named', async () => {
  site.bench.upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'ok' } }];
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices };
    response.write(`data: ${JSON.stringify({ ...chunk, service_tier: 'priority' })}\n\n`, () =>
      response.destroy(),
    );
  });
  const [path, body] = site.requestOf('chat', 'gpt-6-sol', true);
  await (await site.bench.post(path, site.customer.key, JSON.stringify(body))).text();
  const { row, other } = await site.bench.newestLog(site.customer.username);
  expect([other.ended, other['tiers']]).toEqual(['upstream_cut', { priority: 2 }]);
  const tokens = Number(row['prompt_tokens']) * 2 + Number(row['completion_tokens']) * 10;
  expect([row['quota'], await site.charged()]).toEqual([tokens, tokens]);
});

/** https://api-docs.deepseek.com/quick_start/pricing: half the price but for these hours of UTC. */
const moments = [
  ['2026-11-26T23:59:59Z', 'Thursday', 0.5],
  ['2026-11-27T00:59:59Z', 'Friday', 0.5],
  ['2026-11-27T01:00:00Z', 'Friday', 1],
  ['2026-11-27T03:59:59Z', 'Friday', 1],
  ['2026-11-27T04:00:00Z', 'Friday', 0.5],
  ['2026-11-27T06:00:00Z', 'Friday', 1],
  ['2026-11-27T09:59:59Z', 'Friday', 1],
  ['2026-11-27T10:00:00Z', 'Friday', 0.5],
  ['2026-11-28T02:00:00Z', 'Saturday', 0.5],
  ['2026-11-29T08:00:00Z', 'Sunday', 0.5],
  ['2026-11-30T08:00:00Z', 'Monday', 1],
] as const;

describe('an hour', () => {
  const said = { prompt: 1000, cached: 400, output: 100 };
  const listed = (600 * 1.32 + 400 * 0.044 + 100 * 3.96) / 1e6;
  it.each(
    moments.map(([moment, day, factor], place) => ({
      moment,
      day,
      factor,
      caller: callers[place % callers.length] ?? 'chat',
      stream: place % 2 === 0,
    })),
  )('$moment ($day) costs × $factor, by $caller (stream: $stream)', async (one) => {
    vi.setSystemTime(one.moment);
    const { quota, other } = await site.chargeOf(one.caller, 'deepseek-v4-pro', one.stream, said);
    expect(quota).toBe(quotaOf(listed * one.factor));
    expect(other['tiers']).toEqual(one.factor === 1 ? undefined : { offpeak: 0.5 });
  });
});
