/** Callers who try to set headers that only the gateway may set. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { chatReply, errorReply } from '../../../support/upstream.ts';

let bench: CallBench;
let key: string;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o');
  await bench.gateway.set('SelfUseModeEnabled', true);
  ({ key } = await bench.gateway.addCustomer(startQuota));
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.upstream.requests.length = 0;
  bench.upstream.answer(chatReply());
});

const messages = [{ role: 'user', content: 'Hello' }];

it('a text of the body that no header can carry stays out of the header it was meant for', async () => {
  const operations = [{ mode: 'sync_fields', from: 'json:user', to: 'header:x-user' }];
  await bench.gateway.addChannel({
    type: 1,
    baseUrl: bench.upstream.url,
    models: 'synced',
    param_override: JSON.stringify({ operations }),
  });
  for (const user of ['me', 'me\r\nx-admin: yes', '中文']) {
    const reply = await bench.post(
      '/v1/chat/completions',
      key,
      JSON.stringify({ model: 'synced', messages, user }),
    );
    expect(reply.status).toBe(200);
  }
  expect(
    bench.upstream.requests.map(({ headers }) => [headers['x-user'], headers['x-admin']]),
  ).toEqual([
    ['me', undefined],
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

it('content-encoding is not forwarded for a decompressed body', async () => {
  const setting = JSON.stringify({ header_override: { '*': true } });
  await bench.gateway.addChannel({
    type: 1,
    baseUrl: bench.upstream.url,
    models: 'passing',
    setting,
  });
  const reply = await fetch(`${bench.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-trace': 'travels',
    },
    body: gzipSync(JSON.stringify({ model: 'passing', messages })),
  });
  expect(reply.status).toBe(200);
  const [request] = bench.upstream.requests;
  expect(request?.headers['x-trace']).toBe('travels');
  expect(request?.headers['content-encoding']).toBeUndefined();
  expect(request?.json).toMatchObject({ model: 'passing' });
});

it('a key repeated in an upstream’s error is masked, for any key format', async () => {
  const secret = 'q7.Zz_91/abcdef+0';
  await bench.gateway.addChannel({
    type: 1,
    baseUrl: bench.upstream.url,
    models: 'talkative',
    key: secret,
  });
  bench.upstream.answer(
    errorReply(400, {
      message: `the key ${secret} is not for this model`,
      type: 'invalid_request_error',
    }),
  );
  const reply = await bench.post(
    '/v1/chat/completions',
    key,
    JSON.stringify({ model: 'talkative', messages }),
  );
  const text = await reply.text();
  expect(text).toContain('is not for this model');
  expect(text).not.toContain(secret);
});

it('a key repeated in the middle of a reply is masked', async () => {
  const secret = 'q7.Zz_91/abcdef+0';
  await bench.gateway.addChannel({
    type: 14,
    baseUrl: bench.upstream.url,
    models: 'gossip',
    key: secret,
  });
  const events = [
    { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well' } },
    {
      type: 'error',
      error: {
        type: 'api_error',
        message: `the key ${secret} at https://inner.example/v1 is tired`,
      },
    },
  ];
  bench.upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
    );
  });
  const reply = await bench.post(
    '/v1/chat/completions',
    key,
    JSON.stringify({ model: 'gossip', messages, stream: true }),
  );
  const text = await reply.text();
  expect(text).toContain('is tired');
  expect(text).not.toContain(secret);
  expect(text).not.toContain('inner.example');
});
