import OpenAI, { toFile } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { videoBytes } from '../../../../support/dashscope-videos.ts';
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
let openAi: OpenAI;
const day = 86_400_000;

async function start(environment: Record<string, string> = {}): Promise<void> {
  bench = await createVideoBench(environment);
  openAi = new OpenAI({ apiKey: bench.customer.key, baseURL: `${bench.url}/v1`, maxRetries: 0 });
}
beforeEach(() => start());
afterEach(async () => {
  expect(await bench.app.ledger.verify()).toMatchObject({ ok: true });
  await bench.close();
});

const made = async (fields: object = {}) => {
  const { body } = await bench.order(fields);
  await bench.poll();
  return String(body['task_id']);
};
const content = (id: string, headers: Record<string, string> = {}, key = bench.customer.key) =>
  fetch(`${bench.url}/v1/videos/${id}/content`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
const errorOf = async (reply: Response) => [
  reply.status,
  ((await reply.json()) as { error: { code: string } }).error.code,
];

describe('the official client', () => {
  it('orders, reads and downloads', async () => {
    bench.upstream.script({ polls: ['RUNNING', 'SUCCEEDED'] });
    const ordered = await openAi.videos.create({
      model: t2v,
      prompt: 'a cat runs',
      size: '1280x720',
      seconds: '5' as '4',
    });
    expect(ordered).toMatchObject({
      object: 'video',
      status: 'queued',
      progress: 20,
      model: t2v,
      size: '1280x720',
      seconds: '5',
    });
    expect(await openAi.videos.retrieve(ordered.id)).toMatchObject({
      status: 'in_progress',
      progress: 30,
      completed_at: null,
    });
    await bench.poll();
    expect(await openAi.videos.retrieve(ordered.id)).toMatchObject({
      status: 'completed',
      progress: 100,
      completed_at: expect.any(Number),
      error: null,
      prompt: 'a cat runs',
    });
    const file = await openAi.videos.downloadContent(ordered.id);
    expect(file.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await file.arrayBuffer()).equals(videoBytes)).toBe(true);
    expect(await bench.figures()).toEqual(chargedVideo());
  });

  it('sends an image as a file, or its address', async () => {
    const file = await toFile(makePng({ width: 300, height: 240 }), 'cat.png', {
      type: 'image/png',
    });
    await openAi.videos.create({ model: i2v, prompt: '', input_reference: file });
    expect(bench.upstream.submits[0]?.body.input['img_url']).toMatch(/^data:image\/png;base64,/);
    const address = 'https://images.example/cat.png';
    await openAi.videos.create({
      model: i2v,
      prompt: 'it waves',
      input_reference: { image_url: address },
    });
    expect(bench.upstream.submits[1]?.body.input).toEqual({ prompt: 'it waves', img_url: address });
  });

  it('reads what went wrong', async () => {
    const poor = await bench.addCustomer(1000);
    const client = new OpenAI({ apiKey: poor.key, baseURL: `${bench.url}/v1`, maxRetries: 0 });
    await expect(client.videos.create({ model: t2v, prompt: 'a cat' })).rejects.toMatchObject({
      status: 403,
      code: 'quota_not_enough',
    });
    await expect(
      openAi.videos.create({ model: t2v, prompt: 'a cat', size: '1024x1792' }),
    ).rejects.toThrow(/size must be one of/);
    await expect(openAi.videos.retrieve('task_unknown')).rejects.toMatchObject({
      status: 400,
      code: 'task_not_exist',
    });
  });
});

describe('the result', () => {
  it('is sent in parts, with nothing of its address', async () => {
    const id = await made();
    const part = await content(id, { range: 'bytes=4-11' });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 4-11/${videoBytes.length}`,
    ]);
    expect(await part.text()).toBe('ftypmp42');
    expect(part.headers.get('x-content-type-options')).toBe('nosniff');
    expect(JSON.stringify((await bench.read(id)).body)).not.toContain('Expires');
  });

  it('is refused before it is there, and of other variants', async () => {
    bench.upstream.script({ polls: ['RUNNING'] });
    const id = await made();
    expect(await errorOf(await content(id))).toEqual([400, 'result_not_ready']);
    await expect(openAi.videos.downloadContent(id, { variant: 'thumbnail' })).rejects.toMatchObject(
      { code: 'invalid_request' },
    );
  });

  it('ends after a day where no copy is kept', async () => {
    const id = await made();
    bench.clock.move(day);
    expect((await content(id)).status).toBe(200);
    bench.clock.move(120_000);
    expect(await errorOf(await content(id))).toEqual([410, 'result_gone']);
    expect((await (await bench.consoleOf()).video.get({ task_id: id })).video_url).toBe('');
  });

  it('outlives its upstream where copies are kept', async () => {
    await bench.close();
    await start({ STORE_TASK_RESULTS: 'true' });
    const id = await made();
    await bench.storeResults();
    await bench.upstream.close();
    bench.clock.move(3 * day);
    const part = await content(id, { range: 'bytes=4-11' });
    expect([part.status, await part.text()]).toEqual([206, 'ftypmp42']);
  });

  it.each(['http://127.0.0.2:9/v.mp4', 'http://169.254.169.254/v.mp4', 'file:///etc/passwd'])(
    'at %s is not fetched',
    async (videoUrl) => {
      bench.upstream.script({ videoUrl });
      const id = await made();
      const [status, code] = await errorOf(await content(id));
      expect([status, code]).toEqual([400, 'address_not_allowed']);
    },
  );
});

describe('the console', () => {
  const order = async (body: object, headers?: Record<string, string>) => {
    const reply = await fetch(`${bench.url}/pg/videos/generations`, {
      method: 'POST',
      headers: headers ?? (await bench.signIn()),
      body: JSON.stringify({ model: t2v, prompt: 'a cat', ...body }),
    });
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  };

  it('orders a video that is charged to the user alone, and lists it', async () => {
    const { status, body } = await order({ size: '960*960', group: 'vip' });
    const state = {
      task_id: expect.stringMatching(/^task_/),
      task_status: 'QUEUED',
      status: 'QUEUED',
      created_at: expect.any(Number),
    };
    expect([status, body]).toEqual([200, { success: true, message: '', data: state, ...state }]);
    expect(await bench.figures()).toEqual({ ...chargedVideo(), remain: 500_000, tokenUsed: 0 });
    expect((await bench.operator.log.list({ type: 2 })).items[0]).toMatchObject({
      token_name: 'playground-vip',
      quota: videoPrice,
    });
    const input = {
      model: t2v,
      prompt: 'a cat',
      size: '960*960',
      resolution: '720P',
      duration: 5,
      group: 'vip',
    };
    const client = await bench.consoleOf();
    expect(await client.video.list({ pageSize: 500 })).toMatchObject({
      data: [
        {
          task_id: body['task_id'],
          status: 'QUEUED',
          task_status: 'QUEUED',
          progress: '20%',
          created_at: expect.any(Number),
          finish_time: 0,
          fail_reason: '',
          video_url: '',
          input,
        },
      ],
      total: 1,
      pageNum: 1,
      pageSize: 50,
    });
  });

  it('shows the result by a link that lasts an hour and cannot be made up', async () => {
    const { body } = await order({});
    const id = String(body['task_id']);
    const read = async () => (await bench.consoleOf()).video.get({ task_id: id });
    const found = await read();
    expect(found).toMatchObject({
      status: 'SUCCESS',
      task_status: 'SUCCESS',
      output: { task_id: id, video_url: found.video_url },
    });
    const path = found.video_url.slice(found.video_url.indexOf('/pg/'));
    const open = async (changed = path, headers: Record<string, string> = {}) =>
      fetch(bench.url + changed, { headers });
    expect(await (await open(path, { range: 'bytes=4-11' })).text()).toBe('ftypmp42');
    expect((await fetch(bench.url + path, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(videoBytes.length),
    );
    for (const forged of [
      path.replace(/exp=\d/, 'exp=9'),
      path.replace(/sig=../, 'sig=00'),
      path.replace(id, `${id}x`),
    ])
      expect(await errorOf(await open(forged))).toEqual([403, 'result_link_invalid']);
    bench.clock.move(2 * 3_600_000);
    expect(await errorOf(await open())).toEqual([403, 'result_link_invalid']);
    expect((await open(path.split('?')[0], await bench.signIn())).status).toBe(200);
    expect((await open(path.split('?')[0])).status).toBe(401);
  });

  it('refuses tokens, groups of others, and requests without a model', async () => {
    const byToken = await order(
      {},
      { authorization: `Bearer ${bench.customer.key}`, 'content-type': 'application/json' },
    );
    expect(byToken).toMatchObject({
      status: 400,
      body: { error: { code: 'access_token_not_supported' } },
    });
    expect(await order({ group: 'secret' })).toMatchObject({
      status: 403,
      body: { error: { code: 'group_not_allowed' } },
    });
    expect(await order({ model: '' })).toMatchObject({
      status: 400,
      body: { error: { code: 'model_required' } },
    });
    expect(await order({ model: 'none' })).toMatchObject({
      status: 500,
      body: { error: { code: 'get_playground_channel_failed' } },
    });
    expect(await order({ prompt: '' })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    });
  });

  it('never takes an upstream’s 401 for its own', async () => {
    bench.upstream.script({ submit: { status: 401, code: 'InvalidApiKey' } });
    expect(await order({})).toMatchObject({
      status: 502,
      body: { error: { code: 'upstream_unauthorized' } },
    });
  });

  it('a login of the console is no token', async () => {
    const reply = await fetch(`${bench.url}/v1/videos`, {
      method: 'POST',
      headers: await bench.signIn(),
      body: '{}',
    });
    expect(reply.status).toBe(401);
  });
});
