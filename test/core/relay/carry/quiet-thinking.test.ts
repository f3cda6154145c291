/**
 * Upstreams that start a reply and then think: their callers' connections are kept open
 * (docs/rules/streams.md#keep-alive).
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.addChannel({
    type: 14,
    baseUrl: upstream.url,
    models: 'claude-3-5-sonnet-20241022',
    priority: 1,
  });
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o,o3-pro' });
  await gateway.set('general_setting.ping_interval_seconds', 1);
  await gateway.set('general_setting.ping_interval_enabled', true);
  key = (await gateway.addCustomer(100_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const named = (...events: readonly ({ readonly type: string } & Record<string, unknown>)[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [],
  stop_reason: null,
};
const response = { id: 'resp_1', object: 'response', status: 'in_progress', output: [] };
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

/** Start and content of a reply in each format. */
const wires = {
  messages: [
    named(
      {
        type: 'message_start',
        message: { ...message, usage: { input_tokens: 10, output_tokens: 1 } },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
    ),
    named(
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ),
  ],
  chat: [
    chunk({ role: 'assistant', content: '' }),
    `${chunk({ content: 'Hello' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
  ],
  responses: [
    named({ type: 'response.created', response }, { type: 'response.in_progress', response }),
    named(
      { type: 'response.output_text.delta', delta: 'Hello' },
      {
        type: 'response.completed',
        response: { ...response, status: 'completed', usage },
      },
    ),
  ],
} as const;

const bodies = {
  '/v1/chat/completions': (model: string) => ({
    model,
    stream: true,
    messages: [{ role: 'user', content: 'hi' }],
  }),
  '/v1/messages': (model: string) => ({
    model,
    stream: true,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
  }),
  '/v1/responses': (model: string) => ({ model, stream: true, input: 'hi' }),
  '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse': () => ({
    contents: [{ parts: [{ text: 'hi' }] }],
  }),
} as const;

type Path = keyof typeof bodies;

/** The output a caller has received while the upstream still thinks, and at the end. */
async function hear(path: Path, model: string, [promise, answer]: readonly [string, string]) {
  let thinking: ServerResponse | undefined;
  upstream.answer((reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.write(promise);
    thinking = reply;
  });
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(bodies[path](model)),
  });
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const read = async () => decoder.decode((await reader.read()).value, { stream: true });
  const early = await read();
  thinking?.end(answer);
  let whole = early;
  for (let piece = await read(); piece !== ''; piece = await read()) whole += piece;
  return { early, whole };
}

describe('while the upstream thinks', () => {
  it.each([
    ['/v1/chat/completions', 'claude-3-5-sonnet-20241022', wires.messages, /^: PING\n\n$/],
    ['/v1/responses', 'claude-3-5-sonnet-20241022', wires.messages, /^: PING\n\n$/],
    ['/v1/messages', 'gpt-4o', wires.chat, /^event: ping\n/],
    ['/v1beta/models/gpt-4o:streamGenerateContent?alt=sse', 'gpt-4o', wires.chat, /^\n$/],
    ['/v1/responses', 'o3-pro', wires.responses, /^event: response\.created/],
  ] as const)('callers of %s of %s hear that it is there', async (path, model, wire, first) => {
    const { early, whole } = await hear(path, model, wire);
    expect(early).toMatch(first);
    expect(early).not.toContain('Hello');
    expect(whole).toContain('Hello');
  });
});

it('an error soon after the start of the reply still fails over to another channel', async () => {
  await gateway.set('RetryTimes', 1);
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: 'claude-3-5-sonnet-20241022',
  });
  const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  upstream.answer((reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.end(wires.messages[0] + named(error));
  }, chatReply('Hello from another'));
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(bodies['/v1/chat/completions']('claude-3-5-sonnet-20241022')),
  });
  expect(await reply.text()).toContain('Hello ');
});
