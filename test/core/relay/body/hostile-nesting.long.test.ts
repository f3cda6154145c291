/** Bodies nested too deeply: status 400 on every path through the gateway, which keeps running. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  chatReply,
  errorReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const levels = 100_000;
const deepSchema = `${'{"type":"object","properties":{"a":'.repeat(levels)}{}${'}}'.repeat(levels)}`;
const deepList = `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** Channel types by the models that only they serve. */
const types: Readonly<Record<string, number>> = {
  openai: 1,
  claude: 14,
  gemini: 24,
  baidu: 15,
  ali: 17,
  cohere: 34,
  mistral: 42,
  perplexity: 27,
  ollama: 4,
  deepseek: 43,
};
const rules = JSON.stringify({
  operations: [{ mode: 'prune_objects', value: { where: { type: 'x' } } }],
});

let gateway: TestGateway;
let upstream: TestUpstream;
let key: string;

beforeAll(async () => {
  [gateway, upstream] = await Promise.all([startTestGateway(), startUpstream()]);
  const common = { baseUrl: upstream.url };
  for (const [models, type] of Object.entries(types)) {
    await gateway.addChannel({
      ...common,
      type,
      models,
      ...(models === 'baidu' ? { key: 'bce-v3/a' } : {}),
    });
  }
  await gateway.addChannel({ ...common, type: 1, models: 'ruled', param_override: rules });
  await gateway.set('SelfUseModeEnabled', true);
  key = (await gateway.addCustomer(1_000_000_000)).key;
  const refuse = errorReply(400, { message: 'no', type: 'invalid_request_error' });
  upstream.answer((response, request) =>
    (request.text === plain ? chatReply() : refuse)(response, request),
  );
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function status(path: string, body: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
  };
  const reply = await fetch(gateway.url + path, { method: 'POST', headers, body });
  await reply.arrayBuffer();
  return reply.status;
}

const hello = '"messages":[{"role":"user","content":"hi"}],"max_tokens":10';
const plain = `{"model":"openai",${hello}}`;
const bodies: readonly (readonly [string, string, (model: string) => string])[] = [
  [
    'chat',
    'a schema',
    (model) =>
      `{"model":"${model}",${hello},"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":${deepSchema}}}]}`,
  ],
  ['chat', 'a field', (model) => `{"model":"${model}",${hello},"metadata":{"a":${deepList}}}`],
  [
    'chat',
    'a response format’s schema',
    (model) =>
      `{"model":"${model}",${hello},"response_format":{"type":"json_schema","json_schema":{"name":"a","strict":true,"schema":${deepSchema}}}}`,
  ],
  [
    'chat',
    'arguments',
    (model) =>
      `{"model":"${model}","messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"${deepList}"}}]},{"role":"tool","tool_call_id":"c","content":"${deepList}"}]}`,
  ],
  [
    'messages',
    'a schema',
    (model) => `{"model":"${model}",${hello},"tools":[{"name":"f","input_schema":${deepSchema}}]}`,
  ],
  [
    'messages',
    'input of a call',
    (model) =>
      `{"model":"${model}","max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"a":${deepList}}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"r"}]}]}`,
  ],
  [
    'responses',
    'a schema',
    (model) =>
      `{"model":"${model}","input":"hi","tools":[{"type":"function","name":"f","parameters":${deepSchema}}]}`,
  ],
  [
    'generate',
    'a schema',
    () =>
      `{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"tools":[{"functionDeclarations":[{"name":"f","parameters":${deepSchema}}]}]}`,
  ],
  [
    'generate',
    'a result',
    () =>
      `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"a":${deepList}}}}]}]}`,
  ],
];
const paths: Readonly<Record<string, (model: string) => string>> = {
  chat: () => '/v1/chat/completions',
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  generate: (model) => `/v1beta/models/${model}:generateContent`,
};

describe.each([...Object.keys(types), 'ruled'])('for %s', (model) => {
  it.each(bodies)('%s with %s nested beyond reason', async (format, _what, write) => {
    // A body that is forwarded unchanged, or without its deep part, is for the upstream to reject;
    // any other one for the gateway.
    expect(await status(paths[format]?.(model) ?? '', write(model))).toBe(400);
    expect(await status('/v1/chat/completions', plain)).toBe(200);
  });
});

it('refuses a body of more values than memory is worth, before any of them is read', async () => {
  const values = (count: number) =>
    `{"model":"openai",${hello},"metadata":[${'{},'.repeat(count)}{}]}`;
  const before = process.memoryUsage().heapUsed;
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: values(10_000_000),
  });
  expect([reply.status, await reply.json()]).toEqual([
    400,
    {
      error: expect.objectContaining({
        code: 'request_too_complex',
        message: expect.stringContaining('1000000'),
      }),
    },
  ]);
  // a parsed body takes half a gigabyte
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(300_000_000);
  // read, and refused by its upstream
  expect(await status('/v1/chat/completions', values(400_000))).toBe(400);
});
