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
    ...{ type: 14, baseUrl: bench.upstream.url, models: 'claude-opus-5-5' },
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
