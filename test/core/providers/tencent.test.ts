import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import type { Call, Effects } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { tencent } from '../../../src/core/providers/tencent/index.ts';
import { signTc3 } from '../../../src/core/providers/tencent/sign.ts';
import { tencentSigned } from '../../../src/core/providers/tencent/signed.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const { chat, embedding } = tencentSigned.operations;
if (chat?.createStreamDecoder === undefined || embedding === undefined)
  throw new Error('Hunyuan chats and embeds');

const vector =
  '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}';
const signature = '464ca5c8629a23b66f56c3faf65b08f6eb74209c1609fc17c68fb8a68b980ba9';

function tencentCall(changes: Partial<Call> = {}): Call {
  const common = {
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    key: new Secret('1|id|sk'),
    model: 'hunyuan-pro',
  };
  return testCall({ ...common, ...changes });
}

function bodyOf(body: JsonObject, changes: Partial<Call> = {}) {
  const request = openAiChat.readRequest(
    { model: 'm', ...body },
    { model: 'm', stream: body.stream === true },
  );
  return chat?.encode(request, tencentCall(changes)).body as Record<string, unknown>;
}

const at: Effects = {
  sleep: () => Promise.resolve(),
  fetch: () => Promise.reject(new Error('nothing is fetched')),
  now: () => new Date(1_700_000_000_900),
  cache: { get: () => undefined, set: () => undefined },
};

const hello = [{ role: 'user', content: 'Hello' }];

describe('TC3', () => {
  it('signs the check vector', () => {
    expect(createHash('sha256').update(vector).digest('hex')).toBe(
      'c371332eb9f59f25b54b547b7e22c0729884f1924477e3ab60706930918936c5',
    );
    const signed = signTc3({
      secretId: 'id',
      secretKey: 'sk',
      service: 'hunyuan',
      host: 'hunyuan.tencentcloudapi.com',
      action: 'ChatCompletions',
      payload: Buffer.from(vector),
      timestamp: 1_700_000_000,
    });
    expect(signed).toBe(
      `TC3-HMAC-SHA256 Credential=id/2023-11-14/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=${signature}`,
    );
  });

  it('signs the bytes that are sent, with one time for all', async () => {
    const request = {
      method: 'POST',
      url: 'https://hunyuan.tencentcloudapi.com/',
      headers: { 'content-type': 'application/json', 'x-tc-action': 'ChatCompletions' },
      body: JSON.parse(vector),
    } as const;
    for (const key of ['1|id|sk', 'id|sk']) {
      const signed = await tencentSigned.authorize?.(
        request,
        tencentCall({ key: new Secret(key) }),
        at,
      );
      expect(Buffer.from(signed?.body as Uint8Array).toString()).toBe(vector);
      expect(signed?.headers).toMatchObject({
        'content-type': 'application/json',
        'x-tc-timestamp': '1700000000',
      });
      expect(signed?.headers.authorization).toContain(`Signature=${signature}`);
    }
    const elsewhere = await tencentSigned.authorize?.(
      { ...request, url: 'http://127.0.0.1:8080/' },
      tencentCall(),
      at,
    );
    expect(elsewhere?.headers.authorization).not.toContain(signature);
  });

  it.each(['a|b|c|d', 'x|id|sk', '|sk', '1||sk'])(
    'refuses the key %j before anything is sent',
    (key) => {
      expect(() => bodyOf({ messages: hello }, { key: new Secret(key) })).toThrow(
        /^invalid_channel_key {"detail":"[A-Za-z|]+"}$/,
      );
    },
  );
});

describe('a chat for Hunyuan', () => {
  it('uses its field names, with one system message first', () => {
    const messages = [
      { role: 'user', content: 'One' },
      { role: 'system', content: 'Be kind.' },
      ...hello,
    ];
    expect(
      bodyOf({
        messages,
        temperature: 1.2,
        top_p: 0.5,
        enable_enhancement: true,
        max_tokens: 9,
        seed: 7,
      }),
    ).toEqual({
      Model: 'hunyuan-pro',
      Messages: [
        { Role: 'system', Content: 'Be kind.' },
        {
          Role: 'user',
          Contents: [
            { Type: 'text', Text: 'One' },
            { Type: 'text', Text: 'Hello' },
          ],
        },
      ],
      Stream: false,
      Temperature: 1.2,
      TopP: 0.5,
      Seed: 7,
      EnableEnhancement: true,
    });
    expect(bodyOf({ messages: hello, top_p: 0, stream: true })).toEqual({
      Model: 'hunyuan-pro',
      Messages: [{ Role: 'user', Content: 'Hello' }],
      Stream: true,
    });
  });

  it('has images, tools, calls and results', () => {
    const parameters = { type: 'object', properties: { city_name: { type: 'string' } } };
    const tools = [
      { type: 'function', function: { name: 'weather', description: 'Weather', parameters } },
    ];
    const messages: JsonObject[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Where?' },
          { type: 'image_url', image_url: { url: 'https://images.example/a.png', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city_name":"Oslo"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'rain' },
    ];
    const body = bodyOf({
      messages,
      tools,
      tool_choice: { type: 'function', function: { name: 'weather' } },
    });
    expect(body.Messages).toEqual([
      {
        Role: 'user',
        Contents: [
          { Type: 'text', Text: 'Where?' },
          { Type: 'image_url', ImageUrl: { Url: 'https://images.example/a.png' } },
        ],
      },
      {
        Role: 'assistant',
        Content: '',
        ToolCalls: [
          {
            Id: 'c1',
            Type: 'function',
            Function: { Name: 'weather', Arguments: '{"city_name":"Oslo"}' },
          },
        ],
      },
      { Role: 'tool', Content: 'rain', ToolCallId: 'c1' },
    ]);
    const written = {
      Type: 'function',
      Function: { Name: 'weather', Description: 'Weather', Parameters: JSON.stringify(parameters) },
    };
    expect(body).toMatchObject({ Tools: [written], ToolChoice: 'custom', CustomTool: written });
    expect(bodyOf({ messages: hello, tools, tool_choice: 'required' }).ToolChoice).toBe('auto');
  });

  it('refuses sound', () => {
    const content = [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }];
    expect(() => bodyOf({ messages: [{ role: 'user', content }] })).toThrow(/unsupported_feature/);
  });
});

describe('replies of Hunyuan', () => {
  it('are unwrapped', () => {
    expect(
      chat.decode(fixtureJson('tencent-signed', 'reply-text.json'), tencentCall()),
    ).toMatchObject({
      id: '95c7f9b1',
      choices: [{ content: [{ type: 'text', text: '你好' }], finish: 'stop' }],
      usage: { promptTokens: 9, completionTokens: 7 },
    });
    const [choice] = chat.decode(
      fixtureJson('tencent-signed', 'reply-tools.json'),
      tencentCall(),
    ).choices;
    expect(choice).toMatchObject({
      content: [{ type: 'tool-call', id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
      finish: 'tool-calls',
    });
  });

  it.each([
    ['AuthFailure.SecretIdNotFound', 401, true],
    ['LimitExceeded', 429, undefined],
    ['FailedOperation.EngineServerLimitExceeded', 429, undefined],
    ['FailedOperation.EngineServerError', 503, undefined],
    ['InternalError', 503, undefined],
    ['FailedOperation.ServiceNotActivated', 403, true],
    ['FailedOperation.ServiceStopArrears', 402, true],
    ['ResourceInsufficient', 402, true],
    ['InvalidParameterValue.Model', 400, undefined],
    ['OperationDenied.TextIllegalDetected', 400, undefined],
    ['SomethingNew', 502, undefined],
  ])('with error %s mean status %i', (Code, status, accountFault) => {
    try {
      chat.decode({ Response: { Error: { Code, Message: 'no' }, RequestId: '1' } }, tencentCall());
      expect.fail('it is an error');
    } catch (error) {
      expect(error).toBeInstanceOf(ReplyFailure);
      expect((error as ReplyFailure).error).toEqual({
        status,
        message: 'no',
        type: 'tencent_error',
        code: Code,
        ...(accountFault === undefined ? {} : { accountFault }),
      });
    }
  });

  it('stream unwrapped, with usage that grows', () => {
    const read = (name: string) =>
      collect(
        decodeChunks(
          [fixtureBytes('tencent-signed', name)],
          'sse',
          chat.createStreamDecoder?.(tencentCall()) ?? expect.fail(),
        ),
      );
    expect(read('stream-text.sse')).toMatchObject({
      id: '95c7f9b1',
      text: '你好，世界 👋',
      usage: { promptTokens: 9, completionTokens: 7 },
      finishes: ['stop'],
    });
    expect(read('stream-tools.sse')).toMatchObject({
      calls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
      finishes: ['tool-calls'],
    });
    expect(read('stream-sensitive.sse').finishes).toEqual(['content-filter']);
    expect(read('stream-error.sse')).toMatchObject({
      text: 'Half',
      errors: [{ status: 503, message: 'engine timeout' }],
    });
    expect(read('stream-error-first.sse').errors).toMatchObject([
      { status: 401, code: 'AuthFailure.SignatureFailure' },
    ]);
  });

  it('are embeddings where those were requested', () => {
    const request = embedding.encode({ model: 'm', input: ['a', 'b'], extra: {} }, tencentCall());
    expect(request).toMatchObject({
      headers: { 'x-tc-action': 'GetEmbedding' },
      body: { InputList: ['a', 'b'] },
    });
    const Data = [
      { Index: 1, Embedding: [1], Object: 'embedding' },
      { Index: 0, Embedding: [0], Object: 'embedding' },
    ];
    const reply = {
      Response: { Data, Usage: { PromptTokens: 4, TotalTokens: 4 }, RequestId: '1' },
    };
    expect(embedding.decode(reply, tencentCall())).toMatchObject({
      embeddings: [[0], [1]],
      usage: { promptTokens: 4 },
    });
  });
});

describe('a channel of type 23', () => {
  it('signs with a key of several parts and otherwise uses TokenHub', () => {
    const find = (key: string) =>
      builtInProviders.forChannel(23, { key: new Secret(key), baseUrl: '', setting: {} });
    expect(find('1|id|sk')?.slug).toBe('tencent-signed');
    expect(find('id|sk')?.slug).toBe('tencent-signed');
    expect(find('sk-token')).toMatchObject({
      slug: 'tencent',
      defaultBaseUrl: 'https://tokenhub.tencentmaas.com/v1',
    });
  });
});

it('a model that is not activated is no fault of the account', () => {
  const failed = (status: number) =>
    tencent.readFailure({ status, headers: {}, text: '', body: { error: { message: 'no' } } });
  expect(failed(402)).toMatchObject({ status: 402, message: 'no', accountFault: false });
  expect(failed(401)).toMatchObject({ status: 401, accountFault: true });
});
