import { describe, expect, it } from 'vitest';
import type {
  EmbeddingRequest,
  ImageReply,
  ImageRequest,
} from '../../../src/core/canonical/calls.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import type { Call, Effects, UpstreamRequest } from '../../../src/core/canonical/provider.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { ali } from '../../../src/core/providers/ali/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { fixtureJson } from '../../contract/providers/support/decode.ts';
import { effectsOf } from '../../contract/providers/support/effects.ts';

const base = 'https://dashscope.aliyuncs.com';
const order = { output: { task_id: 'task-1', task_status: 'PENDING' } };
const status = (task_status: string, more: object = {}) => ({
  output: { task_id: 'task-1', task_status, ...more },
});
const done = fixtureJson('ali', 'reply-task-done.json') as JsonObject;

function aliCall(model: string, changes: Partial<Call> = {}): Call<never> {
  return testCall({ baseUrl: base, model, ...changes }) as Call<never>;
}

interface Told {
  readonly status?: number;
  readonly body: object;
  /** In place of the body. */
  readonly text?: string;
}

/**
 * A clock that sleeping advances, and an upstream that sends these replies in order; the last one
 * repeats.
 */
function upstreamOf(answers: readonly Told[]) {
  let now = 0;
  let next = 0;
  const asked: UpstreamRequest[] = [];
  const pauses: number[] = [];
  const effects: Effects = {
    fetch: async (request) => {
      asked.push(request);
      const reply: Told = answers[Math.min(next, answers.length - 1)] ?? { body: {} };
      const { status: code = 200, body, text = JSON.stringify(body) } = reply;
      next += 1;
      return { status: code, text, headers: {} };
    },
    sleep: async (milliseconds) => {
      pauses.push(milliseconds);
      now += milliseconds;
    },
    now: () => new Date(now),
    cache: { get: () => undefined, set: () => undefined },
  };
  return { effects, asked, pauses };
}

function draw(
  effects: Effects,
  changes: Partial<ImageRequest> = {},
  model = 'wanx-v1',
): Promise<ImageReply> {
  const request: ImageRequest = { model, prompt: 'a cat', extra: {}, ...changes };
  const { image } = ali.operations;
  return (
    image?.perform?.(request, aliCall(model), effects) ?? Promise.reject(new Error('nothing draws'))
  );
}

const drawn = (...answers: Told[]) => draw(upstreamOf(answers).effects);
const failure = async (reply: Promise<unknown>) =>
  reply.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => (error instanceof ReplyFailure ? error.error : error),
  );

describe('an image by task', () => {
  it('is polled every two seconds, after ten seconds every five', async () => {
    const waiting = Array.from({ length: 7 }, (_, at) => ({
      body: status(at === 0 ? 'PENDING' : 'RUNNING'),
    }));
    const { effects, asked, pauses } = upstreamOf([{ body: order }, ...waiting, { body: done }]);
    const { images } = await draw(effects);
    expect(pauses).toEqual([2000, 2000, 2000, 2000, 2000, 5000, 5000, 5000]);
    expect(asked.map(({ headers }) => headers['x-dashscope-async'])).toEqual([
      'enable',
      ...asked.slice(1).map(() => undefined),
    ]);
    expect(asked[1]).toMatchObject({ method: 'GET', url: `${base}/api/v1/tasks/task-1` });
    expect(images.map(({ url }) => url)).toEqual([
      'https://dashscope-result.example/cat-1.png',
      'https://dashscope-result.example/cat-3.png',
    ]);
  });

  it('is given up after three minutes', async () => {
    const { effects, pauses } = upstreamOf([{ body: order }, { body: status('RUNNING') }]);
    await expect(draw(effects)).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBe(180_000);
  });

  it.each(['UNKNOWN', 'FAILED', 'CANCELED'])('ends with %s', async (word) => {
    const { effects, asked } = upstreamOf([
      { body: order },
      { body: status(word, { message: 'over' }) },
    ]);
    expect(await failure(draw(effects))).toEqual({
      status: 400,
      type: 'ali_error',
      code: word,
      message: 'over',
    });
    expect(asked).toHaveLength(2);
  });

  it('reports why it failed', async () => {
    const refused = await failure(
      drawn({ body: order }, { body: fixtureJson('ali', 'reply-task-failed.json') as object }),
    );
    expect(refused).toMatchObject({ status: 400, type: 'ali_error', code: 'DataInspectionFailed' });
    const limited = await failure(
      drawn({ body: order }, { body: status('FAILED', { code: 'Throttling', message: 'slow' }) }),
    );
    expect(limited).toMatchObject({ status: 429, code: 'Throttling' });
  });

  it('is waited for although a question fails', async () => {
    const busy = { status: 503, body: { code: 'ModelServingError', message: 'busy' } };
    const limit = { status: 429, body: { code: 'Throttling.RateQuota', message: 'slow' } };
    const page = { text: '<html>one moment</html>', body: {} };
    const { images } = await drawn({ body: order }, busy, limit, page, { body: done });
    expect(images).toHaveLength(2);
    const gone = { status: 401, body: { code: 'InvalidApiKey', message: 'no' } };
    expect(await failure(drawn({ body: order }, gone))).toMatchObject({
      status: 401,
      accountFault: true,
    });
  });

  it('is waited for although the connection breaks', async () => {
    const { effects, asked } = upstreamOf([{ body: order }, { body: done }]);
    const fetch: Effects['fetch'] = async (request) => {
      if (asked.length !== 1) return effects.fetch(request);
      asked.push(request);
      throw new AppError('do_request_failed');
    };
    expect((await draw({ ...effects, fetch })).images).toHaveLength(2);
    expect(asked).toHaveLength(3);
  });

  it('is no longer polled after the caller disconnected', async () => {
    const { effects, asked } = upstreamOf([{ body: order }, { body: status('RUNNING') }]);
    const left = { ...effects, sleep: () => Promise.reject(new AppError('client_gone')) };
    await expect(draw(left)).rejects.toMatchObject({ code: 'client_gone' });
    expect(asked).toHaveLength(1);
  });

  it('may be refused with any status', async () => {
    const unpaid = { code: 'Arrearage', message: 'pay', request_id: 'r' };
    const told = {
      status: 402,
      accountFault: true,
      type: 'Arrearage',
      code: 'ali_async_task_failed',
      message: 'pay',
    };
    expect(await failure(drawn({ status: 400, body: unpaid }))).toMatchObject(told);
    expect(await failure(drawn({ body: unpaid }))).toMatchObject(told);
  });

  it('fails where every image of it did', async () => {
    const results = [{ code: 'InternalError.Timeout', message: 'late' }];
    const reply = drawn({ body: order }, { body: status('SUCCEEDED', { results }) });
    expect(await failure(reply)).toMatchObject({
      status: 500,
      code: 'InternalError.Timeout',
      message: 'late',
    });
  });

  it('may come as data', async () => {
    const { images } = await drawn(
      { body: order },
      { body: status('SUCCEEDED', { results: [{ b64_image: 'AAAA' }] }) },
    );
    expect(images).toMatchObject([{ data: 'AAAA' }]);
  });
});

describe('an edit', () => {
  const file = { filename: 'a.png', mediaType: 'image/png', bytes: Buffer.from('pixel') };
  const uri = `data:image/png;base64,${file.bytes.toString('base64')}`;
  const message = { messages: [{ role: 'user', content: [{ image: uri }, { text: 'a cat' }] }] };
  const said = {
    choices: [
      {
        message: {
          role: 'assistant',
          content: [{ type: 'image', image: 'https://x.example/1.png' }],
        },
      },
    ],
  };

  it.each([
    ['wan2.5-i2i-preview', 'image2image/image-synthesis', { prompt: 'a cat', images: [uri] }, true],
    ['wanx2.1-imageedit', 'image2image/image-synthesis', { prompt: 'a cat', images: [uri] }, true],
    ['wan2.6-image', 'image-generation/generation', message, true],
    ['wan2.7-image-pro', 'image-generation/generation', message, true],
    ['qwen-image-edit', 'multimodal-generation/generation', message, false],
  ])('with %s goes to %s', async (model, path, input, task) => {
    const reply = task
      ? [{ body: order }, { body: status('SUCCEEDED', said) }]
      : [{ body: { output: said } }];
    const { effects, asked } = upstreamOf(reply);
    const { images } = await draw(effects, { images: [file] }, model);
    expect(asked[0]).toMatchObject({
      url: `${base}/api/v1/services/aigc/${path}`,
      body: { model, input },
    });
    expect(asked).toHaveLength(task ? 2 : 1);
    expect(images).toMatchObject([{ url: 'https://x.example/1.png' }]);
  });

  it('takes no mask', async () => {
    const { effects, asked } = upstreamOf([{ body: order }]);
    await expect(draw(effects, { images: [file], mask: file })).rejects.toMatchObject({
      code: 'unsupported_feature',
    });
    expect(asked).toEqual([]);
  });
});

describe('the native interface', () => {
  const native = ali.variants?.[0]?.provider ?? expect.fail('no variant');

  it('is used where the channel enables it', () => {
    const facts = { key: aliCall('m').key, baseUrl: '' };
    const fits = (setting: JsonObject) => ali.variants?.[0]?.fits({ ...facts, setting });
    expect([fits({}), fits({ use_native: false }), fits({ use_native: true })]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('takes no tokens, no sound and no files', () => {
    const tokens: EmbeddingRequest = { model: 'm', input: [[1, 2]], extra: {} };
    expect(() => native.operations.embedding?.encode(tokens, aliCall('m'))).toThrow(AppError);
    const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    const request = openAiChat.readRequest(
      { model: 'qwen-vl-plus', messages: [{ role: 'user', content: [sound] }] },
      { model: 'qwen-vl-plus', stream: false },
    );
    expect(() => native.operations.chat?.encode(request, aliCall('qwen-vl-plus'))).toThrow(
      AppError,
    );
  });

  it('reads an error with status 200', () => {
    const body = fixtureJson('ali-native', 'failure-400.json');
    expect(() => native.operations.chat?.decode(body, aliCall('m'))).toThrow(ReplyFailure);
  });
});

describe('an account', () => {
  it('lists its models at the base URL’s address', async () => {
    const url = `${base}/compatible-mode/v1/models`;
    const effects = effectsOf({ [url]: { data: [{ id: 'qwen-plus' }, { id: 'qwen-flash' }] } });
    for (const baseUrl of [
      base,
      `${base}/compatible-mode/v1`,
      `${base}/api/v1`,
      `${base}/apps/anthropic`,
    ]) {
      expect(await ali.account?.listModels?.(aliCall('', { baseUrl }), effects)).toEqual([
        'qwen-plus',
        'qwen-flash',
      ]);
    }
  });
});
