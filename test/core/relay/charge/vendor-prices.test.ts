/**
 * What vendors' lists say that a request costs, and what is charged for it: each case through the
 * real relay, by every caller's format, whole and streamed. Dollars are worked out by hand from
 * the prices per million tokens of LiteLLM's public catalogue 1.110.2 (2026-11-24), and from the
 * vendors' pages where a case says so.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import { explainLog } from '../../../../src/core/pricing/explain.ts';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type VendorReply, vendorReply } from '../../../support/vendor-replies.ts';
import { type Caller, type Case, callers, tokenCases } from './token-cases.ts';
import { toolCases } from './tool-cases.ts';

/** Models by the type of their channel. They are sold at the prices of a new site. */
const served: Readonly<Record<number, string>> = {
  1: 'gpt-6-sol,gpt-6.1-sol,gpt-5.5,gpt-5.4,gpt-5.4-mini,gpt-4.1,gpt-image-2',
  14: 'claude-opus-5-5,claude-sonnet-5-5,claude-haiku-5-5,claude-fable-5-1',
  17: 'qwen3.8-flash,qwen3.7-plus,qwen3-coder-plus',
  24: 'gemini-3.1-pro-preview,gemini-3.8-flash,gemini-2.5-flash',
  25: 'kimi-k3',
  26: 'glm-5.3',
  27: 'sonar,sonar-pro,sonar-deep-research',
  35: 'MiniMax-M3',
  42: 'mistral-large-4',
  43: 'deepseek-v4-pro',
  45: 'doubao-seed-2-0-mini-260215',
  48: 'grok-4.7',
};

const unit = 500_000;
const every: readonly Case[] = [...tokenCases, ...toolCases];

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
beforeAll(async () => {
  bench = await startCallBench('none');
  for (const [type, models] of Object.entries(served))
    await bench.gateway.addChannel({ type: Number(type), baseUrl: bench.upstream.url, models });
  customer = await bench.gateway.addCustomer(1e12);
});
/** A Wednesday in DeepSeek's peak hours. */
const peak = new Date('2026-11-25T02:00:00Z');
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: peak });
});
afterAll(() => bench.close());

function requestOf(caller: Caller, model: string, stream: boolean): readonly [string, object] {
  const messages = [{ role: 'user', content: 'hi' }];
  const options = stream ? { stream, stream_options: { include_usage: true } } : {};
  if (caller === 'chat') return ['/v1/chat/completions', { model, messages, ...options }];
  if (caller === 'messages') return ['/v1/messages', { model, messages, max_tokens: 100, stream }];
  if (caller === 'responses') return ['/v1/responses', { model, input: 'hi', stream }];
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const call = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return [`/v1beta/models/${model}:${call}`, { contents }];
}

/** Quota charged, and the row, whose explanation must give the same. */
async function chargeOf(caller: Caller, model: string, stream: boolean, said: VendorReply) {
  bench.upstream.answer(vendorReply(said));
  const before = await bench.spent(customer.userId);
  const [path, body] = requestOf(caller, model, stream);
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  const { row, other } = await bench.newestLog(customer.username);
  const quota = (await bench.spent(customer.userId)) - before;
  const logged = {
    prompt_tokens: Number(row['prompt_tokens']),
    completion_tokens: Number(row['completion_tokens']),
    quota,
    other,
  };
  expect(explainLog(logged, decimal(unit))).toMatchObject({ exact: true, quota });
  return { quota, row, other };
}

/** A frame of Responses by WebSocket; resolves when its charge is on disk. */
async function overSocket(model: string): Promise<void> {
  const url = `${bench.gateway.url.replace('http', 'ws')}/v1/responses`;
  const headers = { authorization: `Bearer ${customer.key}` };
  const client = await openSocket(url, { headers });
  client.send({ type: 'response.create', store: false, model, input: 'hi' });
  for (;;) {
    const { type } = await client.next();
    if (type === 'response.completed') break;
    expect(type).not.toMatch(/error|failed/);
  }
  client.socket.close();
}

const rows = every.flatMap((one) =>
  (one.by ?? callers).flatMap((caller) =>
    [false, true].map((stream) => ({ ...one, caller, stream })),
  ),
);

describe('is charged as its vendor lists it', () => {
  it.each(rows)('$model $what, by $caller (stream: $stream)', async (row) => {
    const { quota } = await chargeOf(row.caller, row.model, row.stream, row);
    expect(quota).toBe(Math.round(row.dollars * unit));
  });
});

describe('Responses by WebSocket', () => {
  it.each(every.filter(({ by = callers }) => by.includes('responses')))(
    '$model $what',
    async (said) => {
      bench.upstream.answer(vendorReply(said));
      const before = await bench.spent(customer.userId);
      await overSocket(said.model);
      expect((await bench.spent(customer.userId)) - before).toBe(Math.round(said.dollars * unit));
    },
  );
});

describe('a tier without a price', () => {
  it.each(callers)('costs what the usual one does, and is noted (by %s)', async (caller) => {
    const said = { prompt: 1000, output: 500, reply: { service_tier: 'scale' } };
    const { quota, other } = await chargeOf(caller, 'gpt-6-sol', true, said);
    expect([quota, other['tiers']]).toEqual([3500, { scale: null }]);
  });
});

it('a stream that is cut before its usage has the tier that its first chunk named', async () => {
  bench.upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'ok' } }];
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices };
    response.write(`data: ${JSON.stringify({ ...chunk, service_tier: 'priority' })}\n\n`, () =>
      response.destroy(),
    );
  });
  const [path, body] = requestOf('chat', 'gpt-6-sol', true);
  await (await bench.post(path, customer.key, JSON.stringify(body))).text();
  const { row, other } = await bench.newestLog(customer.username);
  expect([other.ended, other['tiers']]).toEqual(['upstream_cut', { priority: 2 }]);
  const tokens = Number(row['prompt_tokens']) * 2 + Number(row['completion_tokens']) * 10;
  expect(row['quota']).toBe(tokens);
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
    moments.flatMap(([moment, day, factor]) =>
      callers.flatMap((caller) =>
        [false, true].map((stream) => ({ moment, day, factor, caller, stream })),
      ),
    ),
  )('$moment ($day) costs × $factor, by $caller (stream: $stream)', async (one) => {
    vi.setSystemTime(one.moment);
    const { quota, other } = await chargeOf(one.caller, 'deepseek-v4-pro', one.stream, said);
    expect(quota).toBe(Math.round(listed * one.factor * unit));
    expect(other['tiers']).toEqual(one.factor === 1 ? undefined : { offpeak: 0.5 });
  });
});
