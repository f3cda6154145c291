/** Orders that continue a task: whose it is, how far it is, and which channel gets them. */
import { describe, expect, it } from 'vitest';
import { startMidjourneyProxy } from '../../../../support/midjourney-proxy.ts';
import { type DrawingBench, drawn, startDrawingBench, submitted } from './bench.ts';

/** All ways to continue a task, with the action that each is charged for. */
const continuations = (taskId: string) =>
  [
    ['/mj/submit/change', { taskId, action: 'UPSCALE', index: 2 }, 'UPSCALE'],
    ['/mj/submit/change', { taskId, action: 'REROLL' }, 'REROLL'],
    ['/mj/submit/simple-change', { content: `${taskId} V3` }, 'VARIATION'],
    ['/mj/submit/action', { taskId, customId: 'MJ::JOB::pan_left::1::h' }, 'PAN'],
    ['/mj/submit/action', { taskId, customId: 'MJ::JOB::high_variation::1::h' }, 'HIGH_VARIATION'],
    ['/mj/submit/video', { taskId, action: 'extend', index: 1 }, 'VIDEO'],
  ] as const;

async function refusal(
  bench: DrawingBench,
  path: string,
  body: object,
  key?: string,
): Promise<unknown> {
  const reply = await bench.post(path, body, key);
  return [reply.status, reply.body.code, reply.body.description];
}

it('go to the channel that did the work, with its key, and are charged and logged there', async () => {
  const bench = await startDrawingBench();
  const id = await drawn(bench);
  const preferred = await startMidjourneyProxy();
  await bench.addChannel({ base_url: preferred.url, priority: 100 });
  for (const [path, body, action] of continuations(id)) {
    await submitted(bench, body, path);
    const last = (await bench.rows()).at(-1);
    expect(last).toMatchObject({ action, channelId: bench.channelId, prompt: 'cat' });
    expect(bench.proxy.submits().at(-1)).toMatchObject({ path, body });
    const [log] = (await bench.app.storage.logs.page({ type: 2 }, { offset: 0, limit: 1 })).items;
    expect(log).toMatchObject({ channelId: bench.channelId, quota: last?.quota });
  }
  expect(preferred.requests).toEqual([]);
});

describe('are refused', () => {
  it('for tasks that are unknown or somebody else’s', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    const other = await bench.addCustomer();
    for (const [path, body] of continuations(id))
      expect(await refusal(bench, path, body, other.key)).toEqual([400, 4, 'task_not_found']);
    for (const [path, body] of continuations('404'))
      expect(await refusal(bench, path, body)).toEqual([400, 4, 'task_not_found']);
    expect(await refusal(bench, '/mj/submit/modal', { taskId: id }, other.key)).toEqual([
      400,
      4,
      'task_not_found',
    ]);
    expect(bench.proxy.submits()).toHaveLength(1);
    expect((await bench.balance(other)).quota).toBe(1_000_000);
  });

  it('with a second name for a field, which proxies in Go or C# would read instead', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    const victim = await drawn(bench);
    const other = await bench.addCustomer();
    const window = 'MJ::Inpaint::1::h';
    for (const [path, body, second] of [
      ['/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 2 }, { TaskId: victim }],
      ['/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 2 }, { ta\u017fkId: victim }],
      ['/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 2 }, { tas\u212aId: victim }],
      ['/mj/submit/video', { prompt: 'cat' }, { taskID: victim, action: 'extend', index: 1 }],
      // A window costs nothing, its order would.
      [
        '/mj/submit/action',
        { taskId: id, customId: window },
        { CustomId: 'MJ::JOB::reroll::0::h' },
      ],
      ['/mj/submit/imagine', { prompt: 'cat' }, { NotifyHook: 'http://127.0.0.1/hook' }],
      ['/mj/submit/imagine', { prompt: 'cat' }, { accountfilter: { modes: ['FAST'] } }],
    ] as const) {
      const [name = ''] = Object.keys(second);
      const reply = await bench.post(path, { ...body, ...second }, other.key);
      expect([name, reply.status, reply.body.code]).toEqual([name, 400, 4]);
      expect(reply.body.description).toContain(`${name} is written`);
    }
    expect(bench.proxy.submits()).toHaveLength(2);
    expect((await bench.balance(other)).quota).toBe(1_000_000);
  });

  it('while the channel of the task is switched off, even if another one could', async () => {
    const bench = await startDrawingBench();
    const id = await drawn(bench);
    await bench.addChannel();
    await bench.operator.channel.update({ id: bench.channelId, status: 2 });
    for (const [path, body] of continuations(id)) {
      const reply = await bench.post(path, body);
      expect([reply.status, reply.body.code]).toEqual([400, 4]);
      expect(reply.body.description).toMatch(/^get_channel_info_failed/);
    }
    expect(bench.proxy.submits()).toHaveLength(1);
    expect(await bench.rows()).toHaveLength(1);
  });
});
