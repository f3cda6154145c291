import { describe, expect, it } from 'vitest';
import type { DrawingOrder } from '../../../src/core/canonical/drawing.ts';
import { ReplyFailure } from '../../../src/core/canonical/kit/failure.ts';
import { TaskRefusal } from '../../../src/core/canonical/kit/task-refusal.ts';
import type { Call, Effects, UpstreamRequest } from '../../../src/core/canonical/provider.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { midjourney } from '../../../src/core/providers/midjourney/index.ts';

interface Sent extends UpstreamRequest {
  readonly timeoutMs?: number;
}

function callWith(settings: object = {}): Call {
  return {
    baseUrl: 'https://proxy.example',
    key: new Secret('proxy-secret'),
    model: 'mj_imagine',
    clientPath: '',
    clientHeaders: {},
    other: '',
    settings,
    options: { vendor: {} },
    now: new Date(0),
  };
}

/** HTTP that replies with these bodies, one after the other. */
function effectsWith(...replies: readonly (object | string)[]): {
  readonly effects: Effects;
  readonly sent: Sent[];
} {
  const sent: Sent[] = [];
  const effects: Effects = {
    sleep: async () => undefined,
    now: () => new Date(0),
    cache: { get: () => undefined, set: () => undefined },
    fetch: async (request) => {
      sent.push(request);
      const reply = replies[sent.length - 1];
      if (typeof reply === 'string') return { status: 502, text: reply, headers: {} };
      return { status: 200, text: JSON.stringify(reply), headers: {} };
    },
  };
  return { effects, sent };
}

function orderWith(order: Partial<DrawingOrder> = {}): DrawingOrder {
  return {
    action: 'IMAGINE',
    path: '/mj/submit/imagine',
    mode: undefined,
    body: { prompt: 'cat --fast --ar 1:1' },
    continues: false,
    ownId: '',
    ...order,
  };
}

const { tasks } = midjourney;
if (tasks === undefined) throw new Error('no tasks');
const accepted = { code: 1, description: 'Success', result: '17', properties: {} };

describe('an order that is sent', () => {
  it('goes to the path of the caller, with the key and the body as they are', async () => {
    const { effects, sent } = effectsWith(accepted);
    await tasks.submit(orderWith({ mode: 'turbo' }), callWith(), effects);
    expect(sent).toEqual([
      {
        method: 'POST',
        url: 'https://proxy.example/mj/submit/imagine',
        headers: {
          'mj-api-secret': 'proxy-secret',
          'content-type': 'application/json',
          accept: 'application/json',
        },
        body: { prompt: 'cat --fast --ar 1:1' },
        timeoutMs: 60_000,
      },
    ]);
  });

  it('keeps its mode in the path where the channel says so', async () => {
    const { effects, sent } = effectsWith(accepted, accepted);
    await tasks.submit(orderWith({ mode: 'turbo' }), callWith({ mj_mode: 'path' }), effects);
    await tasks.submit(orderWith(), callWith({ mj_mode: 'path' }), effects);
    expect(sent.map(({ url }) => url)).toEqual([
      'https://proxy.example/mj-turbo/mj/submit/imagine',
      'https://proxy.example/mj/submit/imagine',
    ]);
  });

  it('has its mode as account filter where the channel says so, and draws slowly where no fast account is free', async () => {
    const { effects, sent } = effectsWith({ code: 3, description: '无可用的账号实例' }, accepted);
    const body = { prompt: 'cat --turbo --ar 1:1 --fastness', accountFilter: { modes: ['TURBO'] } };
    await tasks.submit(orderWith({ body }), callWith({ mj_mode: 'filter' }), effects);
    expect(sent.map(({ body }) => body)).toEqual([
      { prompt: 'cat --ar 1:1 --fastness', accountFilter: { modes: ['FAST'] } },
      { prompt: 'cat --ar 1:1 --fastness', accountFilter: { modes: ['RELAX'] } },
    ]);
  });
});

describe('the reply to an order', () => {
  const submit = (reply: object, order: Partial<DrawingOrder> = {}) =>
    tasks.submit(orderWith(order), callWith(), effectsWith(reply).effects);

  it('1: submitted, sent on as it is', async () => {
    expect(await submit(accepted)).toMatchObject({
      upstreamId: '17',
      status: 'SUBMITTED',
      progress: 0,
      reply: accepted,
    });
  });

  it('22: submitted, the code rewritten and nothing else', async () => {
    const queued = {
      code: 22,
      description: 'queued 1',
      result: '17',
      properties: { numberOfQueues: 22 },
    };
    expect(await submit(queued)).toMatchObject({
      status: 'SUBMITTED',
      reply: { ...queued, code: 1 },
      drawing: { code: 22, properties: '{"numberOfQueues":22}' },
    });
  });

  it('21: a finished twin is finished at once', async () => {
    const twin = {
      code: 21,
      description: 'exists',
      result: '16',
      properties: { status: 'SUCCESS', imageUrl: 'https://i/1.png' },
    };
    expect(await submit(twin)).toMatchObject({
      upstreamId: '16',
      status: 'SUCCESS',
      progress: 100,
      reply: { code: 1 },
      drawing: { code: 21, imageUrl: 'https://i/1.png' },
    });
  });

  it.each(['INPAINT', 'CUSTOM_ZOOM'] as const)(
    '21: the window of %s keeps its code',
    async (action) => {
      const window = {
        code: 21,
        description: 'Waiting for window confirm',
        result: '18',
        properties: { remix: true },
      };
      expect(await submit(window, { action, continues: true })).toMatchObject({
        status: 'MODAL',
        reply: window,
      });
      expect(await submit(window, { action: 'VARIATION', continues: true })).toMatchObject({
        status: 'MODAL',
        reply: { code: 1 },
      });
    },
  );

  it('of an upload: finished, with the first address as its image', async () => {
    const reply = {
      code: 1,
      description: 'ok',
      result: ['https://cdn/1.png', 'https://cdn/2.png'],
    };
    expect(await submit(reply, { action: 'UPLOAD', ownId: 'upload-1' })).toMatchObject({
      upstreamId: 'upload-1',
      status: 'SUCCESS',
      progress: 100,
      reply,
      drawing: { imageUrl: 'https://cdn/1.png' },
    });
  });

  it.each([
    [23, 400],
    [24, 400],
    [3, 400],
    [4, 400],
    [9, 502],
    [30, 429],
    [7, 400],
  ])('%i refuses, with the reply as it is', async (code, status) => {
    const reply = { code, description: 'no', properties: { bannedWord: 'x' } };
    const error = await submit(reply).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(TaskRefusal);
    expect(error).toMatchObject({ reply, drawing: { code, description: 'no' }, error: { status } });
    expect((error as TaskRefusal).error.accountFault).toBeUndefined();
  });

  it('3 is the fault of the channel where it has no account, unless the order continues a task', async () => {
    const reply = { code: 3, description: '无可用的账号实例' };
    const fault = async (order: Partial<DrawingOrder>) =>
      ((await submit(reply, order).catch((caught: unknown) => caught)) as TaskRefusal).error
        .accountFault;
    expect([await fault({}), await fault({ continues: true })]).toEqual([true, undefined]);
  });

  it('a face swap is accepted by code 1 only', async () => {
    await expect(submit({ code: 21, result: '1' }, { action: 'SWAP_FACE' })).rejects.toBeInstanceOf(
      TaskRefusal,
    );
  });

  it.each([{}, { code: 'x' }, { code: 1 }, { code: 1, result: '' }])(
    '%j cannot be read',
    async (reply) => {
      await expect(submit(reply)).rejects.toMatchObject({ code: 'bad_response_body' });
    },
  );
});

describe('a poll', () => {
  const polled = ['1', '2'].map((upstreamId) => ({ upstreamId, action: 'IMAGINE', model: '' }));
  const poll = (reply: object | string) =>
    tasks.poll(polled, callWith({ mj_mode: 'path' }), effectsWith(reply).effects);

  it('reads what is asked for, once each; cancelled is failed', async () => {
    const first = {
      id: 1,
      status: 'IN_PROGRESS',
      progress: '50%',
      imageUrl: 'https://i/1.png',
      submitTime: 5,
      startTime: 7,
    };
    const reports = await poll([
      first,
      { ...first, progress: '60%' },
      { id: '2', status: 'CANCEL', failReason: null, buttons: [], properties: null },
      { id: '3', status: 'FAILURE' },
      null,
      'x',
    ]);
    expect(reports).toMatchObject([
      {
        upstreamId: '1',
        status: 'IN_PROGRESS',
        progress: 60,
        startTime: 7,
        drawing: { code: 1, imageUrl: 'https://i/1.png' },
      },
      { upstreamId: '2', status: 'FAILURE', drawing: { code: 1 } },
    ]);
    expect(reports[1]?.drawing).toEqual({ code: 1 });
  });

  it.each([
    [
      'a reason without success is a failure',
      { status: 'IN_PROGRESS', failReason: 'banned' },
      'FAILURE',
    ],
    ['a reason beside success is not', { status: 'SUCCESS', failReason: 'odd' }, 'SUCCESS'],
    ['words that are not known say nothing', { status: 'THINKING' }, undefined],
  ])('%s', async (_name, state, status) => {
    expect((await poll([{ id: '1', ...state }]))[0]?.status).toBe(status);
  });

  it('fails as a whole where the proxy does not reply with a list', async () => {
    await expect(poll('<html>')).rejects.toBeInstanceOf(ReplyFailure);
    await expect(poll({ code: 1 })).rejects.toMatchObject({ code: 'bad_response_body' });
  });
});
