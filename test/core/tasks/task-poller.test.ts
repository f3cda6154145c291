import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { NewMidjourney, NewTask } from '../../../src/core/storage/storage.ts';
import { createTaskPoller } from '../../../src/core/tasks/poll-tasks.ts';
import { factsOf } from '../../../src/core/tasks/task-record.ts';
import { type SunoUpstream, startSunoUpstream } from '../../support/suno-upstream.ts';
import { type Customer, createTaskBench, type TaskBench } from '../../support/task-bench.ts';

const hour = 3_600_000;
let bench: TaskBench;
let upstream: SunoUpstream;
let channel: number;
let customer: Customer;

beforeEach(async () => {
  [bench, upstream] = await Promise.all([createTaskBench(), startSunoUpstream()]);
  channel = await bench.addChannel(upstream.url);
  customer = await bench.addCustomer(1_000_000);
});
afterEach(async () => {
  expect(await bench.app.ledger.verify()).toMatchObject({ ok: true });
  await bench.close();
  await upstream.close();
});

const submit = async (body: object = {}): Promise<string> =>
  String((await bench.call(customer, 'POST', '/suno/submit/music', body)).body['data']);
const find = async (id: string) => bench.app.storage.tasks.findByTaskId(id);
const balance = async () => (await bench.app.ledger.balance(customer.userId)).quota;
const seconds = () => Math.floor(bench.clock.now() / 1000);
const insert = (fields: Partial<NewTask> = {}) =>
  bench.app.storage.tasks.insert({
    userId: customer.userId,
    taskId: `task_${'x'.repeat(31)}${Math.floor(Math.random() * 1e6)}`,
    platform: 'suno',
    status: 'NOT_START',
    progress: '0%',
    channelId: channel,
    createdAt: seconds(),
    submitTime: seconds(),
    ...fields,
  });
const draw = (fields: Partial<NewMidjourney> = {}) =>
  bench.app.storage.midjourneys.insert({
    userId: customer.userId,
    action: 'IMAGINE',
    submitTime: bench.clock.now(),
    status: 'SUBMITTED',
    progress: '0%',
    mjId: '17',
    channelId: channel,
    ...fields,
  });

describe('a round', () => {
  it('asks in batches, with the key that submitted, also where the channel is disabled or has another key now', async () => {
    const ids = [await submit(), await submit()];
    await bench.operator.channel.update({ id: channel, key: 'another-key', status: 2 });
    await bench.poll();
    const polls = upstream.requests.filter(({ path }) => path === '/suno/fetch');
    expect(polls).toHaveLength(1);
    expect(polls[0]?.headers.authorization).toBe('Bearer upstream-key');
    expect(polls[0]?.json['ids']).toEqual(['song-1', 'song-2']);
    for (const id of ids) expect(await find(id)).toMatchObject({ status: 'SUCCESS' });
  });

  it('fails and refunds the tasks of a channel that was deleted', async () => {
    const id = await submit();
    await bench.operator.channel.remove({ id: channel });
    await bench.poll();
    expect(await find(id)).toMatchObject({ status: 'FAILURE', quota: 0, progress: '100%' });
    expect((await find(id))?.failReason).toContain(`${channel}`);
    expect(await balance()).toBe(1_000_000);
  });

  it.each([
    ['token is disabled', () => bench.app.storage.tokens.update(customer.tokenId, { status: 2 })],
    ['token is deleted', () => bench.app.storage.tokens.softDelete(customer.tokenId, 5)],
    [
      'owner is banned',
      () => bench.operator.user.manage({ id: customer.userId, action: 'disable' }),
    ],
    ['owner has left', () => bench.operator.user.manage({ id: customer.userId, action: 'delete' })],
    ['owner is removed', () => bench.operator.user.remove({ id: customer.userId })],
  ])('ends tasks whose %s meanwhile, and refunds those that fail', async (_, change) => {
    const made = await submit();
    upstream.onSong(() => ({ fate: 'failure', polls: 1 }));
    const failed = await submit();
    await change();
    await bench.poll();
    expect(await find(made)).toMatchObject({ status: 'SUCCESS', quota: 50_000 });
    expect(await find(failed)).toMatchObject({ status: 'FAILURE', quota: 0 });
    const { items } = await bench.app.storage.ledger.page(
      { userId: customer.userId },
      { offset: 0, limit: 9 },
    );
    expect(items.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['refund', 50_000],
      ['charge', -50_000],
      ['charge', -50_000],
      ['grant', 1_000_000],
    ]);
  });

  it.each([429, 500, 404])('keeps tasks whose upstream answers %i', async (status) => {
    const id = await submit();
    upstream.pollStatus = status;
    for (let round = 0; round < 12; round++) await bench.poll();
    expect(await find(id)).toMatchObject({ status: 'SUBMITTED', quota: 50_000 });
    upstream.pollStatus = 200;
    await bench.poll();
    expect(await find(id)).toMatchObject({ status: 'SUCCESS' });
  });

  it('fails and refunds tasks whose key was refused in ten rounds in a row', async () => {
    const id = await submit();
    upstream.onSong(() => ({ fate: 'success', polls: 3 }));
    const kept = await submit();
    upstream.pollStatus = 401;
    for (let round = 0; round < 9; round++) await bench.poll();
    upstream.pollStatus = 200;
    await bench.poll();
    expect(await find(id)).toMatchObject({ status: 'SUCCESS' });
    upstream.pollStatus = 403;
    for (let round = 0; round < 9; round++) await bench.poll();
    expect(await find(kept)).toMatchObject({ status: 'IN_PROGRESS' });
    await bench.poll();
    expect(await find(kept)).toMatchObject({ status: 'FAILURE', quota: 0 });
    expect(await balance()).toBe(1_000_000 - 50_000);
  });

  it('ends the others while a task that is too old cannot be ended', async () => {
    const stuck = await submit();
    bench.clock.move(25 * hour);
    const id = await submit();
    const refund = vi.spyOn(bench.app.ledger, 'refund').mockRejectedValueOnce(new Error('refused'));
    await bench.poll();
    expect(refund).toHaveBeenCalledTimes(1);
    expect(await find(id)).toMatchObject({ status: 'SUCCESS' });
    await bench.poll();
    expect(await find(stuck)).toMatchObject({ status: 'FAILURE', quota: 0 });
  });

  it('ends the others of a deleted channel while one of them cannot be ended', async () => {
    const [stuck, id] = [await submit(), await submit()];
    await bench.operator.channel.remove({ id: channel });
    vi.spyOn(bench.app.ledger, 'refund').mockRejectedValueOnce(new Error('refused'));
    await bench.poll();
    expect(await find(id)).toMatchObject({ status: 'FAILURE', quota: 0 });
    await bench.poll();
    expect(await find(stuck)).toMatchObject({ status: 'FAILURE', quota: 0 });
  });

  it('asks for the others first where the upstream fails for one task again and again', async () => {
    const [broken = '', ...others] = [await submit(), await submit(), await submit()];
    const looked: string[] = [];
    const poll = createTaskPoller({
      storage: bench.app.storage,
      engine: bench.app.tasks.engine,
      upstreams: {
        batchSize: async () => 1,
        look: async (tasks) => {
          const [task] = tasks;
          if (task === undefined) return [];
          looked.push(factsOf(task).name);
          if (factsOf(task).name === broken) throw new Error('500');
          return [[task, { upstreamId: factsOf(task).upstreamId, status: 'SUCCESS' }]];
        },
      },
      timeoutMinutes: 0,
      clock: bench.clock,
      logger: silentLogger,
    });
    await poll(new AbortController().signal);
    expect(looked).toEqual([broken]);
    await poll(new AbortController().signal);
    expect(looked).toEqual([broken, ...others, broken]);
    for (const id of others) expect(await find(id)).toMatchObject({ status: 'SUCCESS' });
  });

  it.each([1, 4])(
    'ends the others of an outage, %i at once, though the upstream still fails for one',
    async (batchSize) => {
      const ids: string[] = [];
      for (let count = 0; count < 6; count++) ids.push(await submit());
      const [broken = ''] = ids;
      let isDown = true;
      const poll = createTaskPoller({
        storage: bench.app.storage,
        engine: bench.app.tasks.engine,
        upstreams: {
          batchSize: async () => batchSize,
          look: async (tasks) => {
            if (isDown || tasks.some((task) => factsOf(task).name === broken))
              throw new Error('500');
            return tasks.map((task) => [
              task,
              { upstreamId: factsOf(task).upstreamId, status: 'SUCCESS' },
            ]);
          },
        },
        timeoutMinutes: 0,
        clock: bench.clock,
        logger: silentLogger,
      });
      const round = () => poll(new AbortController().signal);
      for (let times = 0; times < 6; times++) await round();
      isDown = false;
      for (let times = 0; times < 6; times++) await round();
      expect(await find(broken)).toMatchObject({ status: 'SUBMITTED' });
      for (const id of ids.slice(1)) expect(await find(id)).toMatchObject({ status: 'SUCCESS' });
    },
  );

  it('is shown among the jobs', async () => {
    expect((await bench.operator.jobs.list()).map(({ name }) => name)).toContain('task-poll');
  });
});

describe('time limits', () => {
  it('end tasks that an upstream forgot after 24 hours, with a refund', async () => {
    upstream.onSong(() => ({ fate: 'vanish', polls: 1 }));
    const id = await submit();
    bench.clock.move(24 * hour - 60_000);
    await bench.poll();
    expect(await find(id)).toMatchObject({ status: 'SUBMITTED', quota: 50_000 });
    bench.clock.move(120_000);
    await bench.poll();
    expect(await find(id)).toMatchObject({
      status: 'FAILURE',
      failReason: expect.stringContaining('24 h'),
    });
    expect(await balance()).toBe(1_000_000);
  });

  it('end rows whose submit never ended after ten minutes, without a refund', async () => {
    const id = await insert();
    const drawing = await draw({ mjId: '', status: 'NOT_START' });
    bench.clock.move(9 * 60_000);
    await bench.poll();
    expect(await bench.app.storage.tasks.find(id)).toMatchObject({ status: 'NOT_START' });
    bench.clock.move(2 * 60_000);
    await bench.poll();
    expect(await bench.app.storage.tasks.find(id)).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
    });
    expect(await bench.app.storage.midjourneys.find(drawing)).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
    });
    expect(await balance()).toBe(1_000_000);
  });

  it('end drawings after an hour, refunding rows of older panels by what they say was charged', async () => {
    const id = await draw({ quota: toQuota(700) });
    await bench.poll();
    expect(await bench.app.storage.midjourneys.find(id)).toMatchObject({ status: 'SUBMITTED' });
    bench.clock.move(hour + 1000);
    await Promise.all([bench.poll(), bench.poll()]);
    expect(await bench.app.storage.midjourneys.find(id)).toMatchObject({
      status: 'FAILURE',
      progress: '100%',
      quota: 0,
    });
    expect(await balance()).toBe(1_000_700);
  });
});

describe('a report', () => {
  const record = async (id: string) => ({
    table: 'tasks' as const,
    row: (await find(id)) as NonNullable<Awaited<ReturnType<typeof find>>>,
  });

  it('of a task that the upstream does not know ends it when it came three times', async () => {
    const id = await submit();
    const { engine } = bench.app.tasks;
    const lost = { upstreamId: 'song-1', status: 'LOST' as const };
    for (let times = 0; times < 2; times++)
      expect(await engine.apply(await record(id), lost)).toBe(true);
    expect(await find(id)).toMatchObject({ status: 'SUBMITTED' });
    expect(await engine.apply(await record(id), lost)).toBe(true);
    expect(await find(id)).toMatchObject({ status: 'FAILURE', quota: 0 });
  });

  it('that is late, repeated or read from an old row changes nothing', async () => {
    const id = await submit();
    const { engine } = bench.app.tasks;
    const before = await record(id);
    expect(
      await engine.apply(before, { upstreamId: 'song-1', status: 'IN_PROGRESS', progress: 140.5 }),
    ).toBe(true);
    expect(await find(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '99%' });
    expect(
      await engine.apply(before, { upstreamId: 'song-1', status: 'FAILURE', failReason: 'late' }),
    ).toBe(false);
    expect(
      await engine.apply(await record(id), {
        upstreamId: 'song-1',
        status: 'IN_PROGRESS',
        progress: 99,
      }),
    ).toBe(false);
    await engine.apply(await record(id), { upstreamId: 'song-1', status: 'QUEUED', progress: 50 });
    expect(await find(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '50%' });
    expect(
      await engine.apply(await record(id), {
        upstreamId: 'song-1',
        status: 'SUCCESS',
        data: { a: 1 },
      }),
    ).toBe(true);
    const failure = { upstreamId: 'song-1', status: 'FAILURE' as const, failReason: 'after all' };
    expect(await engine.apply(await record(id), failure)).toBe(false);
    expect(await find(id)).toMatchObject({
      status: 'SUCCESS',
      progress: '100%',
      data: '{"a":1}',
      quota: 50_000,
    });
  });

  it('that names no percentage does not take one back', async () => {
    const id = await submit();
    const { engine } = bench.app.tasks;
    const upstreamId = 'song-1';
    await engine.apply(await record(id), { upstreamId, status: 'IN_PROGRESS', progress: 80 });
    for (const status of ['IN_PROGRESS', undefined] as const)
      await engine.apply(await record(id), {
        upstreamId,
        ...(status && { status }),
        data: { status: `${status}` },
      });
    expect(await find(id)).toMatchObject({ data: '{"status":"undefined"}', progress: '80%' });
  });

  it.each([
    ['long before the order', -8 * hour],
    ['in the future', 24 * hour],
    ['in another unit', -400_000 * hour],
  ])('ends a task now where the upstream’s end is %s', async (_, offset) => {
    const { engine } = bench.app.tasks;
    for (const status of ['SUCCESS', 'FAILURE'] as const) {
      const id = await submit();
      const { row } = await record(id);
      bench.clock.move(60_000);
      const finishTime = bench.clock.now() + offset;
      await engine.apply({ table: 'tasks', row }, { upstreamId: 'song-1', status, finishTime });
      expect(await find(id)).toMatchObject({ status, finishTime: seconds() });
    }
    const id = await submit();
    const finishTime = bench.clock.now() + 60_000;
    await engine.apply(await record(id), { upstreamId: 'song-1', status: 'SUCCESS', finishTime });
    expect((await find(id))?.finishTime).toBe(seconds() + 60);
  });

  it('of a failure gives a used-up token its money and its life back', async () => {
    customer = await bench.addCustomer(1_000_000, { unlimited_quota: false, remain_quota: 50_000 });
    upstream.onSong(() => ({ fate: 'failure', polls: 1 }));
    await submit();
    expect((await bench.call(customer, 'POST', '/suno/submit/music', {})).status).toBe(401);
    const status = async () => (await bench.app.storage.tokens.find(customer.tokenId))?.status;
    await expect.poll(status).toBe(4);
    await bench.poll();
    expect(await status()).toBe(1);
    expect((await bench.call(customer, 'POST', '/suno/submit/music', {})).status).toBe(200);
  });

  it('of a failure does not show the channel’s key or address', async () => {
    upstream.onSong(() => ({ fate: 'failure', polls: 1 }));
    upstream.hint = ` (upstream-key at ${upstream.url})`;
    const id = await submit();
    await bench.poll();
    expect((await find(id))?.failReason).toBe('copyrighted lyrics (*** at ***');
  });

  it('of a failure refunds an account that was deleted meanwhile as it was charged', async () => {
    upstream.onSong(() => ({ fate: 'failure', polls: 1 }));
    const id = await submit();
    await bench.operator.user.remove({ id: customer.userId });
    await bench.poll();
    expect(await find(id)).toMatchObject({ status: 'FAILURE', quota: 0 });
  });
});

describe('a read', () => {
  it('looks an unfinished task up, at most once in five seconds', async () => {
    upstream.onSong(() => ({ fate: 'success', polls: 2 }));
    const id = await submit();
    const { engine } = bench.app.tasks;
    const read = async () => {
      const row = await find(id);
      if (row === null) throw new Error('no row');
      return (await engine.refresh({ table: 'tasks', row })).row.status;
    };
    expect(await read()).toBe('IN_PROGRESS');
    expect(await read()).toBe('IN_PROGRESS');
    bench.clock.move(5000);
    upstream.pollStatus = 500;
    expect(await read()).toBe('IN_PROGRESS');
    bench.clock.move(5000);
    upstream.pollStatus = 200;
    expect(await read()).toBe('SUCCESS');
    bench.clock.move(5000);
    expect(await read()).toBe('SUCCESS');
    expect(upstream.requests.filter(({ path }) => path === '/suno/fetch')).toHaveLength(3);
  });
});
