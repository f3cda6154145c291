/**
 * What a vendor says of thinking that it threw away, and of its cache, stands on the row, forwarded and
 * translated.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { startQuota } from '../../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sse } from '../../../support/half-answers.ts';
import {
  type Answer,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const dropped = [
  { type: 'thinking_dropped', path: 'messages.1', reason: 'model_binding_mismatch' },
  { type: 'thinking_mismatch_allowed', path: 'messages.3', reason: 'model_binding_mismatch' },
  { type: 'reasoning', action: 'removed', reason: 'organization_mismatch' },
];
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  input_transformations: dropped,
  diagnostics: { cache_miss_reason: { type: 'tools_changed', cache_missed_input_tokens: 9 } },
};
const missed = { type: 'cache_miss', reason: 'tools_changed', cache_missed_tokens: 9 };
const said = { input_transformations: dropped, prompt_cache_diagnostics: missed };
const text = { type: 'output_text', text: 'Hi', annotations: [] };
const output = [
  { id: 'i', type: 'message', role: 'assistant', status: 'completed', content: [text] },
];
const response = { id: 'r', object: 'response', status: 'completed', output, usage };
const streams = {
  messages: sse(
    { type: 'message_start', message: { ...message, content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ),
  responses: sse(
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hi' },
    { type: 'response.completed', response: { ...response, ...said } },
  ),
};
const wholes = {
  messages: {
    ...message,
    model: 'm',
    content: [{ type: 'text', text: 'Hi' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage,
  },
  responses: { ...response, ...said },
};

let gateway: TestGateway;
let upstream: TestUpstream;
beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.addChannel({ type: 14, baseUrl: upstream.url, models: 'claude-sonnet-4-5' });
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: 'gpt-5',
    setting: '{"use_responses":true}',
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const answer: Answer = (reply, { path, json }) => {
  const wire = path.endsWith('/messages') ? 'messages' : 'responses';
  if (json['stream'] !== true) return sendJson(reply, 200, wholes[wire]);
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.end(streams[wire]);
};

const question = [{ role: 'user', content: 'Hi' }];
it.each([
  ['/v1/messages', 'claude-sonnet-4-5', { messages: question, max_tokens: 9 }],
  ['/v1/chat/completions', 'claude-sonnet-4-5', { messages: question }],
  ['/v1/responses', 'gpt-5', { input: 'Hi' }],
  ['/v1/chat/completions', 'gpt-5', { messages: question }],
])('%s with %s, whole and streamed', async (path, model, body) => {
  upstream.answer(answer);
  for (const stream of [false, true]) {
    const { key, username } = await gateway.addCustomer(startQuota);
    const reply = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, ...body }),
    });
    expect(reply.status, await reply.text()).toBe(200);
    const { items } = await gateway.client.log.list({ username });
    const other = readLogOther(items[0]?.other ?? '');
    expect(other.admin_info?.route?.at(-1)).toMatchObject({
      dropped_thinking: ['model_binding_mismatch', 'organization_mismatch'],
      cache_miss: 'tools_changed',
    });
  }
});

it('a prompt that came from the cache, and a cache that is not asked, say nothing', async () => {
  for (const prompt_cache_diagnostics of [{ type: 'cache_hit' }, null]) {
    upstream.answer((reply) => sendJson(reply, 200, { ...response, prompt_cache_diagnostics }));
    const { key, username } = await gateway.addCustomer(startQuota);
    const reply = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5', input: 'Hi' }),
    });
    expect(reply.status, await reply.text()).toBe(200);
    const { items } = await gateway.client.log.list({ username });
    expect(items[0]?.other).not.toContain('cache_miss');
  }
});
