/** Upstreams that keep a connection open without ever sending an answer. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startQuota } from '../../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let trickling: Server;

beforeAll(async () => {
  gateway = await startTestGateway({
    RELAY_TIMEOUT: '1',
    STREAMING_TIMEOUT: '1',
    FIRST_BYTE_TIMEOUT: '5',
  });
  upstream = await startUpstream();
  // Header after header, and never the end of them.
  trickling = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
  });
  await new Promise<void>((resolve) => trickling.listen(0, '127.0.0.1', resolve));
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o-mini' });
  await gateway.addChannel({
    type: 14,
    baseUrl: upstream.url,
    models: 'claude-3-5-haiku-20241022',
  });
  const url = `http://127.0.0.1:${(trickling.address() as AddressInfo).port}`;
  await gateway.addChannel({ type: 1, baseUrl: url, models: 'gpt-4o' });
  await gateway.set('RetryTimes', 0);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  trickling.close();
});

/** Sends `text`, then `pulse` for ever. */
function pulsing(text: string, pulse: string): void {
  upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    const timer = setInterval(() => response.write(pulse), 50);
    response.on('close', () => clearInterval(timer));
  });
}

async function post(path: string, model: string, stream: boolean) {
  const { key } = await gateway.addCustomer(startQuota);
  const startedAt = Date.now();
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 20,
      stream,
    }),
  });
  const text = await reply.text();
  return { status: reply.status, text, took: Date.now() - startedAt };
}

const words = `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`;
const start = `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 1 } } })}\n\n`;
const word = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half' } })}\n\n`;
const ping = 'event: ping\ndata: {"type": "ping"}\n\n';

it.each([
  ['comments', '/v1/chat/completions', 'gpt-4o-mini', words, ': still here\n\n'],
  ['comments, translated', '/v1/messages', 'gpt-4o-mini', words, ': still here\n\n'],
  ['pieces of one event', '/v1/chat/completions', 'gpt-4o-mini', words, ' '],
  ['pings', '/v1/messages', 'claude-3-5-haiku-20241022', start + word, ping],
])(
  'a stream of nothing but %s after its beginning ends with an error',
  async (_name, path, model, text, pulse) => {
    pulsing(text, pulse);
    const reply = await post(path, model, true);
    expect(reply.status).toBe(200);
    expect(reply.text).toMatch(/upstream_timeout|timeout_error/);
    expect(reply.took).toBeLessThan(15_000);
  },
);

it.each([
  ['comments', ': still here\n\n'],
  ['blanks', ' '],
])('a stream of nothing but %s from the start is a failed attempt', async (_name, pulse) => {
  pulsing('', pulse);
  const reply = await post('/v1/chat/completions', 'gpt-4o-mini', true);
  expect(reply.status).toBe(504);
  expect(reply.took).toBeLessThan(15_000);
});

it.each([true, false])(
  'headers that never come, or never end, are awaited no longer than a reply (stream: %s)',
  async (stream) => {
    upstream.answer(() => undefined);
    for (const model of ['gpt-4o-mini', 'gpt-4o']) {
      const reply = await post('/v1/chat/completions', model, stream);
      expect(reply.status).toBe(504);
      expect(reply.took).toBeLessThan(15_000);
    }
  },
);
