/** The options of drawings. */
import { describe, expect, it } from 'vitest';
import { drawn, startDrawingBench, submitted } from './bench.ts';

describe('submits', () => {
  it('are refused while drawing is switched off; tasks under way end and can be read (DrawingEnabled)', async () => {
    const bench = await startDrawingBench();
    const id = await submitted(bench);
    await bench.set('DrawingEnabled', false);
    const reply = await bench.post('/mj/submit/imagine', { prompt: 'cat' });
    expect([reply.status, reply.body.code, reply.body.type]).toEqual([403, 4, 'upstream_error']);
    expect(reply.body.description).toMatch(/switched off/);
    bench.proxy.report(id, { status: 'FAILURE', failReason: 'no' });
    await bench.poll();
    expect((await bench.get(`/mj/task/${id}/fetch`)).body).toMatchObject({ status: 'FAILURE' });
    expect((await bench.balance()).quota).toBe(1_000_000);
    expect(bench.proxy.submits()).toHaveLength(1);
  });

  it('notifyHook goes to the proxy only where MjNotifyEnabled lets it, and never inside', async () => {
    const bench = await startDrawingBench();
    const body = { prompt: 'cat', notifyHook: 'https://client.example:9000/hook' };
    await submitted(bench, body);
    await bench.set('MjNotifyEnabled', true);
    await submitted(bench, body);
    await submitted(bench, { ...body, notifyHook: '' });
    expect(bench.proxy.submits().map(({ body }) => body['notifyHook'])).toEqual([
      undefined,
      body.notifyHook,
      undefined,
    ]);
    for (const notifyHook of [
      'http://127.0.0.1/hook',
      'http://169.254.169.254/',
      'file:///etc/passwd',
      'hook',
      7,
    ]) {
      const reply = await bench.post('/mj/submit/imagine', { prompt: 'cat', notifyHook });
      expect([reply.status, reply.body.description]).toEqual([400, 'notify_hook_not_allowed']);
    }
    expect(bench.proxy.submits()).toHaveLength(3);
  });

  it('accountFilter goes to the proxy only where MjAccountFilterEnabled lets it', async () => {
    const bench = await startDrawingBench();
    const body = { prompt: 'cat', accountFilter: { modes: ['FAST'] } };
    await submitted(bench, body);
    await bench.set('MjAccountFilterEnabled', true);
    await submitted(bench, body);
    expect(bench.proxy.submits().map(({ body }) => body)).toEqual([{ prompt: 'cat' }, body]);
  });

  it('flags of speed are taken out of prompts where MjModeClearEnabled is on', async () => {
    const bench = await startDrawingBench();
    const prompt = 'a cat --fast --ar 16:9 --relax';
    await submitted(bench, { prompt });
    await bench.set('MjModeClearEnabled', true);
    await submitted(bench, { prompt });
    expect(bench.proxy.submits().map(({ body }) => body['prompt'])).toEqual([
      prompt,
      'a cat --ar 16:9',
    ]);
  });

  it('only finished tasks are continued, unless MjActionCheckSuccessEnabled is off; windows always', async () => {
    const bench = await startDrawingBench();
    const taskId = await submitted(bench);
    const change = { taskId, action: 'UPSCALE', index: 1 };
    expect((await bench.post('/mj/submit/change', change)).body).toMatchObject({
      code: 4,
      description: 'task_status_not_success',
    });
    await submitted(bench, { taskId, prompt: 'dog' }, '/mj/submit/modal');
    await bench.set('MjActionCheckSuccessEnabled', false);
    await submitted(bench, change, '/mj/submit/change');
  });

  it('in a mode are charged as that mode where a channel offers it', async () => {
    const bench = await startDrawingBench();
    await bench.addChannel({ models: 'mj_relax_imagine', setting: '{"mj_mode":"path"}' });
    await bench.operator.option.set({
      key: 'ModelPrice',
      value: '{"mj_relax_imagine":0.02,"mj_imagine":0.1}',
    });
    await submitted(bench, undefined, '/mj-relax/mj/submit/imagine');
    await submitted(bench, undefined, '/mj-turbo/mj/submit/imagine');
    expect((await bench.rows()).map(({ quota }) => quota)).toEqual([10_000, 50_000]);
    expect(bench.proxy.submits().map(({ path }) => path)).toEqual([
      '/mj-relax/mj/submit/imagine',
      '/mj/submit/imagine',
    ]);
  });
});

describe('reads', () => {
  it('addresses of images lead through the gateway where MjForwardUrlEnabled is on', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    const waiting = await submitted(bench);
    const address = async (task: string) =>
      (await bench.get(`/mj/task/${task}/fetch`)).body['imageUrl'];
    const signed = (site: string, more = '') =>
      expect.stringMatching(`^${site}/mj/image/\\d+\\?sig=[0-9a-f]{64}${more}$`);
    expect(await address(id)).toEqual(signed(bench.url));
    await bench.set('ServerAddress', 'https://gateway.example');
    expect([await address(id), await address(waiting)]).toEqual([
      signed('https://gateway.example'),
      '',
    ]);
    bench.proxy.report(waiting, {
      status: 'IN_PROGRESS',
      progress: '50%',
      imageUrl: 'https://images.example/half.png',
    });
    await bench.poll();
    expect(await address(waiting)).toEqual(signed('https://gateway.example', '&rand=\\d+'));
    await bench.set('MjForwardUrlEnabled', false);
    expect(await address(id)).toBe(`${bench.proxy.url}/images/${id}.png`);
  });
});
