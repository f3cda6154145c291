/**
 * A hostile upstream repeats its key and address in every kind of error: neither reaches a caller
 * or a log that callers see.
 */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/core/kernel/secret.ts';
import { maskOf } from '../../../../src/core/upstream/mask.ts';
import { readChannelRules } from '../../../../src/core/upstream/rules/index.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import type { Answer } from '../../../support/upstream.ts';

const key = 'inner|Key/With+Signs=42';
const encoded = Buffer.from(key).toString('base64');
let bench: CallBench;
/** Every secret, in the spellings in which a server may repeat it. */
let leak = '';
let secrets: readonly string[] = [];

beforeAll(async () => {
  bench = await startCallBench('unused');
  const { port } = new URL(bench.upstream.url);
  const baseUrl = `http://localhost:${port}`;
  const channels = {
    1: 'gpt-4o-mini,gpt-4o,tts-1,gpt-image-1,gpt-4o-transcribe',
    14: 'claude-3-5-haiku-20241022',
    24: 'gemini-2.0-flash',
    17: 'wanx-v1',
  };
  for (const [type, models] of Object.entries(channels))
    await bench.gateway.addChannel({ type: Number(type), baseUrl, key, models });
  secrets = [
    'inner|Key',
    'Key/With+Signs',
    encodeURIComponent('Key/With+Signs=42'),
    encoded,
    'localhost',
    `:${port}`,
    '10.0.0.7',
    'fd00::12',
  ];
  leak = `no ${key} (${encodeURIComponent(key)}, Basic ${encoded}) at ${baseUrl}/v1, localhost:${port}, 10.0.0.7:80, fd00::12, [fd00::12]:80`;
  await bench.gateway.set('RetryTimes', 0);
});
afterAll(() => bench.close());

const flat = () => ({ message: leak, type: leak, code: leak, param: leak });
const sse = (event: object) =>
  `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
const send =
  (first: string, ...later: readonly string[]): Answer =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    setTimeout(() => response.end(later.join('')), 20);
  };
const json =
  (status: number, body: unknown): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };

const messages = [{ role: 'user', content: 'hi' }];
const chat = (model: string, stream = true) =>
  ['/v1/chat/completions', { model, messages, stream }] as const;
const claude = (model: string, stream = true) =>
  ['/v1/messages', { model, messages, max_tokens: 50, stream }] as const;
const responses = (model: string, stream = true) =>
  ['/v1/responses', { model, input: 'hi', stream }] as const;
const gemini = (model: string, stream = true) =>
  [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  ] as const;

async function expectMasked([path, body]: readonly [string, object]) {
  const { key: token, username } = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post(path, token, JSON.stringify(body));
  const text = await reply.text();
  expect(text).toMatch(/error|fail/i);
  for (const secret of secrets) expect(text).not.toContain(secret);
  const { items } = await bench.gateway.client.log.list({ username });
  for (const secret of secrets) expect(JSON.stringify(items)).not.toContain(secret);
  return text;
}

const chunk = {
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { content: 'Half' } }],
};
const start = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  },
};
const block = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'text', text: 'Half' },
};
const part = { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Half' }] } }] };
const response = { id: 'r', object: 'response', status: 'in_progress', output: [] };
const delta = {
  type: 'response.output_text.delta',
  item_id: 'i',
  output_index: 0,
  content_index: 0,
  delta: 'Half',
};
const created = { type: 'response.created', response };
const failed = () => ({
  type: 'response.failed',
  response: { ...response, status: 'failed', error: { code: leak, message: leak } },
});

describe('an error after the first byte', () => {
  it.each([
    ['chat', () => chat('gpt-4o-mini'), () => send(sse(chunk), sse({ error: flat() }))],
    ['chat, as text', () => chat('gpt-4o-mini'), () => send(sse(chunk), sse({ error: leak }))],
    [
      'messages',
      () => claude('claude-3-5-haiku-20241022'),
      () => send(sse(start) + sse(block), sse({ type: 'error', error: flat() })),
    ],
    [
      'Gemini',
      () => gemini('gemini-2.0-flash'),
      () => send(sse(part), sse({ error: { ...flat(), code: 500, status: leak } })),
    ],
    [
      'Responses, event',
      () => responses('gpt-4o'),
      () => send(sse(created) + sse(delta), sse({ ...flat(), [leak]: 1, type: 'error' })),
    ],
    [
      'Responses, failed',
      () => responses('gpt-4o'),
      () => send(sse(created) + sse(delta), sse(failed())),
    ],
    [
      'Responses, both',
      () => responses('gpt-4o'),
      () => send(sse(created) + sse(delta), sse({ ...flat(), type: 'error' }), sse(failed())),
    ],
    [
      'chat from messages',
      () => chat('claude-3-5-haiku-20241022'),
      () => send(sse(start) + sse(block), sse({ type: 'error', error: flat() })),
    ],
    [
      'Responses from Gemini',
      () => responses('gemini-2.0-flash'),
      () => send(sse(part), sse({ error: { ...flat(), code: 500 } })),
    ],
    [
      'images',
      () =>
        [
          '/v1/images/generations',
          { model: 'gpt-image-1', prompt: 'a lake', stream: true },
        ] as const,
      () =>
        send(
          sse({ type: 'image_generation.partial_image', b64_json: 'QUJD' }),
          sse({ type: 'error', error: flat() }),
        ),
    ],
    [
      'speech',
      () =>
        [
          '/v1/audio/speech',
          { model: 'tts-1', input: 'hi', voice: 'alloy', stream_format: 'sse' },
        ] as const,
      () =>
        send(
          sse({ type: 'speech.audio.delta', audio: 'QUJD' }),
          sse({ type: 'error', error: flat() }),
        ),
    ],
  ] as const)('is masked: %s', async (_name, request, answer) => {
    bench.upstream.answer(answer());
    expect(await expectMasked(request())).toContain('***');
  });
});

describe('an error before the first byte', () => {
  const callers = [chat, claude, gemini, responses];
  it.each([400, 401, 403, 404, 429, 500, 502, 503])(
    'with status %s is masked for every caller',
    async (status) => {
      bench.upstream.answer(json(status, { error: flat() }));
      for (const caller of callers)
        for (const stream of [true, false]) await expectMasked(caller('gpt-4o-mini', stream));
    },
  );

  it('behind status 200 is masked for every caller', async () => {
    for (const body of [{ error: flat() }, { error: leak }, { message: leak }]) {
      bench.upstream.answer(json(200, body));
      for (const caller of callers) await expectMasked(caller('gpt-4o-mini', false));
      bench.upstream.answer(send(sse(body)));
      for (const caller of callers) await expectMasked(caller('gpt-4o-mini'));
    }
  });

  it('whose message is cut inside the key shows no part of it', async () => {
    bench.upstream.answer(json(500, { error: { message: `${'x'.repeat(3990)} ${key}` } }));
    expect(await expectMasked(chat('gpt-4o-mini', false))).not.toContain('inner');
  });
});

it.each([301, 302, 307, 399, 999])(
  'status %s of an upstream is 502 for its caller',
  async (status) => {
    bench.upstream.answer((reply) => {
      reply.writeHead(status, { location: 'http://10.0.0.7/', 'content-type': 'application/json' });
      reply.end('{}');
    });
    const { key: token } = await bench.gateway.addCustomer(startQuota);
    for (const [path, body] of [chat('gpt-4o-mini'), claude('gpt-4o-mini', false)])
      expect((await bench.post(path, token, JSON.stringify(body))).status).toBe(502);
  },
);

describe('an error of a task', () => {
  const order =
    (leaking: object): Answer =>
    (response, request) =>
      json(
        200,
        request.path.includes('/tasks/')
          ? leaking
          : { output: { task_id: 't1', task_status: 'PENDING' } },
      )(response, request);

  it.each([
    ['its order is refused', () => json(400, { code: leak, message: leak, request_id: 'r1' })],
    [
      'it fails',
      () => order({ output: { task_id: 't1', task_status: 'FAILED', code: leak, message: leak } }),
    ],
    [
      'its state is unknown',
      () => order({ output: { task_id: 't1', task_status: leak, message: leak } }),
    ],
  ] as const)('is masked where %s', async (_name, answer) => {
    bench.upstream.answer(answer());
    await expectMasked(['/v1/images/generations', { model: 'wanx-v1', prompt: 'a lake' }]);
  });
});

const texts = { statusCodeMapping: '', setting: '', paramOverride: '' };
const withoutRules = readChannelRules(texts);

it('the organization and the headers that the channel’s rules set are masked', () => {
  const operations = [{ mode: 'set_header', path: 'x-gate', value: 'Token inner-gate-token' }];
  const rules = readChannelRules({
    ...texts,
    setting: JSON.stringify({
      header_override: {
        'x-inner': 'Basic inner-header-value',
        'x-user': '{client_header:x-user}',
      },
    }),
    paramOverride: JSON.stringify({ operations }),
  });
  const mask = maskOf({
    key: new Secret('sk-abcdefghijklmnop'),
    baseUrl: 'https://api.openai.com',
    proxy: undefined,
    keys: undefined,
    organization: 'org-inner-company',
    rules,
  });
  const text = mask(
    'No such organization: org-inner-company; x-inner: Basic inner-header-value, inner-gate-token, user 42',
  );
  expect(text).not.toContain('inner-');
  expect(text).toContain('No such organization');
  expect(text).toContain('user 42');
});

it('keys of several accounts, of a service account and of a proxy are masked', () => {
  const account = JSON.stringify({
    project_id: 'inner-project',
    private_key: '-----BEGIN-----\nQUJD\n-----END-----',
    client_email: 'a@inner.example',
  });
  const mask = maskOf({
    key: new Secret(account),
    baseUrl: 'https://Inner.Example:8443/v1',
    proxy: 'socks5://gate:hunter22@proxy.inner:1080',
    keys: undefined,
    organization: '',
    rules: withoutRules,
  });
  const text = mask(
    `a@inner.example of inner-project, ${account}, inner.example:8443 via gate:hunter22@proxy.inner:1080`,
  );
  for (const secret of ['inner', 'QUJD', 'hunter22', 'gate']) expect(text).not.toContain(secret);
});

it('words of a message that are no secrets stay', () => {
  const channel = {
    key: new Secret('sk-abcdefghijklmnop'),
    baseUrl: 'https://api.openai.com',
    proxy: undefined,
    keys: undefined,
    organization: '',
    rules: withoutRules,
  };
  const text = 'Rate limit reached for gpt-4o: skip std::string at 12:30:00, try again in 3.5 s';
  expect(maskOf(channel)(text)).toBe(text);
});
