/** What an upstream says of its reply, kept with its attempt (docs/rules/routing.md#route-record). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import { type Answer, sendJson } from '../../../support/upstream.ts';
import { vendorReply } from '../../../support/vendor-replies.ts';

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;

beforeAll(async () => {
  bench = await startCallBench('gpt-6-sol,o3,somebodys-model');
  customer = await bench.gateway.addCustomer(1e12);
  await bench.gateway.set('SelfUseModeEnabled', true);
});
afterAll(() => bench.close());

/** A reply whose model and headers are those that are given. */
const replied =
  (model: string, headers: Record<string, string>, more: object = {}): Answer =>
  (response, request) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return vendorReply({ prompt: 9, output: 3, reply: { model, ...more } })(response, request);
  };

async function stepsOf(path: string, body: object) {
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  await reply.text();
  const { items } = await bench.gateway.client.log.list({ username: customer.username });
  return JSON.parse(items[0]?.other ?? '').admin_info.route;
}

const messages = [{ role: 'user', content: 'hi' }];
const callers = [
  ['forwarded', '/v1/chat/completions', { messages }],
  ['translated', '/v1/messages', { messages, max_tokens: 99 }],
] as const;

describe.each(callers)('%s', (_how, path, body) => {
  it.each([false, true])('another model and the id are kept, streamed: %s', async (stream) => {
    bench.upstream.answer(replied('gpt-6-luna', { 'x-request-id': 'req_1' }));
    expect(await stepsOf(path, { ...body, model: 'gpt-6-sol', stream })).toMatchObject([
      { status: 200, replied_model: 'gpt-6-luna', other_model: true, upstream_id: 'req_1' },
    ]);
  });

  it.each([false, true])('a snapshot is another name only, streamed: %s', async (stream) => {
    bench.upstream.answer(replied('o3-2025-04-16', { 'request-id': 'req_2' }));
    const [step] = await stepsOf(path, { ...body, model: 'o3', stream });
    expect(step).toMatchObject({ replied_model: 'o3-2025-04-16', upstream_id: 'req_2' });
    expect(step).not.toHaveProperty('other_model');
  });
});

it('the name that was sent is not repeated, and of unknown names nothing is said', async () => {
  bench.upstream.answer(replied('gpt-6-sol', {}));
  const [same] = await stepsOf('/v1/chat/completions', { model: 'gpt-6-sol', messages });
  expect(Object.keys(same)).not.toContain('replied_model');
  bench.upstream.answer(replied('weights.gguf', {}));
  const [other] = await stepsOf('/v1/chat/completions', { model: 'somebodys-model', messages });
  expect(other.replied_model).toBe('weights.gguf');
  expect(other).not.toHaveProperty('other_model');
});

const openAiLimits = {
  'x-ratelimit-limit-requests': '5000',
  'x-ratelimit-remaining-requests': '4999',
  'x-ratelimit-reset-requests': '12s',
};
const requestsLeft = [{ unit: 'requests', limit: 5000, left: 4999, reset_ms: 12_000 }];
const anthropicLimits = {
  'anthropic-ratelimit-tokens-limit': '80000',
  'anthropic-ratelimit-tokens-remaining': '79000',
  'anthropic-ratelimit-tokens-reset': '2020-01-01T00:00:00Z',
};
const searched = { server_side_tool_usage_details: { web_search_calls: 2 } };
const grok = ['grok-4.7', 48] as const;

it.each([
  ['limits of OpenAI', ['gpt-6-sol', 1], openAiLimits, {}, { limits: requestsLeft }],
  [
    'limits of Anthropic',
    ['claude-opus-5-5', 14],
    anthropicLimits,
    {},
    { limits: [{ unit: 'tokens', limit: 80_000, left: 79_000, reset_ms: 0 }] },
  ],
  // $0.02 is 10,000 quota.
  ['the cost of xAI', grok, {}, { cost_in_usd_ticks: 200_000_000 }, { stated_cost: 10_000 }],
  ['tools', grok, {}, searched, { hosted_tools: [{ tool: 'web_search', count: 2 }] }],
] as const)('%s is kept: %j', async (_what, [model, type], headers, usage, kept) => {
  const id = await bench.gateway.addChannel({ type, baseUrl: bench.upstream.url, models: model });
  bench.upstream.answer((response, request) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return vendorReply({ prompt: 9, output: 3, usage })(response, request);
  });
  for (const [, path, body] of callers)
    for (const stream of [false, true])
      expect(await stepsOf(path, { ...body, model, stream })).toMatchObject([kept]);
  await bench.gateway.client.channel.remove({ id });
});

it('the limits and the code of an account whose money is spent are kept with the failed attempt', async () => {
  bench.upstream.answer((response) => {
    for (const [name, value] of Object.entries(openAiLimits)) response.setHeader(name, value);
    const error = { type: 'billing_error', error_code: 'contract_spend_limit_reached' };
    sendJson(response, 403, { error: { ...error, message: 'no more' } });
  });
  const body = JSON.stringify({ model: 'gpt-6-sol', messages });
  expect((await bench.post('/v1/chat/completions', customer.key, body)).status).toBe(502);
  const { list } = bench.gateway.client.log;
  const newest = async () => (await list({ username: customer.username, type: 5 })).items[0]?.other;
  await expect.poll(newest).toContain('contract_spend_limit_reached');
  expect(JSON.parse((await newest()) ?? '').admin_info.route).toMatchObject([
    { status: 403, error: 'contract_spend_limit_reached', limits: requestsLeft },
  ]);
});

it('the id of a request that failed is kept', async () => {
  bench.upstream.answer((response) => {
    response.setHeader('x-request-id', 'req_3');
    sendJson(response, 400, { error: { message: 'no' } });
  });
  const body = JSON.stringify({ model: 'gpt-6-sol', messages });
  expect((await bench.post('/v1/chat/completions', customer.key, body)).status).toBe(400);
  const { list } = bench.gateway.client.log;
  await expect
    .poll(async () => (await list({ username: customer.username, type: 5 })).items[0]?.other)
    .toContain('"upstream_id":"req_3"');
});

it('who of an organization pays is never said by a caller', async () => {
  const id = await bench.gateway.addChannel({
    type: 14,
    baseUrl: bench.upstream.url,
    models: 'claude-opus-5-5',
  });
  bench.upstream.answer(replied('claude-opus-5-5', {}));
  const policy = { type: 'billing_policy', bill_to: 'user_profile' };
  const ids = { user_profile_id: 'up_1', workspace_id: 'ws_1' };
  const body = { model: 'claude-opus-5-5', messages, max_tokens: 9 };
  await stepsOf('/v1/messages', { ...body, billing_policy: policy, ...ids });
  expect(bench.upstream.requests.at(-1)?.json).toEqual(body);
  await bench.gateway.client.channel.remove({ id });
});

it('users see nothing of it', async () => {
  bench.upstream.answer(replied('gpt-6-luna', { 'x-request-id': 'req_4' }));
  await stepsOf('/v1/chat/completions', { model: 'gpt-6-sol', messages });
  const { items } = await bench.gateway.client.log.list({ username: customer.username });
  expect(items[0]?.other).toContain('req_4');
  const own = await fetch(`${bench.gateway.url}/api/log/token?key=${customer.key}`, {
    headers: { authorization: `Bearer ${customer.key}` },
  });
  expect(await own.text()).not.toContain('req_4');
});
