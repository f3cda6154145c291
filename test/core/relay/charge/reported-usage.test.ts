// Covers src/core/relay/charge/usage-log-row.ts.
/**
 * The usage in the vendor's own words stands on the row (docs/rules/usage-logs.md#reported-usage):
 * every caller's format, whole and streamed; every provider and call is in
 * test/contract/providers/suite.test.ts.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reportedUsage } from '../../../../src/core/relay/charge/usage-log-row.ts';
import { bearer, created, done, greet } from '../../../support/realtime-bench.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type SocketUpstream, startSocketUpstream } from '../../../support/socket-upstream.ts';
import { mediaCases, realtimeCases, realtimeUsage } from './media-cases.ts';
import { callers } from './token-cases.ts';
import { startVendorSite, type VendorSite } from './vendor-site.ts';

let site: VendorSite;
let sockets: SocketUpstream;
beforeAll(async () => {
  site = await startVendorSite();
  const { gateway, upstream } = site.bench;
  const media = [...new Set(mediaCases.map(({ model }) => model))].join(',');
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: media });
  sockets = await startSocketUpstream();
  sockets.script({ connect: greet });
  const spoken = realtimeCases.map(({ model }) => model).join(',');
  await gateway.addChannel({ type: 1, baseUrl: sockets.url, models: spoken });
});
beforeEach(async () => {
  await site.bench.gateway.set('LogReportedUsage', true);
  await site.charged();
});
afterAll(async () => {
  await site.close();
  await sockets.close();
});

async function kept() {
  const { other } = await site.bench.newestLog(site.customer.username);
  return other.admin_info?.route?.at(-1)?.reported_usage;
}

const models = ['gpt-6-sol', 'claude-opus-5-5', 'gemini-3.8-flash', 'grok-4.7', 'deepseek-v4-pro'];
const requested = models.flatMap((model) =>
  callers.flatMap((caller) => [false, true].map((stream) => ({ model, caller, stream }))),
);

it.each(requested)('$model by $caller keeps it (stream: $stream)', async (one) => {
  const usage = { of_no_reader: { here: 7, nothing: 0 }, tier: 'gold', unsaid: null };
  const said = { prompt: 40, output: 9, cached: 16, usage };
  await site.chargeOf(one.caller, one.model, one.stream, said);
  const usages = await kept();
  expect(usages).toMatchObject([{ of_no_reader: { here: 7 }, tier: 'gold' }]);
  expect(JSON.stringify(usages)).toMatch(/16.*9|9.*16/);
  expect(JSON.stringify(usages)).not.toMatch(/nothing|unsaid/);
});

describe('sound and vectors', () => {
  it.each(mediaCases)('$model: $what', async ({ path, body, answer }) => {
    const { bench, customer } = site;
    bench.upstream.answer(answer);
    await (await bench.post(path, customer.key, body())).text();
    const { other } = await bench.newestLog(customer.username);
    const usages = await kept();
    // Speech as bytes and texts of a transcript have no place for one.
    if (other.usage_source === 'upstream') expect(usages).toHaveLength(1);
    else expect(usages).toBeUndefined();
  });
});

it('each answer of a realtime session has its own', async () => {
  const [{ model }] = realtimeCases as [(typeof realtimeCases)[number]];
  const address = `${site.bench.gateway.url.replace('http', 'ws')}/v1/realtime?model=${model}`;
  const client = await openSocket(address, bearer(site.customer.key));
  expect(await client.next()).toMatchObject({ type: 'session.created' });
  client.send({ type: 'response.create' });
  const server = sockets.connections.at(-1);
  await server?.next();
  server?.send(created('resp_1'));
  server?.send(done('resp_1', { ...realtimeUsage, of_no_reader: 7 }));
  for (;;) if ((await client.next()).type === 'response.done') break;
  client.socket.close();
  expect(await kept()).toMatchObject([{ of_no_reader: 7 }]);
});

it('the usage of a vendor is kept only while the option is on', async () => {
  const said = { prompt: 40, output: 9 };
  await site.bench.gateway.set('LogReportedUsage', false);
  await site.chargeOf('chat', 'gpt-6-sol', false, said);
  expect(await kept()).toBeUndefined();
  await site.bench.gateway.set('LogReportedUsage', true);
  await site.chargeOf('chat', 'gpt-6-sol', false, said);
  expect(await kept()).toEqual([{ prompt_tokens: 40, completion_tokens: 9, total_tokens: 49 }]);
});

it('a stream that is cut has what was reported before', async () => {
  site.bench.upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const usage = { input_tokens: 12, output_tokens: 1, service_tier: 'standard' };
    const events = [
      { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
    ];
    const text = events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`);
    response.write(text.join(''), () => response.destroy());
  });
  const [path, body] = site.requestOf('messages', 'claude-opus-5-5', true);
  await (await site.bench.post(path, site.customer.key, JSON.stringify(body))).text();
  const { other } = await site.bench.newestLog(site.customer.username);
  expect(other.ended).toBe('upstream_cut');
  expect(await kept()).toMatchObject([{ input_tokens: 12, service_tier: 'standard' }]);
});

it('administrators see it, customers do not', async () => {
  await site.chargeOf('chat', 'gpt-6-sol', false, { prompt: 40, output: 9, usage: { seen: 7 } });
  const { gateway } = site.bench;
  const listed = await gateway.client.log.list({ username: site.customer.username });
  expect(listed.items[0]?.other).toContain('"seen":7');
  const own = await fetch(`${gateway.url}/api/log/token?key=${site.customer.key}`, {
    headers: { authorization: `Bearer ${site.customer.key}` },
  });
  const text = await own.text();
  expect([text.includes('gpt-6-sol'), text.includes('seen')]).toEqual([true, false]);
});

describe('what is kept', () => {
  it('is nothing where the vendor said nothing', () => {
    expect(reportedUsage(undefined)).toBeUndefined();
    expect(reportedUsage([{ a: 0, b: null, c: {}, d: [], e: '', f: false }])).toBeUndefined();
  });

  it('is one usage for each reply of the answer', () => {
    expect(reportedUsage([{ a: 1 }, { a: 2, b: 0 }])).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('has words and names of 64 characters at most, four levels and what is a figure', () => {
    const [word, long] = ['x'.repeat(64), 'x'.repeat(65)];
    const deepest = { a: { b: { c: { d: 1 } } } };
    const said = { word, [word]: 1, ...deepest, yes: true, list: ['a', { b: 2 }], below: -1 };
    const unsaid = { long, [long]: 1, deep: { a: { b: { c: { d: 1 } } } }, f: () => 1 };
    const none = { nan: Number.NaN, most: Number.POSITIVE_INFINITY, no: false, empty: [0, '', {}] };
    expect(reportedUsage([{ ...said, ...unsaid, ...none, mixed: [0, 1] }])).toEqual([
      { ...said, mixed: [1] },
    ]);
  });

  it('is that of twenty replies at most', () => {
    const replies = Array.from({ length: 21 }, (_, at) => ({ a: at + 1 }));
    expect(reportedUsage(replies)).toEqual(replies.slice(0, 20));
  });

  it('is whole up to 1,000 characters', () => {
    const usage = Object.fromEntries(Array.from({ length: 104 }, (_, at) => [`m${100 + at}`, 1]));
    const room = 1000 - JSON.stringify([{ ...usage, last: '' }]).length;
    const [exact, more] = ['x'.repeat(room), 'x'.repeat(room + 1)];
    expect(reportedUsage([{ ...usage, last: exact }])).toEqual([{ ...usage, last: exact }]);
    expect(reportedUsage([{ ...usage, last: more }])).toMatchObject([{ cut: true }]);
  });

  it('is cut at 1,000 characters, whole members only, however much was written', () => {
    const iterations = Array.from({ length: 400 }, (_, at) => ({
      type: 'message',
      tokens: at + 1,
    }));
    const many = Object.fromEntries(iterations.map(({ tokens }) => [`member_${tokens}`, tokens]));
    for (const usage of [
      { input: 5, iterations, output: 6 },
      { input: 5, output: 6, ...many },
    ]) {
      const [said] = reportedUsage([usage]) ?? [];
      expect(said).toMatchObject({ input: 5, output: 6, cut: true });
      expect(JSON.stringify(said).length).toBeLessThan(1100);
    }
    expect(JSON.stringify(reportedUsage(Array(99).fill(many))).length).toBeLessThan(1500);
  });
});
