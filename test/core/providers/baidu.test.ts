import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import type { Call, Effects, UpstreamRequest } from '../../../src/core/canonical/provider.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { baidu } from '../../../src/core/providers/baidu/index.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const { chat, embedding } = baidu.operations;
if (chat?.createStreamDecoder === undefined || embedding === undefined)
  throw new Error('Baidu chats and embeds');

let keys = 0;

function baiduCall(changes: Partial<Call> = {}): Call<never> {
  keys += 1;
  const common = {
    baseUrl: 'https://aip.baidubce.com',
    key: new Secret(`ak${keys}|sk`),
    model: 'ERNIE-4.0-8K',
  };
  return testCall({ ...common, ...changes }) as Call<never>;
}

function encode(body: JsonObject, changes: Partial<Call> = {}): UpstreamRequest {
  const request = openAiChat.readRequest(
    { model: 'm', ...body },
    { model: 'm', stream: body.stream === true },
  );
  return chat?.encode(request as ChatRequest, baiduCall(changes)) ?? expect.fail('no chat');
}

function bodyOf(body: JsonObject, changes: Partial<Call> = {}) {
  return encode(body, changes).body as Record<string, unknown>;
}

const hello = [{ role: 'user', content: 'Hello' }];

/**
 * Effects: a clock, a cache and the replies of the token endpoint in order; the last one repeats.
 */
function world(...answers: readonly { readonly status?: number; readonly body: unknown }[]) {
  const state = { now: Date.parse('2026-11-20T08:00:00Z'), asked: [] as string[] };
  const cached = new Map<string, { value: string; until: number }>();
  const effects: Effects = {
    sleep: () => Promise.resolve(),
    fetch: ({ url, method, headers }) => {
      expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
      const answer = answers[Math.min(state.asked.length, answers.length - 1)];
      state.asked.push(url);
      return Promise.resolve({
        status: answer?.status ?? 200,
        text: JSON.stringify(answer?.body),
        headers: {},
      });
    },
    now: () => new Date(state.now),
    cache: {
      get: (key) => {
        const entry = cached.get(key);
        return entry !== undefined && entry.until > state.now ? entry.value : undefined;
      },
      set: (key, value, ttl) => {
        expect(key).not.toContain('sk');
        cached.set(key, { value, until: state.now + ttl * 1000 });
      },
    },
  };
  return { effects, state };
}

async function authorize(call: Call<never>, effects: Effects): Promise<string> {
  const request: UpstreamRequest = {
    method: 'POST',
    url: 'https://aip.baidubce.com/x',
    headers: {},
  };
  const authorized = await baidu.authorize?.(request, call, effects);
  return authorized?.url ?? '';
}

const token = (name: string, expires_in = 2_592_000) => ({
  body: { access_token: name, expires_in },
});

describe('addresses of Wenxin v1', () => {
  it.each([
    ['ERNIE-Bot-turbo', '/chat/eb-instant'],
    ['ERNIE-4.0', '/chat/completions_pro'],
    ['ERNIE-3.5-8K', '/chat/completions'],
    ['ERNIE-Speed', '/chat/ernie_speed'],
    ['ERNIE-4.0-8K-Preview-0518', '/chat/completions_adv_pro'],
    ['ERNIE-4.0-8K-Latest', '/chat/ernie-4.0-8k-latest'],
    ['ernie-bot-8k', '/chat/ernie_bot_8k'],
    ['ERNIE Speed-AppBuilder', '/chat/ai_apaas'],
    ['Mixtral-8x7B-Instruct', '/chat/mixtral_8x7b_instruct'],
    ['my deployment', '/chat/my%20deployment'],
    ['bge-large-zh', '/embeddings/bge_large_zh'],
    ['Embedding-V1', '/embeddings/embedding-v1'],
    ['tao-8k', '/embeddings/tao_8k'],
  ])('%s is at %s', (model, path) => {
    const request = encode({ messages: hello }, { model });
    expect(request.url).toBe(`https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop${path}`);
    expect(request.headers).not.toHaveProperty('authorization');
  });
});

describe('a chat for Wenxin v1', () => {
  it('takes system messages out and joins neighbours', () => {
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'One' }] },
      { role: 'user', content: 'Two' },
      { role: 'system', content: 'Be short.' },
    ];
    expect(bodyOf({ messages })).toEqual({
      messages: [{ role: 'user', content: 'One\nTwo' }],
      system: 'Be kind.\nBe short.',
    });
  });

  it('keeps numbers within what Baidu takes', () => {
    expect(
      bodyOf({ messages: hello, temperature: 0, top_p: 1, max_tokens: 1, frequency_penalty: 0.5 }),
    ).toMatchObject({
      temperature: 0.01,
      top_p: 1,
      max_output_tokens: 2,
      penalty_score: 1,
    });
    const high = bodyOf({
      messages: hello,
      temperature: 1.7,
      max_completion_tokens: 900,
      frequency_penalty: 2,
    });
    expect(high).toMatchObject({ temperature: 1, max_output_tokens: 900, penalty_score: 2 });
    expect(bodyOf({ messages: hello, max_tokens: 0, frequency_penalty: 0 })).toEqual({
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('writes stops, users, formats and Baidu’s own fields', () => {
    const body = {
      messages: hello,
      stop: 'END',
      user: 'u1',
      response_format: { type: 'json_object' },
      disable_search: true,
    };
    expect(bodyOf(body)).toMatchObject({
      stop: ['END'],
      user_id: 'u1',
      response_format: 'json_object',
      disable_search: true,
    });
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const structured = bodyOf({
      messages: hello,
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    expect(structured.response_format).toBe('json_object');
    expect(structured.system).toContain(JSON.stringify(schema));
  });

  it('writes functions, calls and results, one call per turn', () => {
    const call = (id: string, city: string) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: `{"city":"${city}"}` },
    });
    const messages: JsonObject[] = [
      ...hello,
      {
        role: 'assistant',
        content: 'Let me see',
        tool_calls: [call('a', 'Oslo'), call('b', 'Rome')],
      },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
      { role: 'tool', tool_call_id: 'b', content: 'sun' },
    ];
    const tools = [
      { type: 'function', function: { name: 'weather', description: 'Tells the weather' } },
    ];
    const body = bodyOf({
      messages,
      tools,
      tool_choice: { type: 'function', function: { name: 'weather' } },
    });
    expect(body.messages).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: '',
        function_call: { name: 'weather', arguments: '{"city":"Oslo"}' },
      },
      { role: 'function', name: 'weather', content: 'rain' },
    ]);
    expect(body.functions).toEqual([
      {
        name: 'weather',
        description: 'Tells the weather',
        parameters: { type: 'object', properties: {} },
      },
    ]);
    expect(body.tool_choice).toEqual({ type: 'function', function: { name: 'weather' } });
    expect(bodyOf({ messages: hello, tools, tool_choice: 'none' })).not.toHaveProperty('functions');
    expect(() => bodyOf({ messages: hello, tools }, { model: 'ERNIE-Speed-8K' })).toThrow(
      /unsupported_feature.*ERNIE-Speed/,
    );
  });

  it('refuses images', () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://images.example/a.png' } }];
    expect(() => bodyOf({ messages: [{ role: 'user', content }] })).toThrow(
      /unsupported_feature.*images/,
    );
  });
});

describe('replies of Wenxin v1', () => {
  it('are read with their finish and usage', () => {
    expect(chat.decode(fixtureJson('baidu', 'reply-text.json'), baiduCall())).toMatchObject({
      id: 'as-vb0m37ti8y',
      choices: [{ content: [{ type: 'text', text: '你好！' }], finish: 'stop' }],
      usage: { promptTokens: 7, completionTokens: 3 },
    });
    const [choice] = chat.decode(fixtureJson('baidu', 'reply-function.json'), baiduCall()).choices;
    expect(choice?.finish).toBe('tool-calls');
    expect(choice?.content).toMatchObject([
      { type: 'tool-call', name: 'weather', arguments: '{"city":"Oslo"}' },
    ]);
  });

  it.each([
    [336003, 400, undefined],
    [4, 429, undefined],
    [17, 429, true],
    [6, 403, true],
    [14, 401, true],
    [336100, 503, undefined],
    [336005, 404, undefined],
    [999, 502, undefined],
  ])('with error %i mean status %i', (error_code, status, accountFault) => {
    try {
      chat.decode({ error_code, error_msg: 'no' }, baiduCall());
      expect.fail('it is an error');
    } catch (error) {
      expect((error as ReplyFailure).error).toMatchObject({
        status,
        type: 'baidu_error',
        code: String(error_code),
        message: 'no',
      });
      expect((error as ReplyFailure).error.accountFault).toBe(accountFault);
    }
  });

  it('that are not JSON report that v1 was shut down', () => {
    expect(() => chat.decode(undefined, baiduCall())).toThrow(
      /has ended the v1 interface.*V2 API key/,
    );
    const failure = baidu.readFailure({
      status: 404,
      headers: {},
      text: '<html>',
      body: undefined,
    });
    expect(failure).toMatchObject({
      status: 404,
      accountFault: true,
      message: expect.stringContaining('has ended'),
    });
  });

  it('stream text, functions, truncation and errors', () => {
    const read = (name: string) =>
      collect(
        decodeChunks(
          [fixtureBytes('baidu', name)],
          'sse',
          chat.createStreamDecoder?.(baiduCall()) ?? expect.fail(),
        ),
      );
    expect(read('stream-text.sse')).toMatchObject({
      text: '当然可以，以下是 “Hello” 的翻译：你好 👋。',
      usage: { promptTokens: 5, completionTokens: 17 },
      finishes: ['stop'],
    });
    expect(read('stream-function.sse')).toMatchObject({
      calls: [{ name: 'weather', arguments: '{"city":"北京"}' }],
      usage: { promptTokens: 88, completionTokens: 30 },
      finishes: ['tool-calls'],
    });
    expect(read('stream-truncated.sse').finishes).toEqual(['length']);
    expect(read('stream-error.sse')).toMatchObject({
      text: 'Half an ',
      errors: [{ status: 503, code: '336100' }],
    });
    expect(read('stream-error-first.sse')).toMatchObject({
      text: '',
      errors: [{ status: 429, code: '18' }],
    });
    expect(read('stream-gone.sse').errors).toMatchObject([
      { status: 410, code: 'interface_ended' },
    ]);
  });
});

describe('access tokens of Baidu', () => {
  it('are fetched with the key, kept, and put behind the address', async () => {
    const { effects, state } = world(token('24.one'), token('24.two'));
    const call = baiduCall({ key: new Secret(' first|second ') });
    expect(await authorize(call, effects)).toBe('https://aip.baidubce.com/x?access_token=24.one');
    expect(await authorize(call, effects)).toContain('24.one');
    expect(state.asked).toEqual([
      'https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=first&client_secret=second',
    ]);
  });

  it('are fetched once for all who wait', async () => {
    const { effects, state } = world(token('24.one'));
    const call = baiduCall();
    await Promise.all([
      authorize(call, effects),
      authorize(call, effects),
      authorize(call, effects),
    ]);
    expect(state.asked).toHaveLength(1);
  });

  it('are renewed in the background within their last hour', async () => {
    const { effects, state } = world(token('24.one', 7200), token('24.two', 7200));
    const call = baiduCall();
    await authorize(call, effects);
    state.now += 3601 * 1000;
    expect(await authorize(call, effects)).toContain('24.one');
    expect(state.asked).toHaveLength(2);
    await expect.poll(() => authorize(call, effects)).toContain('24.two');
    expect(state.asked).toHaveLength(2);
  });

  it('are forgotten when Baidu no longer takes them', async () => {
    const { effects, state } = world(token('24.one'), token('24.two'));
    const call = baiduCall();
    await authorize(call, effects);
    expect(
      baidu.renewAuthorization?.({ status: 429, type: 'baidu_error', code: '18' }, call, effects),
    ).toBe(false);
    expect(
      baidu.renewAuthorization?.({ status: 401, type: 'baidu_error', code: '110' }, call, effects),
    ).toBe(true);
    expect(await authorize(call, effects)).toContain('24.two');
    expect(state.asked).toHaveLength(2);
  });

  it('another caller fetches where the first one has left', async () => {
    const { effects } = world(token('24.one'));
    const left: Effects = { ...effects, fetch: () => Promise.reject(new AppError('client_gone')) };
    const call = baiduCall();
    const [first, second] = await Promise.allSettled([
      authorize(call, left),
      authorize(call, effects),
    ]);
    expect(first.status).toBe('rejected');
    expect(second).toMatchObject({ status: 'fulfilled', value: expect.stringContaining('24.one') });
  });

  it('that are refused are the key’s fault', async () => {
    const { effects } = world({
      status: 401,
      body: { error: 'invalid_client', error_description: 'unknown client id' },
    });
    const refused = await authorize(baiduCall(), effects).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ReplyFailure);
    expect((refused as ReplyFailure).error).toMatchObject({
      status: 401,
      accountFault: true,
      message: 'unknown client id',
    });
  });

  it.each(['only-one', 'a|b|c', '|b', ''])('need a key of two parts: %j', async (key) => {
    const { effects, state } = world(token('24.one'));
    const refused = await authorize(baiduCall({ key: new Secret(key) }), effects).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: 'invalid_channel_key',
      params: { detail: 'APIKey|SecretKey' },
    });
    expect(state.asked).toEqual([]);
  });
});

describe('embeddings of Wenxin v1', () => {
  it('wrap a single text and are read in order', () => {
    const call = baiduCall({ model: 'bge-large-zh' });
    expect(embedding.encode({ model: 'm', input: ['a'], extra: {} }, call).body).toEqual({
      input: ['a'],
    });
    const vector = (index: number) => ({ object: 'embedding', index, embedding: [index] });
    const reply = { data: [vector(1), vector(0)], usage: { prompt_tokens: 4, total_tokens: 4 } };
    expect(embedding.decode(reply, call)).toMatchObject({
      embeddings: [[0], [1]],
      usage: { promptTokens: 4 },
    });
    expect(() => embedding.decode({ error_code: 336003, error_msg: 'too long' }, call)).toThrow(
      'too long',
    );
  });
});

describe('a channel of type 15', () => {
  const find = (key: string, baseUrl = '', setting = {}) =>
    builtInProviders.forChannel(15, { key: new Secret(key), baseUrl, setting }) ??
    expect.fail('no provider');

  it('uses V2 depending on its key, its base URL or its setting', () => {
    expect(find('ak|sk').slug).toBe('baidu');
    expect(find('bce-v3/ALTAK-x/y').slug).toBe('baidu-v2');
    expect(find('plain', '', { use_v2: true }).slug).toBe('baidu-v2');
    expect(find('plain', 'https://qianfan.baidubce.com').slug).toBe('baidu-v2');
    expect(find('ak|sk', 'https://qianfan.baidubce.com.evil.example').slug).toBe('baidu');
  });

  it('spells models in small letters there and leaves v1’s host', () => {
    const provider = find('bce-v3/ALTAK-x/y');
    const call = testCall({
      key: new Secret('bce-v3/ALTAK-x/y|app-1'),
      model: 'ERNIE-Speed-8K',
      baseUrl: 'https://aip.baidubce.com',
    });
    const request = openAiChat.readRequest(
      { model: 'm', messages: hello },
      { model: 'm', stream: false },
    );
    expect(provider.operations.chat?.encode(request, call)).toMatchObject({
      url: 'https://qianfan.baidubce.com/v2/chat/completions',
      headers: { authorization: 'Bearer bce-v3/ALTAK-x/y', appid: 'app-1' },
      body: { model: 'ernie-speed-8k' },
    });
    const embed = provider.operations.embedding?.encode(
      { model: 'm', input: ['a'], extra: {} },
      { ...call, model: 'Embedding-V1' },
    );
    expect(embed).toMatchObject({
      url: 'https://qianfan.baidubce.com/v2/embeddings',
      body: { model: 'embedding-v1' },
    });
  });
});
