// Covers src/core/relay/admit/open-job.ts.
/** A token that is limited to some models, and tools that name others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { messagesReply } from '../../../support/upstream.ts';

let bench: CallBench;
let key: string;
let free: string;

beforeAll(async () => {
  bench = await startCallBench('gpt-5.5');
  const { gateway, upstream } = bench;
  await gateway.addChannel({ type: 14, baseUrl: upstream.url, models: 'claude-haiku-5-5' });
  const limits = {
    model_limits_enabled: true,
    model_limits: 'gpt-5.5,claude-haiku-5-5,gpt-image-1*',
  };
  ({ key } = await gateway.addCustomer(startQuota, limits));
  free = (await gateway.addCustomer(startQuota)).key;
});
afterAll(() => bench.close());

const draw = (model?: string) => ({
  model: 'gpt-5.5',
  input: 'draw a cat',
  tools: [
    { type: 'function', name: 'f', parameters: {} },
    { type: 'image_generation', model },
  ],
});
const advise = (model: string) => ({
  model: 'claude-haiku-5-5',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'hi' }],
  tools: [{ type: 'advisor_20260301', name: 'advisor', model }],
});

async function codeOf(path: string, body: object, by = key) {
  bench.upstream.answer(
    path === '/v1/messages'
      ? messagesReply()
      : (response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(
            '{"id":"resp_1","object":"response","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":1}}',
          );
        },
  );
  const before = bench.upstream.requests.length;
  const reply = await bench.post(path, by, JSON.stringify(body));
  return [reply.status, bench.upstream.requests.length - before];
}

it.each([
  ['/v1/responses', draw('gpt-image-2'), 403],
  ['/v1/responses', draw('gpt-image-1.5'), 200],
  ['/v1/responses', draw(), 200],
  ['/v1/messages', advise('claude-opus-5-5'), 403],
  ['/v1/messages', advise('claude-haiku-5-5'), 200],
] as const)('%s with a tool: %o', async (path, body, status) => {
  const sent = status === 200 ? 1 : 0;
  expect(await codeOf(path, body)).toEqual([status, sent]);
});

it('one without limits may name any', async () => {
  expect(await codeOf('/v1/responses', draw('gpt-image-2'), free)).toEqual([200, 1]);
  expect(await codeOf('/v1/messages', advise('claude-opus-5-5'), free)).toEqual([200, 1]);
});
