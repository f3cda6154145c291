/**
 * How drawings end: by reports, by time, and with their channel. Each failure gives back what was
 * charged, once.
 */
import { describe, expect, it } from 'vitest';
import { type DrawingBench, startDrawingBench, submitted } from './bench.ts';

const start = { quota: 1_000_000, used: 0, remain: 900_000, tokenUsed: 0 };
const minutes = 60_000;

/** Everything is as it was before the task was charged, and says why. */
async function expectRefunded(bench: DrawingBench, failReason: unknown): Promise<void> {
  expect(await bench.rows()).toMatchObject([
    { status: 'FAILURE', progress: '100%', quota: 0, failReason, finishTime: bench.clock.now() },
  ]);
  expect(await bench.balance()).toEqual(start);
  expect(await bench.channelUsed()).toBe(0);
  const refunds = await bench.app.storage.logs.page({ type: 4 }, { offset: 0, limit: 10 });
  expect(refunds.items.filter(({ quota }) => quota === 50_000)).toHaveLength(1);
  expect((await bench.operator.ledger.verify({})).ok).toBe(true);
}

describe('a failure', () => {
  it.each([
    ['with its status', { status: 'FAILURE', progress: '100%', failReason: 'banned' }, 'banned'],
    [
      'with a reason only',
      { status: 'IN_PROGRESS', progress: '31%', failReason: 'banned' },
      'banned',
    ],
    ['without a reason', { status: 'FAILURE', progress: '' }, expect.any(String)],
    ['that was cancelled', { status: 'CANCEL', progress: '31%' }, expect.any(String)],
  ])('%s is refunded once, however often it is reported', async (_name, state, reason) => {
    const bench = await startDrawingBench();
    const id = await submitted(bench);
    bench.proxy.repeatReports();
    bench.proxy.report(id, state);
    await Promise.all([bench.poll(), bench.poll()]);
    await bench.poll();
    await expectRefunded(bench, reason);
  });
});

describe('time', () => {
  it('ends what the proxy still lists after an hour', async () => {
    const bench = await startDrawingBench();
    const id = await submitted(bench);
    bench.proxy.report(id, { status: 'IN_PROGRESS', progress: '95%' });
    bench.clock.move(59 * minutes);
    await bench.poll();
    expect(await bench.rows()).toMatchObject([{ status: 'IN_PROGRESS', progress: '95%' }]);
    bench.clock.move(2 * minutes);
    await bench.poll();
    await bench.poll();
    await expectRefunded(bench, expect.stringMatching(/1/));
  });

  it('ends what the proxy has forgotten, and what it cannot be asked about', async () => {
    for (const forgets of [true, false]) {
      const bench = await startDrawingBench();
      const id = await submitted(bench);
      if (forgets) bench.proxy.forget(id);
      else bench.proxy.failReads(502);
      await bench.poll();
      expect(await bench.rows()).toMatchObject([{ status: 'SUBMITTED', quota: 50_000 }]);
      bench.clock.move(61 * minutes);
      await bench.poll();
      await expectRefunded(bench, expect.any(String));
    }
  });

  it('does not end a task that succeeded', async () => {
    const bench = await startDrawingBench();
    const id = await submitted(bench);
    bench.proxy.report(id, { status: 'SUCCESS', progress: '100%' });
    await bench.poll();
    bench.clock.move(90 * minutes);
    await bench.poll();
    expect(await bench.rows()).toMatchObject([{ status: 'SUCCESS', quota: 50_000 }]);
  });
});

describe('the channel of a task', () => {
  it('is polled although it is switched off', async () => {
    const bench = await startDrawingBench();
    const id = await submitted(bench);
    await bench.operator.channel.update({ id: bench.channelId, status: 2 });
    bench.proxy.report(id, { status: 'SUCCESS', progress: '100%' });
    await bench.poll();
    expect(await bench.rows()).toMatchObject([{ status: 'SUCCESS', quota: 50_000 }]);
  });

  it('that is deleted fails the task', async () => {
    const bench = await startDrawingBench();
    await submitted(bench);
    await bench.operator.channel.remove({ id: bench.channelId });
    await bench.poll();
    const [row] = await bench.rows();
    expect(row).toMatchObject({ status: 'FAILURE', progress: '100%', quota: 0 });
    expect(await bench.balance()).toEqual(start);
  });
});

it('many tasks are asked for by the hundred', async () => {
  const bench = await startDrawingBench();
  for (let count = 0; count < 3; count += 1) await submitted(bench);
  const [first] = await bench.rows();
  if (first === undefined) throw new Error('no row');
  const { id: _id, ...row } = first;
  for (let count = 0; count < 102; count += 1)
    await bench.app.storage.midjourneys.insert({ ...row, mjId: `x${count}`, quota: 0 as never });
  await bench.poll();
  const lists = bench.proxy.requests.filter(({ path }) => path === '/mj/task/list-by-condition');
  expect(lists.map(({ body }) => (body['ids'] as string[]).length)).toEqual([100, 5]);
});
