import { describe, expect, it } from 'vitest';
import type { SpeechRequest } from '../../../src/core/canonical/calls.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import type { Call } from '../../../src/core/canonical/provider.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { volcengine } from '../../../src/core/providers/volcengine/index.ts';
import { arkRoots } from '../../../src/core/providers/volcengine/roots.ts';
import { asSent } from '../../contract/providers/support/as-sent.ts';
import { testCall } from '../../contract/providers/support/call.ts';

const host = 'https://ark.cn-beijing.volces.com';

function arkCall(changes: Partial<Call> = {}): Call<never> {
  return testCall({
    baseUrl: host,
    key: new Secret('the-app|the-token'),
    model: 'doubao-tts',
    ...changes,
  }) as Call<never>;
}

describe('addresses', () => {
  it.each([
    [host, `${host}/api/v3`, undefined],
    [`${host}/api/v3`, `${host}/api/v3`, undefined],
    ['doubao-coding-plan', `${host}/api/coding/v3`, `${host}/api/coding`],
    [`${host}/api/coding`, `${host}/api/coding/v3`, `${host}/api/coding`],
    [`${host}/api/coding/v3`, `${host}/api/coding/v3`, `${host}/api/coding`],
    ['https://gateway.example/ark', 'https://gateway.example/ark/api/v3', undefined],
  ])('of %s', (baseUrl, openAi, anthropic) => {
    expect(arkRoots(arkCall({ baseUrl }))).toMatchObject({
      openAi,
      ...(anthropic === undefined ? {} : { anthropic }),
    });
    expect(arkRoots(arkCall({ baseUrl })).anthropic).toBe(anthropic);
  });

  it('may be a plan by its name', () =>
    expect(volcengine.planNames).toEqual(['doubao-coding-plan']));
});

describe('efforts of doubao-seed-2', () => {
  const model = 'doubao-seed-2-1-pro-260915';
  const messages = [{ role: 'user', content: 'Hi' }];

  it.each([
    ['none', 'minimal'],
    ['low', 'low'],
    ['xhigh', 'high'],
    ['max', 'high'],
  ])('%s is sent as %s', (reasoning_effort, sent) => {
    const chat = asSent(volcengine, 'chat', model, { messages, reasoning_effort });
    expect(chat.body.reasoning_effort).toBe(sent);
    const given = { input: 'Hi', reasoning: { effort: reasoning_effort, summary: 'auto' } };
    const responses = asSent(volcengine, 'Responses', model, given);
    expect(responses.body.reasoning).toEqual({ effort: sent, summary: 'auto' });
  });

  it('older models are asked as the caller asks', () => {
    const older = 'doubao-seed-1-6-250615';
    const chat = asSent(volcengine, 'chat', older, { messages, reasoning_effort: 'xhigh' });
    expect(chat.body.reasoning_effort).toBe('xhigh');
    const config = { thinkingConfig: { thinkingLevel: 'high' } };
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
    const asked = { contents, generationConfig: config };
    expect(asSent(volcengine, 'Gemini', older, asked).body).not.toHaveProperty('reasoning_effort');
    expect(asSent(volcengine, 'Gemini', model, asked).body).toMatchObject({
      thinking: { type: 'enabled' },
      reasoning_effort: 'high',
    });
  });
});

describe('speech', () => {
  const adapter = volcengine.operations.speech ?? expect.fail('no speech');
  const spoken: SpeechRequest = {
    model: 'doubao-tts',
    input: 'Hello',
    voice: 'zh_female_cancan',
    speed: 1.2,
    extra: {},
  };
  const encode = (request: Partial<SpeechRequest> = {}, changes: Partial<Call> = {}) =>
    adapter.encode({ ...spoken, ...request }, arkCall(changes));
  const decode = (body: unknown, format?: string) =>
    adapter.decode(body, arkCall(), { ...spoken, format });

  it("of Volcano's own has a key of two parts and a semicolon", () => {
    const { url, headers, body } = encode({ format: 'opus' });
    expect(url).toBe('https://openspeech.bytedance.com/api/v1/tts');
    expect(headers.authorization).toBe('Bearer;the-token');
    expect(body).toEqual({
      app: { appid: 'the-app', token: 'the-token', cluster: 'volcano_tts' },
      user: { uid: 'gateway' },
      audio: {
        voice_type: 'zh_female_cancan',
        encoding: 'ogg_opus',
        speed_ratio: 1.2,
        rate: 24_000,
      },
      request: {
        reqid: expect.stringMatching(/^[\da-f-]{36}$/),
        text: 'Hello',
        operation: 'query',
      },
    });
  });

  it('gives each request a new id', () => {
    const id = () => (encode().body as { request: { reqid: string } }).request.reqid;
    expect(id()).not.toBe(id());
  });

  it.each(['the-key', 'a|b|c', '|b', 'a|'])(
    'rejects the key %s without a request and without showing it',
    (key) => {
      const make = () => encode({}, { key: new Secret(key) });
      expect(make).toThrow(
        expect.objectContaining({
          code: 'invalid_channel_key',
          params: { detail: 'appid|access_token' },
        }),
      );
    },
  );

  it('comes in four formats', () => {
    const encodings = ['mp3', 'wav', 'pcm', 'opus', undefined].map(
      (format) => (encode({ format }).body as { audio: { encoding: string } }).audio.encoding,
    );
    expect(encodings).toEqual(['mp3', 'wav', 'pcm', 'ogg_opus', 'mp3']);
    expect(() => encode({ format: 'aac' })).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
  });

  it('is base64 in JSON', () => {
    const data = Buffer.from([0xff, 0xfb]).toString('base64');
    const reply = decode(
      { reqid: 'r', code: 3000, operation: 'query', message: 'Success', sequence: -1, data },
      'wav',
    );
    expect(reply).toMatchObject({ mediaType: 'audio/wav' });
    expect([...reply.bytes]).toEqual([0xff, 0xfb]);
    expect(() => decode({ code: 3000, message: 'Success', data: '' })).toThrow('no audio in it');
  });

  it.each([
    [3003, 429],
    [3050, 400],
    [3031, 502],
  ])('that fails with %i has the status %i', (code, status) => {
    const read = () => decode({ reqid: 'r', code, message: 'words', sequence: -1 });
    expect(read).toThrow(ReplyFailure);
    expect(read).toThrow(
      expect.objectContaining({ error: expect.objectContaining({ status, message: 'words' }) }),
    );
  });

  it('with another base URL uses the OpenAI format and the whole key', () => {
    const { url, headers, body } = encode(
      {},
      { baseUrl: 'https://gateway.example', key: new Secret('sk-1') },
    );
    expect(url).toBe('https://gateway.example/v1/audio/speech');
    expect(headers.authorization).toBe('Bearer sk-1');
    expect(body).toEqual({
      model: 'doubao-tts',
      input: 'Hello',
      voice: 'zh_female_cancan',
      speed: 1.2,
    });
  });
});
