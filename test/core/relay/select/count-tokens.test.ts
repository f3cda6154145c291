/**
 * Token counts select a channel as requests do and do not affect its health
 * (docs/rules/metering.md#count-tokens-endpoint).
 */
import { expect, test } from 'vitest';
import { sendJson, type TestUpstream } from '../../../support/upstream.ts';
import { startRelay, upstream } from './relay-support.ts';

const anthropic = { type: 14 };
const request = { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
const countPath = '/v1/messages/count_tokens';
const reply = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'gpt-4o',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 5, output_tokens: 2 },
};

/** Replies to counts with `tokens`, and to conversations with `status`. */
function answers(to: TestUpstream, tokens: number, status: () => number): void {
  to.answer((response, { path }) => {
    if (path.startsWith(countPath)) return sendJson(response, 200, { input_tokens: tokens });
    if (status() === 200) return sendJson(response, 200, reply);
    response.writeHead(status(), { 'content-type': 'application/json', 'retry-after': '30' });
    response.end(
      JSON.stringify({ type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }),
    );
  });
}

test('a channel in a cool-down gets no count request', async () => {
  const [first, second] = [await upstream(), await upstream()];
  answers(first, 11, () => 429);
  answers(second, 22, () => 200);
  const relay = await startRelay({ RetryTimes: 1 });
  await relay.addChannel(first, { ...anthropic, priority: 10 });
  await relay.addChannel(second, anthropic);
  expect((await relay.post(countPath, request)).json).toEqual({ input_tokens: 11 });
  expect((await relay.post('/v1/messages', request)).status).toBe(200);
  expect((await relay.post(countPath, request)).json).toEqual({ input_tokens: 22 });
});

test('of several keys the one in a cool-down is not used', async () => {
  const only = await upstream();
  only.answer((response, { path, headers }) => {
    const key = headers['x-api-key'];
    if (path.startsWith(countPath))
      return sendJson(response, 200, { input_tokens: key === 'one' ? 1 : 2 });
    if (key === 'two') return sendJson(response, 200, reply);
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '30' });
    response.end('{}');
  });
  const relay = await startRelay({ RetryTimes: 1 });
  await relay.addChannel(only, {
    ...anthropic,
    key: 'one\ntwo',
    setting: JSON.stringify({ multi_key_mode: 'polling' }),
  });
  for (let asked = 0; asked < 3; asked++)
    expect((await relay.post('/v1/messages', request)).status).toBe(200);
  const counts: unknown[] = [];
  for (let asked = 0; asked < 3; asked++)
    counts.push((await relay.post(countPath, request)).json['input_tokens']);
  expect(counts).toEqual([2, 2, 2]);
});

test('an upstream that cannot count still serves conversations', async () => {
  const [first, second] = [await upstream(), await upstream()];
  first.answer((response, { path }) =>
    path.startsWith(countPath) ? sendJson(response, 500, {}) : sendJson(response, 200, reply),
  );
  answers(second, 22, () => 200);
  const relay = await startRelay({ RetryTimes: 1 });
  const id = await relay.addChannel(first, { ...anthropic, priority: 10 });
  await relay.addChannel(second, anthropic);
  for (let asked = 0; asked < 10; asked++)
    expect((await relay.post(countPath, request)).status).toBe(200);
  expect((await relay.post('/v1/messages', request)).status).toBe(200);
  expect(await relay.route()).toMatchObject([{ channel: id }]);
});
