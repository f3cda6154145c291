import '../../support/usage-equality.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import type { Call } from '../../../src/core/canonical/provider.ts';
import { rewriteChat } from '../../../src/core/providers/minimax/chat.ts';
import { minimaxError } from '../../../src/core/providers/minimax/failure.ts';
import { aspectRatio } from '../../../src/core/providers/minimax/image.ts';
import { minimax } from '../../../src/core/providers/minimax/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { fixtureBytes, fixtureJson } from '../../contract/providers/support/decode.ts';
import { jsonReply } from '../../contract/providers/support/upstream-replies.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { chatReply, startUpstream } from '../../support/upstream.ts';

const call = testCall({ model: 'speech-02-hd' }) as Call<never>;

describe('base_resp', () => {
  it.each([
    [[1000, 1024, 1033], 500, undefined],
    [[1001], 504, undefined],
    [[1002, 1039, 1041, 2056], 429, undefined],
    [[1004, 2049], 401, true],
    [[1008], 402, true],
    [[1026, 1027, 1042, 2013], 400, undefined],
    [[4711], 502, undefined],
  ])('%j means %i', (codes, status, accountFault) => {
    for (const code of codes) {
      const error = minimaxError({ base_resp: { status_code: code, status_msg: 'words' } });
      expect(error).toMatchObject({
        status,
        code: String(code),
        message: 'words',
        type: 'minimax_error',
      });
      expect(error?.accountFault).toBe(accountFault);
    }
  });

  it('of 0, or a missing one, is not an error', () => {
    expect(minimaxError({ base_resp: { status_code: 0, status_msg: '' } })).toBeUndefined();
    for (const body of [{}, null, { base_resp: null }, { base_resp: { status_msg: 'x' } }]) {
      expect(minimaxError(body)).toBeUndefined();
    }
  });

  it('with a failed HTTP status keeps that status where the code gives no better one', () => {
    const read = (code: number) =>
      minimax.readFailure({
        status: 418,
        headers: {},
        text: '',
        body: { base_resp: { status_code: code } },
      }).status;
    expect([read(4711), read(1002)]).toEqual([418, 429]);
  });
});

describe('a passed-through stream', () => {
  const events = (name: string) =>
    fixtureBytes('minimax', name)
      .toString('utf8')
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => event.slice('data: '.length));
  const rewrite = (datas: readonly string[]) => {
    const rewriter = rewriteChat.create();
    return datas.map((data) => rewriter.push({ event: '', data }));
  };

  it('converts a failure in the middle to the caller’s format', () => {
    const last = rewrite(events('stream-error.sse')).at(-1) ?? '';
    expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
      error: { message: 'output new_sensitive', type: 'minimax_error', code: '1027' },
    });
  });

  it('ends with usage and without the repeated reply', () => {
    const written = rewrite(events('stream-tools.sse'));
    expect(JSON.parse(written.at(-1)?.slice('data: '.length) ?? '')).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [],
      usage: { prompt_tokens: 44 },
    });
  });

  it('accepts any input', () => {
    const odd = [
      '[DONE]',
      '{}',
      '[]',
      'null',
      'no JSON',
      '{"choices":[null,{"delta":null},{}]}',
      '{"choices":null}',
    ];
    expect(rewrite(odd)).toHaveLength(odd.length);
    expect(rewrite(['[DONE]'])).toEqual(['data: [DONE]\n\n']);
  });
});

describe('an image', () => {
  it.each([
    ['1024x1024', '1:1'],
    ['1792x1024', '16:9'],
    ['1024x1792', '9:16'],
    ['1536x1024', '3:2'],
    ['1024x1536', '2:3'],
    ['1152x864', '4:3'],
    ['864x1152', '3:4'],
    ['1344x576', '21:9'],
    ['1280x720', '16:9'],
    ['21:9', '21:9'],
    ['1000x999', undefined],
    ['0x0', undefined],
    ['auto', undefined],
    ['x5', undefined],
    [undefined, undefined],
  ])('of %s has the ratio %s', (size, ratio) => expect(aspectRatio(size)).toBe(ratio));
});

describe('speech', () => {
  const decode = (body: unknown) =>
    minimax.operations.speech?.decode(body, call) ?? expect.fail('no speech');

  it('is hexadecimal', () => {
    const { bytes, usage } = decode(fixtureJson('minimax', 'reply-speech.json'));
    expect([...bytes]).toEqual([0xff, 0xfb, 0x90, 0x44]);
    expect(usage).toEqual({ promptTokens: 11, completionTokens: 0 });
  });

  it('may be refused, or missing', () => {
    expect(() => decode(fixtureJson('minimax', 'failure-balance.json'))).toThrow(ReplyFailure);
    for (const data of [null, {}, { audio: 'https://x.example/1.mp3' }]) {
      expect(() => decode({ data, base_resp: { status_code: 0 } })).toThrow('no audio in it');
    }
  });
});

describe('a rate limit with status 200', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ FETCH_ALLOW_PRIVATE: 'true', FETCH_ALLOWED_PORTS: '0' });
    await gateway.set('SelfUseModeEnabled', true);
    await gateway.set('RetryTimes', 1);
  });
  afterAll(() => gateway.close());

  it('moves the request on to another channel', async () => {
    const [limited, free] = [await startUpstream(), await startUpstream()];
    try {
      limited.answer(jsonReply(fixtureJson('minimax', 'failure-limit.json')));
      free.answer(chatReply('Hello there'));
      const models = 'MiniMax-M2.7';
      await gateway.addChannel({ type: 35, baseUrl: limited.url, models, priority: 10 });
      await gateway.addChannel({ type: 35, baseUrl: free.url, models, priority: 1 });
      const { key } = await gateway.addCustomer(100_000_000);
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: models, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      expect(reply.status).toBe(200);
      expect(await reply.json()).toMatchObject({
        choices: [{ message: { content: 'Hello there' } }],
      });
      expect([limited.requests.length, free.requests.length]).toEqual([1, 1]);
    } finally {
      await Promise.all([limited.close(), free.close()]);
    }
  });
});
