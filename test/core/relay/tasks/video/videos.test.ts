// Covers src/core/tasks/videos.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startVideoUpstream } from '../../../../support/dashscope-videos.ts';
import { makePng } from '../../../../support/images.ts';
import {
  chargedVideo,
  createVideoBench,
  i2v,
  t2v,
  type VideoBench,
  videoPrice,
} from '../../../../support/video-bench.ts';

let bench: VideoBench;
beforeEach(async () => {
  bench = await createVideoBench();
});
afterEach(async () => {
  expect(await bench.app.ledger.verify()).toMatchObject({ ok: true });
  await bench.close();
});

const idOf = ({ body }: { body: Record<string, unknown> }) => String(body['task_id']);
const rowOf = async (id: string) => bench.app.storage.tasks.findByTaskId(id);
const png = `data:image/png;base64,${makePng({ width: 300, height: 240 }).toString('base64')}`;

describe('a video', () => {
  it('is charged when it is accepted, polled, and shown with a link of ours', async () => {
    bench.upstream.script({ polls: ['PENDING', 'RUNNING', 'SUCCEEDED'] });
    const ordered = await bench.order({ size: '9:16', seed: 42 });
    expect(ordered).toMatchObject({
      status: 200,
      body: {
        object: 'video',
        model: t2v,
        status: 'queued',
        seconds: '5',
        size: '720x1280',
        error: null,
      },
    });
    const id = idOf(ordered);
    expect(id).toMatch(/^task_[A-Za-z0-9]{32}$/);
    expect(ordered.body['id']).toBe(id);
    expect(bench.upstream.submits[0]?.body).toEqual({
      model: t2v,
      input: { prompt: 'a cat runs' },
      parameters: { size: '720*1280', seed: 42, prompt_extend: true, watermark: false },
    });
    expect(await bench.figures()).toEqual(chargedVideo());
    expect(await rowOf(id)).toMatchObject({
      platform: 'ali',
      action: 'VIDEO',
      status: 'QUEUED',
      quota: videoPrice,
      progress: '20%',
      channelId: bench.channel,
    });
    const [log] = (await bench.operator.log.list({ type: 2 })).items;
    expect(log).toMatchObject({ model_name: t2v, quota: videoPrice, token_name: 'test' });
    expect(JSON.parse(log?.other ?? '')).toMatchObject({ model_price: 0.2, task_id: id });

    await bench.poll();
    expect((await rowOf(id))?.status).toBe('QUEUED');
    await bench.poll();
    expect(await rowOf(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '30%' });
    await bench.poll();
    const url = expect.stringMatching(new RegExp(`/v1/videos/${id}/content$`));
    expect((await bench.read(id)).body).toEqual({
      code: 'success',
      message: '',
      data: {
        task_id: id,
        platform: 'ali',
        action: 'VIDEO',
        status: 'SUCCESS',
        fail_reason: '',
        result_url: url,
        submit_time: expect.any(Number),
        start_time: Date.UTC(2026, 10, 20, 12, 0, 5) / 1000,
        finish_time: Date.UTC(2026, 10, 20, 12, 1, 0) / 1000,
        progress: '100%',
        data: { video_url: url, duration: 5, size: '1280*720' },
      },
    });
    expect(bench.upstream.polls).toEqual(['upstream-key', 'upstream-key', 'upstream-key']);
  });

  it('two identical ends settle once, and a failure is refunded once to user and token', async () => {
    bench.upstream.script({ polls: ['SUCCEEDED'] }, { polls: ['FAILED'] });
    const made = idOf(await bench.order());
    const failed = idOf(await bench.order());
    expect(await bench.figures()).toEqual(chargedVideo(2 * videoPrice));
    await Promise.all([bench.poll(), bench.poll(), bench.read(failed), bench.read(made)]);
    await bench.poll();
    expect(await bench.figures()).toEqual(chargedVideo());
    expect((await bench.read(failed)).body['data']).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      fail_reason: 'InternalError.Algo: the film tore',
      result_url: '',
    });
    const refunds = (await bench.operator.log.list({ type: 4 })).items.filter(
      ({ quota }) => quota === videoPrice,
    );
    expect(refunds).toHaveLength(1);
    expect(JSON.parse(refunds[0]?.other ?? '')).toMatchObject({ task_id: failed });
    const video = await bench.call(bench.customer, 'GET', `/v1/videos/${failed}`);
    expect(video.body).toMatchObject({
      status: 'failed',
      error: { code: 'video_generation_failed', message: 'InternalError.Algo: the film tore' },
    });
  });

  it.each(['CANCELED'] as const)('%s is a failure', async (state) => {
    bench.upstream.script({ polls: [state] });
    const id = idOf(await bench.order());
    expect((await bench.read(id)).body['data']).toMatchObject({
      status: 'FAILURE',
      fail_reason: 'canceled upstream',
    });
    expect(await bench.figures()).toEqual(chargedVideo(0));
  });

  it.each(['throttled', 'broken', 'DREAMING'] as const)(
    'a poll that is %s changes nothing',
    async (state) => {
      bench.upstream.script({ polls: ['RUNNING', state, 'SUCCEEDED'] });
      const id = idOf(await bench.order());
      await bench.poll();
      await bench.poll();
      expect(await rowOf(id)).toMatchObject({ status: 'IN_PROGRESS', quota: videoPrice });
      await bench.poll();
      expect((await rowOf(id))?.status).toBe('SUCCESS');
    },
  );

  it('one that its upstream lost fails when that is said three times', async () => {
    bench.upstream.script({ polls: ['UNKNOWN'] });
    const id = idOf(await bench.order());
    await bench.poll();
    await bench.poll();
    expect((await rowOf(id))?.status).toBe('QUEUED');
    await bench.poll();
    expect(await rowOf(id)).toMatchObject({ status: 'FAILURE', quota: 0 });
    expect(await bench.figures()).toEqual(chargedVideo(0));
  });

  it('is looked up by a read at most every five seconds, and never SUBMITTED', async () => {
    bench.upstream.script({ polls: ['PENDING', 'RUNNING', 'SUCCEEDED'] });
    const id = idOf(await bench.order());
    const client = await bench.consoleOf();
    const states: string[] = [];
    for (const wait of [0, 1000, 4000, 4999, 1]) {
      bench.clock.move(wait);
      states.push((await client.video.get({ task_id: id })).status);
    }
    expect(states).toEqual(['QUEUED', 'QUEUED', 'IN_PROGRESS', 'IN_PROGRESS', 'SUCCESS']);
    expect(bench.upstream.polls).toHaveLength(3);
  });
});

describe('a submit', () => {
  it.each([
    ['Throttling.RateQuota', 429],
    ['InternalError', 500],
  ])('refused with %s is tried on another channel', async (code, status) => {
    const other = await startVideoUpstream();
    await bench.addChannel(other.url, { type: 17, models: t2v, priority: -1 });
    bench.upstream.script({ submit: { status, code } });
    expect((await bench.order()).status).toBe(200);
    expect([bench.upstream.submits.length, other.submits.length]).toEqual([1, 1]);
    expect((await bench.figures())['quota']).toBe(1_000_000 - videoPrice);
    await other.close();
  });

  it.each(['hang', 'cut', 'garbled'] as const)(
    'whose end is not known (%s) is not repeated, and costs nothing',
    async (submit) => {
      const other = await startVideoUpstream();
      await bench.addChannel(other.url, { type: 17, models: t2v, priority: -1 });
      bench.upstream.script({ submit });
      const sent = bench.order();
      if (submit === 'hang') {
        await expect.poll(() => bench.upstream.submits.length).toBe(1);
        void bench.upstream.close();
      }
      const { status, body } = await sent;
      expect(status).toBeGreaterThanOrEqual(500);
      expect(body).toMatchObject({ data: null, message: expect.any(String) });
      expect(other.submits).toHaveLength(0);
      expect(await bench.figures()).toEqual(chargedVideo(0));
      const client = await bench.consoleOf();
      expect(await client.video.list({})).toMatchObject({
        total: 1,
        data: [{ status: 'FAILURE', progress: '100%' }],
      });
      await other.close();
    },
  );

  it('refused for what it asks is told why, in the words of task APIs and of OpenAI', async () => {
    bench.upstream.script({ submit: { status: 400, code: 'DataInspectionFailed' } });
    const { status, body } = await bench.order();
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'DataInspectionFailed',
      data: null,
      error: { code: 'DataInspectionFailed', message: body['message'] },
    });
    expect(await bench.figures()).toEqual(chargedVideo(0));
  });

  it.each([
    ['an image for text-to-video', { img_url: 'https://images.example/a.png' }, 'invalid_request'],
    ['no prompt', { prompt: '' }, 'invalid_request'],
    ['a size that the model lacks', { size: '1920*1080' }, 'invalid_request'],
    ['no model', { model: '' }, 'model_required'],
    ['a model without a channel', { model: 'wan9-t2v' }, 'channel_not_found'],
    ['a model without a price', { model: 'wan-unpriced' }, 'model_price_error'],
    ['forbidden words', { prompt: 'a test_sensitive cat' }, 'sensitive_words_detected'],
    [
      'an image from inside',
      { model: i2v, img_url: 'http://127.0.0.1/a.png' },
      'address_not_allowed',
    ],
    [
      'an upload that is none',
      { model: i2v, img_url: `/uploads/2026/11/${'a'.repeat(32)}.png` },
      'upload_not_found',
    ],
  ])('with %s is refused before anything is charged or sent', async (_, fields, code) => {
    const { status, body } = await bench.order(fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toMatchObject({ code, data: null });
    expect(bench.upstream.submits).toHaveLength(0);
    expect(await bench.figures()).toEqual(chargedVideo(0));
    expect((await (await bench.consoleOf()).video.list({})).total).toBe(0);
  });

  it('is refused while tasks are switched off; those under way still end', async () => {
    const id = idOf(await bench.order());
    await bench.operator.option.set({ key: 'TaskEnabled', value: false });
    expect((await bench.order()).body).toMatchObject({ code: 'tasks_disabled' });
    await bench.poll();
    expect((await rowOf(id))?.status).toBe('SUCCESS');
  });

  it('finds a model of generation 2.1 under the name of its successors', async () => {
    const { body } = await bench.order({ model: 'wan2.1-t2v-turbo' });
    expect(body).toMatchObject({ model: t2v });
    expect(bench.upstream.submits[0]?.body.model).toBe(t2v);
  });

  it('without enough quota is refused in the shape of its caller', async () => {
    const poor = await bench.addCustomer(1000);
    expect(await bench.order({}, poor)).toMatchObject({
      status: 403,
      body: { code: 'quota_not_enough', data: null },
    });
    const reply = await fetch(`${bench.url}/pg/videos/generations`, {
      method: 'POST',
      headers: await bench.signIn(poor),
      body: JSON.stringify({ model: t2v, prompt: 'a cat' }),
    });
    expect([reply.status, await reply.json()]).toEqual([
      403,
      {
        error: expect.objectContaining({
          code: 'insufficient_user_quota',
          message: expect.any(String),
        }),
      },
    ]);
  });
});

describe('images', () => {
  it('a data URI is saved as an upload, and sent as data', async () => {
    const { status, body } = await bench.order({ model: i2v, img_url: png });
    expect([status, body['status']]).toEqual([200, 'queued']);
    const sent = bench.upstream.submits[0]?.body;
    expect(sent).toMatchObject({ parameters: { resolution: '720P', duration: 5 } });
    expect(sent?.input['img_url']).toMatch(/^data:image\/png;base64,/);
    const { data } = await (await bench.consoleOf()).video.get({
      task_id: String(body['task_id']),
    });
    expect(data.input['img_url']).toMatch(/\/uploads\/2026\/11\/[0-9a-f]{32}\.png$/);

    await bench.order({ model: i2v, img_url: data.input['img_url'] });
    expect(bench.upstream.submits[1]?.body.input['img_url']).toBe(sent?.input['img_url']);
  });

  it('a data URI of an order that is refused is not kept', async () => {
    const stored = async () => (await bench.operator.files.usage()).uploads.files;
    const before = await stored();
    const poor = await bench.addCustomer(1000);
    expect((await bench.order({ model: i2v, img_url: png }, poor)).status).toBe(403);
    expect(
      (await bench.order({ model: i2v, img_url: png, prompt: 'a test_sensitive cat' })).status,
    ).toBe(400);
    bench.upstream.script({ submit: { status: 400, code: 'InvalidParameter' } });
    expect((await bench.order({ model: i2v, img_url: png })).status).toBeGreaterThanOrEqual(400);
    expect(await stored()).toBe(before);
  });

  it('an address of another site is forwarded and not fetched', async () => {
    const address = 'https://images.example/cat.png?size=1';
    await bench.order({ model: i2v, image: address });
    expect(bench.upstream.submits[0]?.body.input).toMatchObject({ img_url: address });
  });

  it('one that is too small for the upstream is refused', async () => {
    const small = `data:image/png;base64,${makePng({ width: 100, height: 100 }).toString('base64')}`;
    expect((await bench.order({ model: i2v, img_url: small })).body).toMatchObject({
      code: 'image_sides_invalid',
    });
  });
});

describe('other users', () => {
  it('see no difference between foreign ids and unknown ones', async () => {
    const id = idOf(await bench.order());
    const stranger = await bench.addCustomer(1000);
    const unknown = `task_${'x'.repeat(32)}`;
    for (const path of ['/v1/videos/ID', '/v1/video/generations/ID', '/v1/videos/ID/content']) {
      const [foreign, none] = await Promise.all(
        [id, unknown].map((which) => bench.call(stranger, 'GET', path.replace('ID', which))),
      );
      expect(foreign?.status).toBe(400);
      const without = (body: unknown) => JSON.stringify(body).replace(/request id: \w+/g, '');
      expect(without(foreign?.body)).toBe(without(none?.body));
    }
    const client = await bench.consoleOf(stranger);
    expect(await client.video.list({})).toMatchObject({ total: 0, data: [] });
    await expect(client.video.get({ task_id: id })).rejects.toMatchObject({
      code: 'task_not_exist',
    });
  });
});
