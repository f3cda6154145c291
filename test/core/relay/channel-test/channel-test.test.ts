/** Channel tests through the gateway: the upstream request, the tester's result and the log row. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { createTestApp } from '../../../support/app.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import {
  type Answer,
  chatReply,
  chatStream,
  errorReply,
  messagesReply,
  type ReceivedRequest,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
let receiver: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway({ FETCH_ALLOW_HOSTS: '127.0.0.1', NOTIFY_LIMIT_COUNT: '100' });
  upstream = await startUpstream();
  receiver = await startUpstream();
  receiver.answer((response) => sendJson(response, 200, {}));
  await gateway.client.self.updateSetting({
    notify_type: 'webhook',
    quota_warning_threshold: 1,
    webhook_url: `${receiver.url}/hook`,
    webhook_secret: 'whsec',
    notification_email: '',
    accept_unset_model_ratio_model: false,
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await receiver.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  receiver.requests.length = 0;
  upstream.answer(chatReply());
});
afterEach(async () => {
  const { items } = await gateway.client.channel.list({ p: 0, page_size: 100 });
  if (items.length > 0) await gateway.client.channel.removeMany({ ids: items.map(({ id }) => id) });
});

const add = (models: string, fields: Record<string, unknown> = {}) =>
  gateway.addChannel({ type: 1, baseUrl: upstream.url, models, ...fields });
const sent = (): ReceivedRequest => upstream.requests.at(-1) as ReceivedRequest;
const newestLog = async () => (await gateway.client.log.list({ type: 2 })).items[0];

/** The call as a console in another language sends it. */
async function testIn(language: string, id: number, query = '') {
  const key = await rootKey();
  const reply = await fetch(`${gateway.url}/api/channel/test/${id}${query}`, {
    headers: {
      authorization: `Bearer ${key.token}`,
      'new-api-user': String(key.id),
      'accept-language': language,
    },
  });
  return (await reply.json()) as { success: boolean; message: string; time: number };
}
let known: { id: number; token: string } | undefined;
async function rootKey() {
  known ??= {
    id: (await gateway.client.auth.info()).id,
    token: await gateway.client.self.systemToken({}),
  };
  return known;
}

const binary =
  (type: string): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(Buffer.from([1, 2, 3]));
  };
const json =
  (body: object): Answer =>
  (response) =>
    sendJson(response, 200, body);
const list = json({
  data: [{ index: 0, embedding: [1] }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
});

describe('the request that suits the model', () => {
  it.each<[string, number, string, object, Answer]>([
    [
      'gpt-4o',
      1,
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: 'hi' }], max_tokens: 16 },
      chatReply(),
    ],
    ['o3-mini', 1, '/v1/chat/completions', { max_completion_tokens: 16 }, chatReply()],
    ['deepseek-thinking', 1, '/v1/chat/completions', { max_tokens: 50 }, chatReply()],
    [
      'gpt-3.5-turbo-instruct',
      1,
      '/v1/completions',
      { prompt: 'hi' },
      json({ choices: [{ text: 'x', finish_reason: 'stop' }] }),
    ],
    ['text-embedding-3-small', 1, '/v1/embeddings', { input: ['hello world'] }, list],
    ['bge-m3', 1, '/v1/embeddings', {}, list],
    ['m3e-base', 44, '/embeddings', {}, list],
    ['omni-moderation-latest', 1, '/v1/moderations', { input: 'hi' }, json({ results: [] })],
    [
      'dall-e-2',
      1,
      '/v1/images/generations',
      { n: 1, size: '256x256' },
      json({ data: [{ url: 'http://x.test/a.png' }] }),
    ],
    ['tts-1', 1, '/v1/audio/speech', { input: 'hi', voice: 'alloy' }, binary('audio/mpeg')],
    ['whisper-1', 1, '/v1/audio/transcriptions', {}, json({ text: '' })],
    ['gpt-5-codex', 1, '/v1/responses', {}, json({ output: [], status: 'completed' })],
    ['claude-sonnet-4-5', 14, '/v1/messages', { max_tokens: 16 }, messagesReply()],
    [
      'gemini-2.0-flash',
      24,
      '/v1beta/models/gemini-2.0-flash:generateContent',
      {},
      generateReply(),
    ],
  ])('%s on type %d', async (model, type, path, body, answer) => {
    upstream.answer(answer);
    const result = await gateway.client.channel.test({ id: await add(model, { type }) });
    expect(result).toMatchObject({ success: true, message: '' });
    expect(sent().path).toBe(path);
    if (path.endsWith('transcriptions')) {
      expect(sent().headers['content-type']).toMatch(/^multipart\/form-data/);
      expect(sent().text).toContain('RIFF');
    } else expect(sent().json).toMatchObject(body);
  });

  it('is the requested one, for any endpoint and as a stream', async () => {
    const id = await add('gpt-4o');
    upstream.answer(chatStream(['Hello']));
    expect(await gateway.client.channel.test({ id, stream: true })).toMatchObject({
      success: true,
    });
    expect(sent().json).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect((await newestLog())?.is_stream).toBe(true);
    upstream.answer(
      json({ output: [], status: 'completed', usage: { input_tokens: 1, output_tokens: 1 } }),
    );
    expect(
      await gateway.client.channel.test({ id, endpoint_type: 'openai-response' }),
    ).toMatchObject({ success: true });
    expect(sent().path).toBe('/v1/responses');
    upstream.answer(chatReply());
    for (const endpoint_type of ['anthropic', 'gemini'] as const) {
      expect(await gateway.client.channel.test({ id, endpoint_type })).toMatchObject({
        success: true,
      });
      expect(sent().path).toBe('/v1/chat/completions');
    }
  });

  it('is rejected where the type cannot serve it or the model needs a WebSocket', async () => {
    const claude = await add('claude-sonnet-4-5', { type: 14 });
    const asked = gateway.client.channel.test({ id: claude, endpoint_type: 'embeddings' });
    await expect(asked).rejects.toMatchObject({ code: 'channel_test_unsupported' });
    const realtime = await add('gpt-4o-realtime-preview');
    await expect(gateway.client.channel.test({ id: realtime })).rejects.toMatchObject({
      code: 'channel_test_unsupported',
    });
    await expect(
      gateway.client.channel.test({ id: realtime, endpoint_type: 'telepathy' as 'openai' }),
    ).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    expect(upstream.requests).toHaveLength(0);
  });

  it('requests the given model, else the test model, else the first', async () => {
    const id = await add('gpt-4o,gpt-4o-mini', { test_model: 'gpt-4.1' });
    await gateway.client.channel.test({ id });
    await gateway.client.channel.test({ id, model: 'gpt-4o-mini' });
    await gateway.client.channel.update({ id, test_model: '' });
    await gateway.client.channel.test({ id });
    expect(upstream.requests.map(({ json: body }) => body['model'])).toEqual([
      'gpt-4.1',
      'gpt-4o-mini',
      'gpt-4o',
    ]);
  });

  it('is shaped by the channel’s rules; placeholders for callers’ headers stay empty', async () => {
    const id = await add('public-name', {
      model_mapping: '{"public-name":"inner"}',
      param_override: JSON.stringify({
        top_p: 0.3,
        operations: [
          { mode: 'set', path: 'seed', value: 1, conditions: { is_channel_test: true } },
        ],
      }),
      setting: JSON.stringify({
        system_prompt: 'S',
        header_override: { 'X-A': 'a', 'X-B': '{client_header:x-b}' },
      }),
    });
    expect(await gateway.client.channel.test({ id })).toMatchObject({ success: true });
    expect(sent().json).toMatchObject({
      model: 'inner',
      top_p: 0.3,
      seed: 1,
      messages: [{ role: 'system' }, { role: 'user' }],
    });
    expect(sent().headers['x-a']).toBe('a');
    expect(sent().headers).not.toHaveProperty('x-b');
  });
});

describe('the log row', () => {
  it('is a free row with the amount it would have cost', async () => {
    const before = await gateway.client.auth.info();
    const id = await add('gpt-4o');
    await gateway.client.channel.test({ id });
    const log = await newestLog();
    expect(log).toMatchObject({
      quota: 0,
      content: '模型测试',
      token_name: '模型测试',
      model_name: 'gpt-4o',
      prompt_tokens: 1000,
    });
    expect(readLogOther(log?.other ?? '')).toMatchObject({
      is_test: true,
      test_quota: 3500,
      request_path: '/v1/chat/completions',
    });
    expect((await gateway.client.auth.info()).quota).toBe(before.quota);
    const channel = await gateway.client.channel.get({ id });
    expect(channel).toMatchObject({ used_quota: 0 });
    expect(channel.test_time).toBeGreaterThan(0);
  });

  it('a model without a price is tested all the same', async () => {
    expect(await gateway.client.channel.test({ id: await add('nobody-knows-me') })).toMatchObject({
      success: true,
    });
    expect(readLogOther((await newestLog())?.other ?? '')).toMatchObject({
      is_test: true,
      test_quota: 0,
    });
  });
});

describe('failures', () => {
  it('show the upstream’s message with addresses and keys masked', async () => {
    upstream.answer(errorReply(400, { message: 'no sk-abcdefghijklmnop at https://inner.test/x' }));
    const result = await gateway.client.channel.test({ id: await add('gpt-4o') });
    expect(result).toMatchObject({ success: false, message: 'no *** at ***' });
  });

  it('show the raw reply where it could not be decoded', async () => {
    upstream.answer((response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<h1>Bad gateway</h1>');
    });
    const { message } = await gateway.client.channel.test({ id: await add('gpt-4o') });
    expect(message).toMatch(/502.*<h1>Bad gateway<\/h1>/);
  });

  it('are in the caller’s language', async () => {
    const id = await add('gpt-4o', { baseUrl: 'http://127.0.0.1:1' });
    const [english, chinese] = [await testIn('en', id), await testIn('zh', id)];
    expect(english.success).toBe(false);
    expect(english.message).toMatch(/^[\x20-\x7e]+$/);
    expect(chinese.message).toMatch(/[\u4e00-\u9fff]/);
  });

  it.each<[string, Answer, Record<string, unknown>]>([
    ['an error with status 200', json({ error: { message: 'no', type: 'server_error' } }), {}],
    ['a body that is no JSON', (response) => void response.end('hello'), {}],
    ['a stream that breaks off', chatStream(['Hello'], null, { end: 'cut' }), { stream: true }],
    [
      'an error in a stream',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('data: {"error":{"message":"no"}}\n\n');
      },
      { stream: true },
    ],
  ])('%s is a failure', async (_, answer, query) => {
    upstream.answer(answer);
    const result = await gateway.client.channel.test({ id: await add('gpt-4o'), ...query });
    expect(result.success).toBe(false);
    expect(result.message).not.toBe('');
  });

  it('a rule that rejects the request is a failure', async () => {
    const id = await add('gpt-4o', {
      param_override: '{"operations":[{"mode":"return_error","value":"not today"}]}',
    });
    expect(await gateway.client.channel.test({ id })).toMatchObject({
      success: false,
      message: expect.stringContaining('not today'),
    });
  });
});

describe('tests of all channels', () => {
  const runAll = async () => {
    await gateway.client.channel.testAll({});
    await expect
      .poll(
        () => receiver.requests.filter(({ json: body }) => body['type'] === 'channel_test').length,
      )
      .toBe(1);
  };
  const statusOf = async (id: number) => (await gateway.client.channel.get({ id })).status;

  it('failing channels are disabled, working ones enabled again, and the owner is notified', async () => {
    await gateway.set('AutomaticDisableChannelEnabled', true);
    await gateway.set('AutomaticEnableChannelEnabled', true);
    const [bad, back, byHand] = [await add('gpt-4o'), await add('gpt-4o'), await add('gpt-4o')];
    await gateway.client.channel.update({ id: byHand, status: 2 });
    const byKey = (request: ReceivedRequest) =>
      request.headers['authorization'] === 'Bearer bad-key';
    upstream.answer((response, request) =>
      byKey(request)
        ? errorReply(401, { message: 'Incorrect API key', code: 'invalid_api_key' })(
            response,
            request,
          )
        : chatReply()(response, request),
    );
    await gateway.client.channel.update({ id: bad, key: 'bad-key' });
    await runAll();
    expect(await statusOf(bad)).toBe(3);
    expect(JSON.parse((await gateway.client.channel.get({ id: bad })).other_info)).toMatchObject({
      status_reason: 'Incorrect API key',
    });
    expect(await statusOf(byHand)).toBe(2);
    expect(upstream.requests).toHaveLength(2);
    const [notice] = receiver.requests;
    expect(notice?.json).toMatchObject({
      type: `channel_update_${bad}_3`,
      title: expect.stringMatching(/^渠道「channel \d+」（#\d+）已停用$/),
      content: expect.stringMatching(/，原因：Incorrect API key$/),
    });
    expect(notice?.headers).toHaveProperty('x-webhook-signature');

    await gateway.client.channel.update({ id: bad, key: 'good-key' });
    receiver.requests.length = 0;
    await runAll();
    expect(await statusOf(bad)).toBe(1);
    expect(await statusOf(back)).toBe(1);
    expect(receiver.requests.map(({ json: body }) => body['type']).sort()).toEqual(
      [`channel_update_${bad}_1`, 'channel_test'].sort(),
    );
    await gateway.set('AutomaticEnableChannelEnabled', false);
  });

  it('one bad key of several is disabled alone; the last one disables its channel', async () => {
    await gateway.set('AutomaticDisableChannelEnabled', true);
    const id = await add('gpt-4o', {
      key: 'bad-1\nbad-2',
      setting: '{"multi_key_mode":"polling"}',
    });
    upstream.answer(errorReply(401, { message: 'Incorrect API key', code: 'invalid_api_key' }));
    await runAll();
    expect(await gateway.client.channel.get({ id })).toMatchObject({
      status: 1,
      multi_key: { disabled: [{ position: 1 }] },
    });
    receiver.requests.length = 0;
    await runAll();
    expect(await statusOf(id)).toBe(3);
    expect(upstream.requests.map(({ headers }) => headers['authorization'])).toEqual([
      'Bearer bad-1',
      'Bearer bad-2',
    ]);
  });

  it('a customer’s request that shows a bad key notifies the owner, too', async () => {
    await gateway.set('AutomaticDisableChannelEnabled', true);
    const id = await add('gpt-4o');
    upstream.answer(errorReply(401, { message: 'Incorrect API key', code: 'invalid_api_key' }));
    const { key } = await gateway.addCustomer(1_000_000);
    for (let round = 0; round < 2; round += 1) {
      await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }),
      });
    }
    await expect
      .poll(() => receiver.requests.map(({ json: body }) => body['type']))
      .toEqual([`channel_update_${id}_3`]);
    expect(await statusOf(id)).toBe(3);
  });
});

it('a running test ends when the program stops', async () => {
  const { app, operator, root } = await createTestApp();
  await operator.channel.create({
    name: 'c',
    type: 1,
    key: 'k',
    models: 'gpt-4o',
    base_url: upstream.url,
  });
  upstream.answer(() => undefined); // never replies
  await app.channels.tests.startAll(root);
  await expect.poll(() => upstream.requests.length).toBe(1);
  await app.channels.tests.stop();
  expect((await operator.channel.get({ id: 1 })).status).toBe(1);
});
