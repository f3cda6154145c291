import '../../support/usage-equality.ts';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import { foreignSignature } from '../../../src/core/canonical/kit/foreign-signature.ts';
import type { BodyFields } from '../../../src/core/canonical/pass-through.ts';
import type { Call, Effects, UpstreamRequest } from '../../../src/core/canonical/provider.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { vertex } from '../../../src/core/providers/vertex/index.ts';
import type { VertexSettings } from '../../../src/core/providers/vertex/settings.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { geminiGenerate } from '../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';
import { accountDocument, accountPublicKey } from '../../support/service-account.ts';

type VertexCall = Call<VertexSettings>;

const { chat: offered } = vertex.operations;
if (offered === undefined) throw new Error('Vertex chats');
const chat: NonNullable<typeof offered> = offered;

const key = new Secret(JSON.stringify(accountDocument(), null, 2));
const callOf = (model: string, changes: Partial<VertexCall> = {}) =>
  testCall({ baseUrl: '', key, model, other: 'us-central1', ...changes }) as VertexCall;
const withApiKey = {
  key: new Secret('AIza-key'),
  settings: { vertex_key_type: 'api_key' } as const,
};
const hello = [{ role: 'user', content: 'hi' }];
const root =
  'https://us-central1-aiplatform.googleapis.com/v1/projects/my-project/locations/us-central1/publishers';

function send(body: object, model: string, changes: Partial<VertexCall> = {}): UpstreamRequest {
  return chat.encode(
    openAiChat.readRequest({ messages: hello, model, ...body } as JsonObject),
    callOf(model, changes),
  );
}

function fieldsOf(body: JsonObject): BodyFields {
  return {
    get: (name) => body[name],
    has: (name) => name in body,
    contains: (text) => JSON.stringify(body).includes(text),
  };
}
function forward(
  format: string,
  body: JsonObject,
  changes: Partial<VertexCall> & { model: string },
) {
  const entry = chat.passThrough?.find((one) => one.format === format);
  return entry?.target(fieldsOf(body), callOf(changes.model, changes));
}

/** Google's token endpoint, and a cache and clock of this test's own. */
function tokenServer(
  answer: () => { status: number; body: object } = () => ({
    status: 200,
    body: { access_token: 'ya29.token', expires_in: 3599 },
  }),
) {
  const requests: UpstreamRequest[] = [];
  const cached = new Map<string, { value: string; until: number }>();
  let now = Date.parse('2026-11-20T08:00:00Z');
  const effects: Effects = {
    fetch: async (request) => {
      requests.push(request);
      await Promise.resolve();
      const { status, body } = answer();
      return { status, text: JSON.stringify(body), headers: {} };
    },
    now: () => new Date(now),
    sleep: async () => undefined,
    cache: {
      get: (name) => {
        const entry = cached.get(name);
        return entry !== undefined && entry.until > now ? entry.value : undefined;
      },
      set: (name, value, seconds) => void cached.set(name, { value, until: now + seconds * 1000 }),
    },
  };
  return {
    requests,
    effects,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}

let serial = 0;
/** A call with an account that has no cached token. */
function freshCall(
  changes: Parameters<typeof accountDocument>[0] = {},
  format?: 'pkcs1',
): VertexCall {
  serial += 1;
  const document = accountDocument(
    { client_email: `account-${serial}@my-project.iam.gserviceaccount.com`, ...changes },
    format,
  );
  return callOf('gemini-2.5-flash', { key: new Secret(JSON.stringify(document)) });
}

async function authorize(call: VertexCall, effects: Effects): Promise<UpstreamRequest> {
  const request = { method: 'POST', url: 'https://x.test/', headers: { a: 'b' } } as const;
  return (await vertex.authorize?.(request, call, effects)) ?? request;
}

describe('addresses', () => {
  it.each([
    ['us-central1', 'https://us-central1-aiplatform.googleapis.com', 'us-central1'],
    ['global', 'https://aiplatform.googleapis.com', 'global'],
    ['', 'https://aiplatform.googleapis.com', 'global'],
    ['eu', 'https://aiplatform.eu.rep.googleapis.com', 'eu'],
    [
      '{"default":"us-east5","asked":"europe-west1"}',
      'https://europe-west1-aiplatform.googleapis.com',
      'europe-west1',
    ],
    ['{"default":"us-east5"}', 'https://us-east5-aiplatform.googleapis.com', 'us-east5'],
  ])('of region %j', (other, host, region) => {
    const request = openAiChat.readRequest({ messages: hello, model: 'asked' } as JsonObject);
    expect(chat.encode(request, callOf('gemini-2.5-flash', { other })).url).toBe(
      `${host}/v1/projects/my-project/locations/${region}/publishers/google/models/gemini-2.5-flash:generateContent`,
    );
  });

  it.each([
    [
      'gemini-2.5-flash',
      true,
      `${root}/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    ],
    [
      'claude-sonnet-4-5-20250929',
      false,
      `${root}/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`,
    ],
    [
      'claude-sonnet-4-5-20250929',
      true,
      `${root}/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict`,
    ],
    [
      'claude-3-5-sonnet-20241022',
      false,
      `${root}/anthropic/models/claude-3-5-sonnet-v2@20241022:rawPredict`,
    ],
    ['claude-opus-4-6-high', false, `${root}/anthropic/models/claude-opus-4-6:rawPredict`],
    [
      'meta/llama3-405b-instruct-maas',
      false,
      'https://us-central1-aiplatform.googleapis.com/v1beta1/projects/my-project/locations/us-central1/endpoints/openapi/chat/completions',
    ],
  ])('of %s, streamed: %s', (model, stream, url) => {
    const request = send({ stream }, model);
    expect(request.url).toBe(url);
    expect(request.headers).toMatchObject({ 'x-goog-user-project': 'my-project' });
    expect(JSON.stringify(request)).not.toContain('PRIVATE KEY');
  });

  it('with an API key have no project, and reach Google’s models only', () => {
    const request = send({ stream: true }, 'gemini-2.5-flash', { ...withApiKey, other: 'global' });
    expect(request.url).toBe(
      'https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse&key=AIza-key',
    );
    expect(request.headers).toEqual({ 'content-type': 'application/json' });
    const refused = expect.objectContaining({ code: 'unsupported_feature' });
    for (const model of ['claude-sonnet-4-6', 'meta/llama3-405b-instruct-maas'])
      expect(() => send({}, model, withApiKey)).toThrow(refused);
  });

  it('begin with the channel’s own where it has one', () => {
    expect(send({}, 'gemini-2.5-flash', { baseUrl: 'https://proxy.test' }).url).toMatch(
      /^https:\/\/proxy\.test\/v1\/projects\//,
    );
  });
});

describe('keys', () => {
  it.each([
    ['AIza-not-a-document', 'service account JSON'],
    ['{"project_id":"p"', 'service account JSON'],
    [
      JSON.stringify({ ...accountDocument(), client_email: '' }),
      'service account JSON: client_email',
    ],
  ])('%.20s… is not a valid account', (text, detail) => {
    const bad = expect.objectContaining({ code: 'invalid_channel_key', params: { detail } });
    expect(() => send({}, 'gemini-2.5-flash', { key: new Secret(text) })).toThrow(bad);
  });

  it('that cannot sign are rejected without a request', async () => {
    const { requests, effects } = tokenServer();
    const broken = freshCall({
      private_key: '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n',
    });
    const failure = await authorize(broken, effects).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_channel_key' });
    expect(String((failure as Error).stack)).not.toContain('c2VjcmV0');
    expect(requests).toEqual([]);
  });
});

describe('access tokens', () => {
  it('are exchanged for a signed assertion', async () => {
    const { requests, effects } = tokenServer();
    const call = freshCall();
    expect((await authorize(call, effects)).headers).toEqual({
      a: 'b',
      authorization: 'Bearer ya29.token',
    });
    const [request] = requests;
    expect(request).toMatchObject({ method: 'POST', url: 'https://oauth2.test/token' });
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    const form = new URLSearchParams(Buffer.from(request?.body as Uint8Array).toString('utf8'));
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const { payload, protectedHeader } = await jwtVerify(
      form.get('assertion') ?? '',
      accountPublicKey,
      {
        audience: 'https://oauth2.test/token',
        currentDate: effects.now(),
      },
    );
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-1' });
    const iat = Date.parse('2026-11-20T08:00:00Z') / 1000;
    expect(payload).toEqual({
      iss: `account-${serial}@my-project.iam.gserviceaccount.com`,
      aud: 'https://oauth2.test/token',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      iat,
      exp: iat + 3600,
    });
  });

  it('are also made from keys in older PEM formats', async () => {
    const { effects } = tokenServer();
    await expect(authorize(freshCall({}, 'pkcs1'), effects)).resolves.toMatchObject({
      headers: { authorization: expect.any(String) },
    });
    const escaped = accountDocument().private_key.replaceAll('\n', '\\n');
    await expect(authorize(freshCall({ private_key: escaped }), effects)).resolves.toBeDefined();
  });

  it('are kept for all until shortly before their end, and fetched once for all who wait', async () => {
    const { requests, effects, pass } = tokenServer();
    const call = freshCall();
    await Promise.all([1, 2, 3].map(() => authorize(call, effects)));
    expect(requests).toHaveLength(1);
    pass(2900);
    await authorize(call, effects);
    expect(requests).toHaveLength(1);
    pass(400);
    await authorize(call, effects);
    expect(requests).toHaveLength(2);
    await authorize(freshCall(), effects);
    expect(requests).toHaveLength(3);
  });

  it('are fetched again after a rejection', async () => {
    const { requests, effects } = tokenServer();
    const call = freshCall();
    const refused = { status: 401, code: 'UNAUTHENTICATED' };
    await authorize(call, effects);
    expect(vertex.renewAuthorization?.({ status: 401, code: 'invalid_grant' }, call, effects)).toBe(
      false,
    );
    expect(vertex.renewAuthorization?.(refused, call, effects)).toBe(true);
    await authorize(call, effects);
    expect(requests).toHaveLength(2);
    expect(vertex.renewAuthorization?.(refused, { ...call, ...withApiKey }, effects)).toBe(false);
  });

  it.each([
    [
      400,
      { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
      { status: 401, code: 'invalid_grant', accountFault: true },
    ],
    [503, {}, { status: 503, message: 'no access token was given' }],
    [200, {}, { status: 502 }],
  ])('that are not given (%d) are failures', async (status, body, error) => {
    const { effects } = tokenServer(() => ({ status, body }));
    const failure = await authorize(freshCall(), effects).catch((one: unknown) => one);
    expect(failure).toBeInstanceOf(ReplyFailure);
    expect((failure as ReplyFailure).error).toMatchObject(error);
    if (status !== 400) expect((failure as ReplyFailure).error.accountFault).toBeUndefined();
  });

  it('are not needed with an API key', async () => {
    const { requests, effects } = tokenServer();
    expect((await authorize(callOf('gemini-2.5-flash', withApiKey), effects)).headers).toEqual({
      a: 'b',
    });
    expect(requests).toEqual([]);
  });
});

describe('Claude', () => {
  it('gets a version, and its model in the address', () => {
    const clientHeaders = { 'anthropic-beta': 'a,b' };
    const request = send({ stream: true, max_tokens: 5 }, 'claude-sonnet-4-6', { clientHeaders });
    expect(request.headers).toMatchObject({ 'anthropic-beta': 'a,b', accept: 'text/event-stream' });
    expect(request.headers).not.toHaveProperty('x-api-key');
    expect(request.body).toEqual({
      anthropic_version: 'vertex-2023-10-16',
      max_tokens: 5,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      stream: true,
    });
  });

  it('takes native bodies as they are', () => {
    const model = 'claude-opus-4-5-20251101';
    const body = {
      model: 'asked',
      max_tokens: 1,
      stream: true,
      anthropic_version: '2023-06-01',
      messages: hello,
    };
    const other = '{"default":"us-central1","asked":"europe-west1"}';
    expect(forward('anthropic-messages', body, { model, other })).toEqual({
      url: 'https://europe-west1-aiplatform.googleapis.com/v1/projects/my-project/locations/europe-west1/publishers/anthropic/models/claude-opus-4-5@20251101:streamRawPredict',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-goog-user-project': 'my-project',
      },
      edits: {},
      wireEdits: { model: undefined, anthropic_version: 'vertex-2023-10-16' },
      modelInUrl: true,
    });
    const image = { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } };
    expect(
      forward(
        'anthropic-messages',
        { ...body, messages: [{ role: 'user', content: [image] }] },
        { model },
      ),
    ).toBeUndefined();
    expect(forward('anthropic-messages', body, { model: 'gemini-2.5-pro' })).toBeUndefined();
  });

  it('counts tokens at an address of its own', () => {
    const count = vertex.operations.countTokens;
    const request = count?.encode(
      { model: 'm', max_tokens: 1, messages: hello },
      callOf('claude-sonnet-4@default'),
    );
    expect(request).toMatchObject({
      url: `${root}/anthropic/models/count-tokens:rawPredict`,
      body: { model: 'claude-sonnet-4', anthropic_version: 'vertex-2023-10-16', messages: hello },
    });
    expect(request?.body).not.toHaveProperty('max_tokens');
    expect(count?.decode({ input_tokens: 9 })).toBe(9);
    const said = { type: 'text', text: 'a' };
    const thought = { type: 'thinking', thinking: 't', signature: foreignSignature };
    const foreign = { messages: [...hello, { role: 'assistant', content: [thought, said] }] };
    expect(count?.encode(foreign, callOf('claude-sonnet-4'))?.body).toMatchObject({
      messages: [...hello, { role: 'assistant', content: [said] }],
    });
  });

  it('streams like Anthropic, to native callers with its usage complete', () => {
    const call = callOf('claude-sonnet-4-20250514');
    const decoder = chat.createStreamDecoder?.(call);
    if (decoder === undefined) throw new Error('no decoder');
    expect(
      collect(decodeChunks([fixtureBytes('vertex', 'claude-text.sse')], 'sse', decoder)),
    ).toMatchObject({
      id: 'msg_vrtx_01',
      text: 'Hello there',
      usage: { promptTokens: 50, completionTokens: 10, cachedTokens: 30 },
      finishes: ['stop'],
    });
    const writer = chat.passThrough
      ?.find(({ format }) => format === 'anthropic-messages')
      ?.rewrite?.create();
    const delta = (usage: object) => JSON.stringify({ type: 'message_delta', delta: {}, usage });
    writer?.push({
      event: '',
      data: JSON.stringify({ type: 'message_start', message: { usage: { input_tokens: 3 } } }),
    });
    expect(writer?.push({ event: '', data: delta({ output_tokens: 2 }) })).toBe(
      `event: message_delta\ndata: ${delta({ output_tokens: 2, input_tokens: 3 })}\n\n`,
    );
    const whole = delta({ input_tokens: 0, output_tokens: 2 });
    expect(writer?.push({ event: '', data: whole })).toBe(
      `event: message_delta\ndata: ${whole}\n\n`,
    );
    const error = [{ error: { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED' } }];
    expect(writer?.push({ event: '', data: JSON.stringify(error) })).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"m"}}\n\n',
    );
    expect([
      writer?.push({ event: '', data: '[DONE]' }),
      writer?.push({ event: '', data: '' }),
    ]).toEqual(['', '']);
  });
});

describe('Gemini', () => {
  const call = (id: string) => ({ functionCall: { id, name: 'f', args: {} } });
  const contents: readonly JsonValue[] = [
    { parts: [{ text: 'hi' }] },
    { role: 'model', parts: [call('1'), { text: 'x' }] },
    { role: 'user', parts: [{ function_response: { id: '1', name: 'f', response: {} } }] },
    { role: 'model', parts: [{ text: 'y' }] },
  ];

  it('takes native bodies with a role on every content and no ids', () => {
    const clientPath = '/v1beta/models/asked:streamGenerateContent?alt=sse&key=sk-secret';
    const target = forward(
      'gemini-generate',
      { contents },
      { model: 'gemini-2.5-pro', clientPath },
    );
    expect(target).toMatchObject({
      url: `${root}/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse`,
      edits: {},
      modelInUrl: true,
    });
    expect(target?.wireEdits).toEqual({
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }, { text: 'x' }] },
        { role: 'user', parts: [{ function_response: { name: 'f', response: {} } }] },
        { role: 'model', parts: [{ text: 'y' }] },
      ],
    });
    const fine = forward(
      'gemini-generate',
      { contents: contents.slice(3) },
      { model: 'gemini-2.5-pro', clientPath },
    );
    expect(fine?.wireEdits).toBeUndefined();
    const other = '{"default":"global","asked":"europe-west4"}';
    expect(
      forward('gemini-generate', { contents }, { model: 'gemini-2.5-pro', clientPath, other })?.url,
    ).toContain('europe-west4');
  });

  it('never gets ids of calls when a request is written for it', () => {
    const request = geminiGenerate.readRequest({ contents: contents.slice(1) } as JsonObject, {
      model: 'm',
      stream: false,
    });
    expect(JSON.stringify(chat.encode(request, callOf('gemini-2.5-pro')).body)).not.toContain(
      '"id"',
    );
  });

  it('reads its storage itself', () => {
    expect(chat.readsAddress?.('gs://bucket/a.pdf')).toBe(true);
    const part = { fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } };
    const request = geminiGenerate.readRequest(
      { contents: [{ role: 'user', parts: [part] }] } as JsonObject,
      {
        model: 'm',
        stream: false,
      },
    );
    expect(chat.encode(request, callOf('gemini-2.5-pro')).body).toMatchObject({
      contents: [{ parts: [part] }],
    });
    const parts: JsonObject[] = [
      { type: 'image_url', image_url: { url: 'gs://bucket/a.PNG' } },
      { type: 'file', file: { file_data: 'gs://bucket/a.pdf' } },
    ];
    const chatted = openAiChat.readRequest({
      model: 'm',
      messages: [{ role: 'user', content: parts }],
    });
    expect(chat.encode(chatted, callOf('gemini-2.5-pro')).body).toMatchObject({
      contents: [
        { parts: [{ fileData: { fileUri: 'gs://bucket/a.PNG', mimeType: 'image/png' } }, part] },
      ],
    });
  });

  it('streams text, arguments in pieces, errors in a list', () => {
    const stream = (name: string) => {
      const decoder = chat.createStreamDecoder?.(callOf('gemini-2.5-flash'));
      if (decoder === undefined) throw new Error('no decoder');
      return collect(decodeChunks([fixtureBytes('vertex', name)], 'sse', decoder));
    };
    expect(stream('stream-text.sse')).toMatchObject({
      text: 'Grüße, 世界',
      usage: { promptTokens: 12, completionTokens: 12 },
    });
    expect(stream('stream-partial-args.sse')).toMatchObject({
      calls: [{ name: 'weather', arguments: '{"city":"Oslo"}' }],
      finishes: ['tool-calls'],
    });
    expect(stream('stream-error-array.sse').errors).toMatchObject([
      { status: 429, code: 'RESOURCE_EXHAUSTED' },
    ]);
  });
});

describe('models of other makers', () => {
  const model = 'meta/llama3-405b-instruct-maas';

  it('use the OpenAI format', () => {
    const request = send(
      { messages: [{ role: 'developer', content: 'D' }, ...hello], stream: true },
      model,
    );
    expect(request.body).toEqual({
      model,
      messages: [{ role: 'system', content: 'D' }, ...hello],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(JSON.stringify(request.headers)).not.toContain('Bearer');
    const reply = {
      id: 'c',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    };
    expect(chat.decode(reply, callOf(model)).choices[0]?.content).toEqual([
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('take native bodies', () => {
    expect(forward('openai-chat', { model, messages: hello }, { model })?.url).toContain(
      '/endpoints/openapi/chat/completions',
    );
    expect(
      forward('openai-chat', { model: 'm', messages: hello }, { model: 'gemini-2.5-flash' }),
    ).toBeUndefined();
  });
});

describe('predictions', () => {
  const embed = async (model: string, input: readonly string[]) => {
    const { requests, effects } = tokenServer();
    const answering: Effects = {
      ...effects,
      fetch: async (request) => {
        if (!request.url.includes(':predict')) return effects.fetch(request);
        requests.push(request);
        const { instances } = request.body as unknown as { instances: { content: string }[] };
        const predictions = instances.map(({ content }) => ({
          embeddings: {
            values: [content.length],
            statistics: { token_count: 2, truncated: false },
          },
        }));
        return { status: 200, text: JSON.stringify({ predictions }), headers: {} };
      },
    };
    const call = { ...freshCall(), model };
    const request = { model, input, dimensions: 64, extra: { task_type: 'RETRIEVAL_QUERY' } };
    const reply = await vertex.operations.embedding?.perform?.(request, call, answering);
    return {
      reply,
      predicted: requests.filter(({ url }) => url.includes(':predict')),
      tokens: requests.length,
    };
  };

  it('of texts go together', async () => {
    const { reply, predicted } = await embed('text-embedding-005', ['a', 'bb']);
    expect(reply).toEqual({ embeddings: [[1], [2]], usage: { promptTokens: 4 } });
    expect(predicted.map(({ url, body }) => [url, body])).toEqual([
      [
        `${root}/google/models/text-embedding-005:predict`,
        {
          instances: [
            { content: 'a', task_type: 'RETRIEVAL_QUERY' },
            { content: 'bb', task_type: 'RETRIEVAL_QUERY' },
          ],
          parameters: { outputDimensionality: 64 },
        },
      ],
    ]);
    expect(predicted[0]?.headers.authorization).toBe('Bearer ya29.token');
  });

  it('of texts go one by one to the model that takes one', async () => {
    const { reply, predicted, tokens } = await embed('gemini-embedding-001', ['a', 'bb', 'ccc']);
    expect(reply).toEqual({ embeddings: [[1], [2], [3]], usage: { promptTokens: 6 } });
    expect([predicted.length, tokens]).toEqual([3, 4]);
  });

  it('are images too', () => {
    const draw = (model: string) =>
      vertex.operations.image?.encode({ model, prompt: 'a cat', extra: {} }, callOf(model));
    expect(draw('imagen-3.0-generate-002')).toMatchObject({
      url: `${root}/google/models/imagen-3.0-generate-002:predict`,
      body: { instances: [{ prompt: 'a cat' }] },
    });
    expect(draw('gemini-2.5-flash-image')?.url).toBe(
      `${root}/google/models/gemini-2.5-flash-image:generateContent`,
    );
    expect(() => draw('gemini-2.5-flash')).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
  });
});

describe('failures', () => {
  const read = (status: number, name: string) =>
    vertex.readFailure({ status, headers: {}, text: '', body: fixtureJson('vertex', name) });

  it('come in Google’s shape, alone or in a list, or in Anthropic’s', () => {
    expect(read(429, 'failure-429.json')).toMatchObject({
      status: 429,
      code: 'RESOURCE_EXHAUSTED',
    });
    expect(read(400, 'failure-400.json')).toMatchObject({
      type: 'invalid_request_error',
      message: 'max_tokens: Field required',
    });
  });

  it('of permission concern a model or a region, not the account', () => {
    const body = {
      error: { code: 403, message: 'Permission denied on resource', status: 'PERMISSION_DENIED' },
    };
    expect(
      vertex.readFailure({ status: 403, headers: {}, text: '', body }).accountFault,
    ).toBeUndefined();
  });
});

it('writes requests of Claude’s own callers for Gemini', () => {
  const request = anthropicMessages.readRequest({
    model: 'm',
    max_tokens: 5,
    messages: hello,
  } as JsonObject);
  expect(chat.encode(request, callOf('gemini-2.5-flash')).body).toMatchObject({
    generationConfig: { maxOutputTokens: 5 },
  });
});
