import { describe, expect, it } from 'vitest';
import { drawn, startDrawingBench, submitted } from './bench.ts';

describe('a task', () => {
  it('is shown as clients of midjourney-proxy read it', async () => {
    const bench = await startDrawingBench();
    const id = await submitted(bench, { prompt: 'cat', state: 's1' });
    expect((await bench.get(`/mj/task/${id}/fetch`)).body).toEqual({
      id,
      action: 'IMAGINE',
      customId: '',
      botType: '',
      prompt: 'cat',
      promptEn: '',
      description: 'Success',
      state: 's1',
      submitTime: bench.clock.now(),
      startTime: 0,
      finishTime: 0,
      imageUrl: '',
      status: 'SUBMITTED',
      progress: '0%',
      failReason: '',
      buttons: [],
      maskBase64: '',
      properties: {},
    });
    const buttons = [
      { customId: 'MJ::JOB::upsample::1::h', emoji: '', label: 'U1', type: 2, style: 2 },
    ];
    const properties = { finalPrompt: 'Cat', finalZhPrompt: '' };
    const times = { startTime: bench.clock.now() - 500, finishTime: bench.clock.now() };
    bench.proxy.report(id, {
      status: 'SUCCESS',
      progress: '100%',
      promptEn: 'Cat',
      description: '/imagine cat',
      buttons,
      properties,
      ...times,
      imageUrl: 'https://images.example/1.png',
    });
    await bench.poll();
    for (const path of [`/mj/task/${id}/fetch`, `/mj-fast/mj/task/${id}/fetch`])
      expect((await bench.get(path)).body).toMatchObject({
        status: 'SUCCESS',
        progress: '100%',
        promptEn: 'Cat',
        description: '/imagine cat',
        buttons,
        properties,
        ...times,
        imageUrl: expect.stringMatching(new RegExp(`/mj/image/${id}\\?sig=[0-9a-f]{64}$`)),
      });
  });

  it('is nobody else’s, nor known to anybody without a key', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    const other = await bench.addCustomer();
    const again = await bench.addCustomer(1000, { user: undefined });
    for (const { key } of [other, again]) {
      const reply = await bench.get(`/mj/task/${id}/fetch`, key);
      expect([reply.status, reply.body]).toEqual([
        400,
        { description: 'task_no_found', type: 'upstream_error', code: 4 },
      ]);
      expect((await bench.post('/mj/task/list-by-condition', { ids: [id] }, key)).body).toEqual([]);
      expect((await bench.get(`/mj/task/${id}/image-seed`, key)).body).toMatchObject({
        description: 'task_no_found',
      });
    }
    expect((await bench.get(`/mj/task/${id}/fetch`, null)).status).toBe(401);
    expect(bench.proxy.requests.filter(({ path }) => path.endsWith('image-seed'))).toEqual([]);
  });
});

it('a list has the tasks in the order of their ids, those of the caller', async () => {
  const bench = await startDrawingBench();
  const [first, second] = [await submitted(bench), await submitted(bench)];
  const list = async (body: unknown) => {
    const reply = await bench.post<{ id: string }[]>('/mj/task/list-by-condition', body);
    return [reply.status, reply.body.map(({ id }) => id)];
  };
  expect(await list({ ids: [second, 'unknown', first, second] })).toEqual([200, [second, first]]);
  for (const body of [{}, { ids: [] }, { ids: 'x' }]) expect(await list(body)).toEqual([200, []]);
  expect((await bench.post('/mj/task/list-by-condition', '7')).body).toMatchObject({
    code: 4,
    description: expect.stringMatching(/^bind_request_body_failed/),
  });
});

describe('the seed', () => {
  it('is asked of the channel that drew the image', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    await bench.addChannel({ base_url: 'http://127.0.0.1:1', priority: 100 });
    expect((await bench.get(`/mj/task/${id}/image-seed`)).body).toEqual({
      code: 1,
      description: 'success',
      result: '4242424242',
    });
    const sent = bench.proxy.requests.at(-1);
    expect(sent).toMatchObject({ method: 'GET', path: `/mj/task/${id}/image-seed` });
    expect(sent?.headers['mj-api-secret']).toBe('proxy-secret');
  });

  it('that the proxy cannot tell is an error of the proxy', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    bench.proxy.failReads(503);
    const reply = await bench.get(`/mj/task/${id}/image-seed`);
    expect([reply.status, reply.body]).toEqual([
      503,
      { description: 'bad response status code 503', type: 'upstream_error', code: 4 },
    ]);
  });

  it('is asked with the key that drew the image, where the channel has several', async () => {
    const bench = await startDrawingBench();
    await bench.operator.channel.update({
      id: bench.channelId,
      key: 'first-secret\nsecond-secret',
    });
    for (let count = 0; count < 6; count += 1) {
      const id = await drawn(bench);
      await bench.get(`/mj/task/${id}/image-seed`);
      const [submit, seed] = [bench.proxy.submits().at(-1), bench.proxy.requests.at(-1)];
      expect(seed?.headers['mj-api-secret']).toBe(submit?.headers['mj-api-secret']);
    }
  });

  it('of a task whose channel is switched off is refused', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    await bench.operator.channel.update({ id: bench.channelId, status: 2 });
    const reply = await bench.get(`/mj/task/${id}/image-seed`);
    expect([reply.status, reply.body]).toMatchObject([
      400,
      { code: 4, description: 'get_channel_info_failed' },
    ]);
  });
});
