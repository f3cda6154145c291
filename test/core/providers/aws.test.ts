import '../../support/usage-equality.ts';
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import { foreignSignature } from '../../../src/core/canonical/kit/foreign-signature.ts';
import { createFrameReader } from '../../../src/core/canonical/kit/frames.ts';
import type { BodyFields } from '../../../src/core/canonical/pass-through.ts';
import type { Call, Effects, UpstreamRequest } from '../../../src/core/canonical/provider.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import {
  authorizeRequest,
  readCredentials,
  signV4,
} from '../../../src/core/providers/aws/credentials.ts';
import { BedrockNativeStream } from '../../../src/core/providers/aws/decode-stream.ts';
import { aws } from '../../../src/core/providers/aws/index.ts';
import { bedrockId } from '../../../src/core/providers/aws/models.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall, vendorOptions } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const { chat: offered } = aws.operations;
if (offered === undefined) throw new Error('Bedrock chats');
const chat: NonNullable<typeof offered> = offered;

const key = new Secret('AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1');
const callOf = (model: string, changes: Partial<Call> = {}) =>
  testCall({ baseUrl: '', key, model, ...changes });
const hello = [{ role: 'user', content: 'hi' }];

function send(body: object, model: string, changes: Partial<Call> = {}): UpstreamRequest {
  return chat.encode(
    openAiChat.readRequest({ messages: hello, ...body, model } as JsonObject),
    callOf(model, changes),
  );
}
const bodyOf = (request: UpstreamRequest) => request.body as Record<string, JsonValue>;

function fieldsOf(body: JsonObject): BodyFields {
  return {
    get: (name) => body[name],
    has: (name) => name in body,
    contains: (text) => JSON.stringify(body).includes(text),
  };
}
function forward(body: JsonObject, changes: Partial<Call> = {}) {
  return chat.passThrough?.[0]?.target(fieldsOf(body), callOf(String(body['model']), changes));
}

describe('keys', () => {
  it('are of two forms', () => {
    expect(readCredentials(key)).toMatchObject({
      type: 'signature',
      accessKey: 'AKIDEXAMPLE',
      region: 'us-east-1',
    });
    expect(readCredentials(new Secret('ABSK=x|eu-west-1'))).toEqual({
      type: 'bearer',
      token: 'ABSK=x',
      region: 'eu-west-1',
    });
  });

  it.each(['', 'one', 'AK|SK|', 'AK|SK|us-east-1|more', 'AK|SK|evil.test/', 'ABSK|US EAST'])(
    '%j is not a valid key',
    (text) => {
      const use = () => send({}, 'claude-sonnet-4-20250514', { key: new Secret(text) });
      expect(use).toThrow(expect.objectContaining({ code: 'invalid_channel_key' }));
      if (text !== '') expect(use).not.toThrow(text);
    },
  );
});

describe('signatures', () => {
  const credentials = readCredentials(key);
  if (credentials.type !== 'signature') throw new Error('a signing key');
  const suiteTime = new Date('2015-08-30T12:36:00Z');
  const signatureOf = (request: UpstreamRequest) =>
    /Signature=(\w+)$/.exec(request.headers['authorization'] ?? '')?.[1];

  // The published test suite of signature version 4: get-vanilla and post-vanilla.
  it.each([
    ['GET', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['POST', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ] as const)('%s of the published suite', async (method, signature) => {
    const request = { method, url: 'https://example.amazonaws.com/', headers: {} };
    const signed = await signV4(request, credentials, 'service', suiteTime);
    expect(signed.headers['authorization']).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    );
    expect(signed.headers['x-amz-date']).toBe('20150830T123600Z');
  });

  /** Written out from the documentation: each segment of the wire's path is escaped once more. */
  function expectedSignature(path: string, body: string): string {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    const hmac = (secret: string | Buffer, text: string) =>
      createHmac('sha256', secret).update(text).digest();
    const names = 'content-type;host;x-amz-date';
    const headers = `content-type:application/json\nhost:bedrock-runtime.us-east-1.amazonaws.com\nx-amz-date:20261120T080000Z\n`;
    const canonical = `POST\n${path}\n\n${headers}\n${names}\n${hash(body)}`;
    const scope = '20261120/us-east-1/bedrock/aws4_request';
    const dated = hmac(
      `AWS4${credentials.type === 'signature' ? credentials.secretKey : ''}`,
      '20261120',
    );
    const secret = hmac(hmac(hmac(dated, 'us-east-1'), 'bedrock'), 'aws4_request');
    return hmac(
      secret,
      `AWS4-HMAC-SHA256\n20261120T080000Z\n${scope}\n${hash(canonical)}`,
    ).toString('hex');
  }

  it.each([
    [
      'claude-sonnet-4-20250514',
      'us.anthropic.claude-sonnet-4-20250514-v1%3A0',
      'us.anthropic.claude-sonnet-4-20250514-v1%253A0',
    ],
    [
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-x',
      'arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.anthropic.claude-x',
      'arn%253Aaws%253Abedrock%253Aus-east-1%253A1%253Ainference-profile%252Fus.anthropic.claude-x',
    ],
  ])('escape %s once on the wire and twice in what is signed', async (model, wire, canonical) => {
    const request = send({}, model);
    expect(request.url).toBe(
      `https://bedrock-runtime.us-east-1.amazonaws.com/model/${wire}/invoke`,
    );
    const signed = await authorizeRequest(request, key, new Date('2026-11-20T08:00:00Z'));
    const sent = Buffer.from(signed.body as Uint8Array).toString('utf8');
    expect(JSON.parse(sent)).toEqual(request.body);
    expect(signatureOf(signed)).toBe(expectedSignature(`/model/${canonical}/invoke`, sent));
  });

  it('are not needed with an API key', async () => {
    const request = send({}, 'claude-sonnet-4-20250514', { key: new Secret('ABSK|eu-west-1') });
    expect(request.url).toMatch(
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/eu.anthropic.',
    );
    const authorized = await authorizeRequest(request, new Secret('ABSK|eu-west-1'), new Date());
    expect(authorized).toEqual({
      ...request,
      headers: { ...request.headers, authorization: 'Bearer ABSK' },
    });
  });
});

describe('model ids', () => {
  it.each([
    ['claude-3-5-sonnet-20241022', 'us-east-1', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-5-sonnet-20241022', 'eu-west-1', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-3-opus-20240229', 'eu-west-1', 'anthropic.claude-3-opus-20240229-v1:0'],
    [
      'claude-haiku-4-5-20251001',
      'ap-northeast-1',
      'apac.anthropic.claude-haiku-4-5-20251001-v1:0',
    ],
    ['claude-opus-4-6', 'us-west-2', 'us.anthropic.claude-opus-4-6-v1'],
    ['claude-2.1', 'us-east-1', 'anthropic.claude-v2:1'],
    ['nova-pro-v1:0', 'ca-central-1', 'amazon.nova-pro-v1:0'],
    ['nova-pro-v1:0', 'eu-north-1', 'eu.amazon.nova-pro-v1:0'],
    ['claude-next-9-20300101', 'us-east-1', 'us.anthropic.claude-next-9-20300101-v1:0'],
    ['global.anthropic.claude-sonnet-4-6', 'us-east-1', 'global.anthropic.claude-sonnet-4-6'],
    ['meta.llama3-1-70b-instruct-v1:0', 'us-east-1', 'meta.llama3-1-70b-instruct-v1:0'],
  ])('%s in %s is %s', (name, region, id) => expect(bedrockId(name, region)).toBe(id));

  it('lose their suffix first', () => {
    const request = send({ max_tokens: 2000 }, 'claude-3-7-sonnet-20250219-thinking');
    expect(request.url).toContain('/us.anthropic.claude-3-7-sonnet-20250219-v1%3A0/invoke');
    expect(bodyOf(request)).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 1600 },
      max_tokens: 2000,
    });
  });

  it('keep their address where the channel has one', () => {
    expect(send({ stream: true }, 'claude-opus-4-6', { baseUrl: 'https://vpc.test' }).url).toBe(
      'https://vpc.test/model/us.anthropic.claude-opus-4-6-v1/invoke-with-response-stream',
    );
  });
});

describe('bodies for Claude', () => {
  it('name a version and neither model nor stream', () => {
    const clientHeaders = {
      'anthropic-beta': 'advanced-tool-use-2025-11-20, unheard-of-2031-01-01,context-1m-2025-08-07',
    };
    const claudeModelHeaders = {
      'claude-opus-4-5-20251101': { 'Anthropic-Beta': ['the-operator-knows-2030-01-01'] },
    };
    const options = vendorOptions({ 'claude.model_headers_settings': claudeModelHeaders });
    const body = bodyOf(
      send(
        { stream: true, user: 'u', service_tier: 'auto', reasoning_effort: 'low' },
        'claude-opus-4-5-20251101',
        {
          clientHeaders,
          options,
        },
      ),
    );
    expect(Object.keys(body).sort()).toEqual(
      [
        'anthropic_beta',
        'anthropic_version',
        'max_tokens',
        'messages',
        'output_config',
        'thinking',
      ].sort(),
    );
    expect(body['anthropic_version']).toBe('bedrock-2023-05-31');
    expect(body['anthropic_beta']).toEqual([
      'tool-search-tool-2025-10-19',
      'context-1m-2025-08-07',
      'the-operator-knows-2030-01-01',
      'effort-2025-11-24',
    ]);
  });

  it('of native callers change where Bedrock differs, and nowhere else', () => {
    const marked = { type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } };
    const target = forward({
      model: 'claude-3-7-sonnet-20250219',
      max_tokens: 10,
      stream: true,
      metadata: { user_id: 'u' },
      anthropic_version: '2026-10-21',
      system: [{ type: 'text', text: 'x-anthropic-billing-header: cc_version=1' }, marked],
      tools: [{ name: 'f', input_schema: { type: 'object' }, eager_input_streaming: true }],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true, x: 1 },
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [marked] }] },
      ],
    });
    const plain = { ...marked, cache_control: { type: 'ephemeral' } };
    expect(target).toMatchObject({
      url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-3-7-sonnet-20250219-v1%3A0/invoke-with-response-stream',
      modelInUrl: true,
    });
    expect(target?.edits).toEqual({
      model: undefined,
      stream: undefined,
      metadata: undefined,
      service_tier: undefined,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: undefined,
      system: [plain],
      tools: [{ name: 'f', input_schema: { type: 'object' } }],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [plain] }] },
      ],
    });
    expect(target?.wireEdits).toEqual({
      model: undefined,
      stream: undefined,
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: undefined,
    });
  });

  it('keep the cache lifetimes that newer models support', () => {
    const system = [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } }];
    const edits = forward({
      model: 'claude-sonnet-4-5-20250929',
      max_tokens: 1,
      system,
      messages: hello,
    })?.edits;
    for (const name of ['system', 'messages']) expect(edits).not.toHaveProperty(name);
  });

  it('need the translation where an image is an address', () => {
    const image = (source: object) => [{ role: 'user', content: [{ type: 'image', source }] }];
    const body = (source: object) =>
      ({ model: 'claude-sonnet-4-6', max_tokens: 1, messages: image(source) }) as JsonObject;
    expect(forward(body({ type: 'url', url: 'https://x.test/a.png' }))).toBeUndefined();
    expect(forward(body({ type: 'base64', media_type: 'image/png', data: 'QQ==' }))).toBeDefined();
    expect(chat.needsInlineImages).toBe(true);
  });

  it('refuse tools that only Anthropic runs', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const refused = expect.objectContaining({
      code: 'unsupported_feature',
      params: { detail: 'web_search (Bedrock)' },
    });
    expect(() =>
      forward({ model: 'claude-sonnet-4-6', max_tokens: 1, tools, messages: hello }),
    ).toThrow(refused);
    expect(() => send({ web_search_options: {} }, 'claude-sonnet-4-6')).toThrow(refused);
  });
});

describe('counting tokens', () => {
  it('sends the body that would be invoked, to the model itself', () => {
    const count = aws.operations.countTokens;
    const request = count?.encode(
      { model: 'm', messages: hello, thinking: { type: 'enabled', budget_tokens: 2000 } },
      callOf('claude-sonnet-4-20250514'),
    );
    expect(request?.url).toMatch(
      /\/model\/anthropic\.claude-sonnet-4-20250514-v1%3A0\/count-tokens$/,
    );
    const { input } = (request?.body ?? {}) as { input: { invokeModel: { body: string } } };
    expect(JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString('utf8'))).toEqual({
      max_tokens: 2001,
      messages: hello,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      anthropic_version: 'bedrock-2023-05-31',
    });
    expect(count?.decode({ inputTokens: 7 })).toBe(7);
    const thought = { type: 'thinking', thinking: 't', signature: foreignSignature };
    const foreign = count?.encode(
      { messages: [{ role: 'assistant', content: [thought] }] },
      callOf('claude-sonnet-4-20250514'),
    );
    const counted = (foreign?.body ?? {}) as { input: { invokeModel: { body: string } } };
    expect(Buffer.from(counted.input.invokeModel.body, 'base64').toString('utf8')).not.toContain(
      foreignSignature,
    );
  });
});

describe('Converse', () => {
  it.each([
    ['nova-pro-v1:0', false],
    ['arn:aws:bedrock:us-east-1:1:application-inference-profile/x1', true],
  ])('sends Claude’s thinking signatures only to Claude: %s', (model, kept) => {
    const thoughts = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2lnbmVk' },
      { type: 'redacted_thinking', data: 'ZGF0YQ==' },
    ];
    const question = { role: 'user', content: 'hi' };
    const request = anthropicMessages.readRequest({
      model,
      max_tokens: 9,
      messages: [
        question,
        { role: 'assistant', content: [...thoughts, { type: 'text', text: 'Hello' }] },
        question,
        { role: 'assistant', content: thoughts },
        question,
      ],
    } as JsonObject);
    const { messages } = chat.encode(request, callOf(model)).body as unknown as {
      messages: { content: object[] }[];
    };
    const reasoning = messages.flatMap(({ content }) =>
      content.filter((block) => 'reasoningContent' in block),
    );
    expect(reasoning).toHaveLength(kept ? 4 : 0);
    expect(messages.every(({ content }) => content.length > 0)).toBe(true);
    expect(messages).toHaveLength(kept ? 5 : 3);
  });

  const call = (id: string, name: string) => ({
    id,
    type: 'function',
    function: { name, arguments: '{"a":1}' },
  });

  it('gets conversation, tools and limits in its own format', () => {
    const request = send(
      {
        messages: [
          {
            role: 'system',
            content: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } },
              {
                type: 'file',
                file: { filename: 'a_b.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
              },
            ],
          },
          { role: 'assistant', content: 'calling', tool_calls: [call('c1', 'f'), call('c2', 'g')] },
          { role: 'tool', tool_call_id: 'c2', content: 'two' },
          { role: 'tool', tool_call_id: 'c1', content: '' },
        ],
        max_tokens: 100,
        temperature: 0,
        top_p: 0.5,
        top_k: 3,
        stop: ['END'],
        tools: [
          {
            type: 'function',
            function: {
              name: 'f',
              description: 'd',
              parameters: { type: 'object', properties: {} },
            },
          },
        ],
        tool_choice: 'required',
      },
      'nova-lite-v1:0',
    );
    expect(request.url).toMatch(/\/model\/us\.amazon\.nova-lite-v1%3A0\/converse$/);
    expect(request.body).toEqual({
      system: [{ text: 'S' }, { cachePoint: { type: 'default' } }],
      messages: [
        {
          role: 'user',
          content: [
            { text: 'look' },
            { image: { format: 'png', source: { bytes: 'QQ==' } } },
            { document: { format: 'pdf', name: 'a b pdf', source: { bytes: 'JVBERi0=' } } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { text: 'calling' },
            { toolUse: { toolUseId: 'c1', name: 'f', input: { a: 1 } } },
            { toolUse: { toolUseId: 'c2', name: 'g', input: { a: 1 } } },
          ],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c2', content: [{ text: 'two' }] } },
            { toolResult: { toolUseId: 'c1', content: [{ text: ' ' }] } },
          ],
        },
      ],
      inferenceConfig: { maxTokens: 100, temperature: 0, topP: 0.5, stopSequences: ['END'] },
      toolConfig: {
        tools: [
          {
            toolSpec: {
              name: 'f',
              description: 'd',
              inputSchema: { json: { type: 'object', properties: {} } },
            },
          },
          { toolSpec: { name: 'g', inputSchema: { json: { type: 'object', properties: {} } } } },
        ],
        toolChoice: { any: {} },
      },
      additionalModelRequestFields: { inferenceConfig: { topK: 3 } },
    });
  });

  it('has a name for each document', () => {
    const file = (title?: string) => ({
      type: 'document',
      ...(title === undefined ? {} : { title }),
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
    });
    const titles = ['report_v1.pdf', undefined, undefined, 'Report v1 pdf', `${'a'.repeat(199)} b`];
    const body = {
      model: 'm',
      max_tokens: 5,
      messages: [{ role: 'user', content: titles.map(file) }],
    };
    const request = anthropicMessages.readRequest(body as JsonObject);
    const written = JSON.stringify(chat.encode(request, callOf('nova-pro-v1:0')).body);
    const names = [...written.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
    expect(names).toEqual([
      'report v1 pdf',
      'document',
      'document (2)',
      'Report v1 pdf (2)',
      'a'.repeat(199),
    ]);
  });

  it('returns JSON through a tool', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } } };
    const request = openAiChat.readRequest({
      model: 'm',
      messages: hello,
      response_format: { type: 'json_schema', json_schema: { name: 'r', schema } },
    } as JsonObject);
    const converse = callOf('meta.llama3-1-70b-instruct-v1:0');
    expect((chat.encode(request, converse).body as JsonObject)['toolConfig']).toMatchObject({
      toolChoice: { tool: { name: 'json' } },
    });
    const mine = { type: 'function', name: 'f' } as const;
    const choiceOf = (changes: Partial<ChatRequest>) =>
      (
        (chat.encode({ ...request, ...changes }, converse).body as JsonObject)[
          'toolConfig'
        ] as JsonObject
      )['toolChoice'];
    expect(choiceOf({ tools: [mine] })).toEqual({ any: {} });
    expect(choiceOf({ tools: [mine], toolChoice: { type: 'tool', name: 'f' } })).toEqual({
      tool: { name: 'f' },
    });
    expect(choiceOf({ tools: [mine], toolChoice: { type: 'none' } })).toEqual({
      tool: { name: 'json' },
    });
    const message = {
      role: 'assistant',
      content: [{ toolUse: { toolUseId: 't', name: 'json', input: { n: 1 } } }],
    };
    const reply = chat.decode(
      { output: { message }, stopReason: 'tool_use', usage: {} },
      converse,
      request,
    );
    expect(reply.choices[0]).toMatchObject({
      content: [{ type: 'text', text: '{"n":1}' }],
      finish: 'stop',
    });
  });

  it('sends a plain reply', () => {
    const reply = chat.decode(fixtureJson('aws', 'reply-converse.json'), callOf('nova-pro-v1:0'));
    expect(reply.choices[0]).toMatchObject({
      content: [
        { type: 'reasoning', text: 'Let me see.', signature: 'c2ln' },
        { type: 'text', text: 'Looking it up.' },
        { type: 'tool-call', id: 'tooluse_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { type: 'tool-call', id: 'tooluse_2', name: 'time', arguments: '{}' },
      ],
      finish: 'tool-calls',
    });
    expect(reply.usage).toEqual({
      promptTokens: 75,
      completionTokens: 25,
      cachedTokens: 10,
      cacheWriteTokens: 5,
    });
    const broken = {
      output: { message: { role: 'assistant', content: [] } },
      stopReason: 'malformed_tool_use',
    };
    expect(() => chat.decode(broken, callOf('nova-pro-v1:0'))).toThrow(ReplyFailure);
  });
});

describe('streams', () => {
  const stream = (name: string, model = 'claude-3-7-sonnet-20250219') => {
    const decoder = chat.createStreamDecoder?.(callOf(model));
    if (decoder === undefined) throw new Error('no decoder');
    return collect(decodeChunks([fixtureBytes('aws', name)], 'aws-event-stream', decoder));
  };

  it('of Claude come in frames', () => {
    expect(stream('stream-text.bin')).toMatchObject({
      id: 'msg_bdrk_01',
      text: 'Grüße, 世界',
      usage: { promptTokens: 50, completionTokens: 12, cachedTokens: 30 },
      finishes: ['stop'],
    });
    expect(stream('stream-tools.bin')).toMatchObject({
      reasoning: 'Two calls.',
      calls: [
        { id: 'toolu_bdrk_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { id: 'toolu_bdrk_2', name: 'time', arguments: '{}' },
      ],
      finishes: ['tool-calls'],
    });
  });

  it('use the token counts of Bedrock where the model reported none', () => {
    expect(stream('stream-metrics.bin').usage).toMatchObject({
      promptTokens: 9,
      completionTokens: 3,
    });
  });

  it('of Converse come under their own names', () => {
    expect(stream('stream-converse.bin', 'nova-pro-v1:0')).toMatchObject({
      reasoning: 'Let me see.',
      text: 'Looking it up.',
      calls: [
        { id: 'tooluse_1', name: 'weather', arguments: '{"city":"Oslo"}' },
        { id: 'tooluse_2', name: 'time', arguments: '{}' },
      ],
      usage: { promptTokens: 75, completionTokens: 25, cachedTokens: 10, cacheWriteTokens: 5 },
      finishes: ['tool-calls'],
    });
    expect(stream('stream-converse-filtered.bin', 'nova-pro-v1:0').finishes).toEqual([
      'content-filter',
    ]);
    expect(stream('stream-converse-malformed.bin', 'nova-pro-v1:0').errors).toMatchObject([
      { status: 502 },
    ]);
  });

  it('fail with the status of the exception', () => {
    expect(stream('stream-error-first.bin').errors).toMatchObject([
      { status: 429, message: expect.stringContaining('Too many') },
    ]);
    expect(stream('stream-error.bin')).toMatchObject({
      text: 'Hel',
      errors: [{ status: 424 }],
      finishes: [],
    });
  });

  it('reach native callers as plain events, with complete usage and without Bedrock’s fields', () => {
    const rewrite = (name: string) => {
      const reader = createFrameReader('aws-event-stream');
      const writer = new BedrockNativeStream();
      return [...reader.push(fixtureBytes('aws', name)), ...reader.end()]
        .map((event) => writer.push(event))
        .join('');
    };
    const text = rewrite('stream-text.bin');
    expect(text.match(/^event: \w+$/gm)).toEqual(
      [
        'message_start',
        'content_block_start',
        ...Array(2).fill('content_block_delta'),
        'content_block_stop',
        'message_delta',
        'message_stop',
      ].map((name) => `event: ${name}`),
    );
    expect(text).toContain(
      '"usage":{"output_tokens":12,"input_tokens":20,"cache_creation_input_tokens":0,"cache_read_input_tokens":30}',
    );
    expect(text).not.toContain('bedrock-invocation');
    expect(rewrite('stream-error-first.bin')).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"rate_limit_error","message":"Too many requests, please wait before trying again."}}\n\n',
    );
  });
});

describe('failures', () => {
  const read = (status: number, headers: Record<string, string>, name: string) =>
    aws.readFailure({ status, headers, text: '', body: fixtureJson('aws', name) });

  it('are named in a header', () => {
    const type =
      'UnrecognizedClientException:http://internal.amazon.com/coral/com.amazon.coral.service/';
    expect(read(403, { 'x-amzn-errortype': type }, 'failure-403.json')).toEqual({
      status: 403,
      code: 'UnrecognizedClientException',
      message: 'The security token included in the request is invalid.',
      retryAfter: undefined,
      accountFault: true,
    });
    const throttled = read(
      429,
      { 'x-amzn-errortype': 'ThrottlingException', 'retry-after': '3' },
      'failure-429.json',
    );
    expect(throttled).toMatchObject({ status: 429, code: 'ThrottlingException', retryAfter: 3 });
    expect(throttled.accountFault).toBeUndefined();
  });
});

describe('Titan', () => {
  it('embeds one text a request, in order', async () => {
    const asked: UpstreamRequest[] = [];
    const effects = {
      fetch: async (request: UpstreamRequest) => {
        asked.push(request);
        const { inputText } = JSON.parse(
          Buffer.from(request.body as Uint8Array).toString('utf8'),
        ) as { inputText: string };
        return {
          status: 200,
          headers: {},
          text: JSON.stringify({ embedding: [inputText.length], inputTextTokenCount: 2 }),
        };
      },
      now: () => new Date('2026-11-20T08:00:00Z'),
    } as unknown as Effects;
    const request = { model: 'm', input: ['a', 'bbb'], dimensions: 256, extra: {} };
    const reply = await aws.operations.embedding?.perform?.(
      request,
      callOf('amazon.titan-embed-text-v2:0'),
      effects,
    );
    expect(reply).toEqual({ embeddings: [[1], [3]], usage: { promptTokens: 4 } });
    expect(asked[0]?.url).toMatch(/\/model\/amazon\.titan-embed-text-v2%3A0\/invoke$/);
    expect(asked[0]?.headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 /);
  });

  it('takes no tokens', () => {
    expect(() =>
      aws.operations.embedding?.encode({ model: 'm', input: [[1, 2]], extra: {} }, callOf('t')),
    ).toThrow(expect.objectContaining({ code: 'unsupported_feature' }));
  });
});

it('reads what native callers wrote for other models', () => {
  const request = anthropicMessages.readRequest({
    model: 'm',
    max_tokens: 5,
    messages: hello,
  } as JsonObject);
  expect(forward({ model: 'nova-pro-v1:0', messages: hello })).toBeUndefined();
  expect(chat.encode(request, callOf('nova-pro-v1:0')).body).toEqual({
    messages: [{ role: 'user', content: [{ text: 'hi' }] }],
    inferenceConfig: { maxTokens: 5 },
  });
});
