import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createTasksModule } from '../../../src/core/tasks/module.ts';
import type { TaskPlatform, TaskUpdate } from '../../../src/core/tasks/task-platform.ts';
import { createTestApp } from '../../support/app.ts';

type Script = (taskId: string) => Omit<TaskUpdate, 'task'> | undefined;

const running = { status: 'IN_PROGRESS', progress: 40.7, failReason: '' } as const;
const done = { status: 'SUCCESS', progress: 0, failReason: '', data: '{"url":"x"}' } as const;
const failed = { status: 'FAILURE', progress: 0, failReason: 'no credit upstream' } as const;

async function setUp(script: Script) {
  const { app, addUser, clock, operator } = await createTestApp();
  const userId = await addUser('ann', { quota: 1000 });
  const polls: number[] = [];
  const platform: TaskPlatform = {
    id: 'suno',
    batchSize: 2,
    submit: async () => ({ taskId: 'unused', privateData: '' }),
    poll: async (tasks) => {
      polls.push(tasks.length);
      return tasks.flatMap((task) => {
        const update = script(task.taskId);
        return update === undefined ? [] : [{ task, ...update }];
      });
    },
  };
  const { storage, ledger } = app;
  const [job] =
    createTasksModule({ storage, ledger, writeLog: app.logs.write, platforms: [platform], clock, logger: silentLogger }).jobs ??
    [];
  const add = (taskId: string, quota: number, name = 'suno') =>
    storage.tasks.insert({
      userId,
      taskId,
      platform: name,
      quota: toQuota(quota),
      status: 'SUBMITTED',
      progress: '0%',
      createdAt: 1,
    });
  const poll = async () => job?.run(new AbortController().signal);
  const balance = async () => (await ledger.balance(userId)).quota;
  const find = (taskId: string) => storage.tasks.findByTaskId(taskId);
  return { app, operator, add, poll, polls, balance, find };
}

describe('polling tasks', () => {
  it('asks in batches about unfinished tasks of the platform and stores their state', async () => {
    const { add, poll, polls, find } = await setUp((id) => (id === 'b' ? done : id === 'c' ? undefined : running));
    for (const id of ['a', 'b', 'c']) await add(id, 10);
    await add('d', 10, 'ali');
    await poll();
    expect(polls).toEqual([2, 1]);
    expect(await find('a')).toMatchObject({ status: 'IN_PROGRESS', progress: '40%' });
    expect(await find('b')).toMatchObject({ status: 'SUCCESS', progress: '100%', data: '{"url":"x"}' });
    expect(await find('c')).toMatchObject({ status: 'SUBMITTED', progress: '0%' });
    await poll();
    expect(polls).toEqual([2, 1, 2]);
  });

  it('refunds a failed task once, however many polls see the failure', async () => {
    const { add, poll, balance, find, operator } = await setUp(() => failed);
    await add('a', 300);
    await Promise.all([poll(), poll(), poll()]);
    await poll();
    expect(await balance()).toBe(1300);
    expect(await find('a')).toMatchObject({ status: 'FAILURE', progress: '100%', failReason: 'no credit upstream' });
    expect((await operator.ledger.list()).items[0]).toMatchObject({ kind: 'refund', amount: 300 });
    expect((await operator.log.list({ type: 4 })).items[0]?.content).toContain('a');
  });

  it('refunds nothing for a task that cost nothing', async () => {
    const { add, poll, balance, find } = await setUp(() => failed);
    await add('a', 0);
    await poll();
    expect(await balance()).toBe(1000);
    expect(await find('a')).toMatchObject({ status: 'FAILURE', progress: '100%' });
  });

  it('keeps the tasks of a platform that cannot be reached', async () => {
    let broken = true;
    const { add, poll, find } = await setUp(() => {
      if (broken) throw new Error('unreachable');
      return done;
    });
    await add('a', 10);
    await poll();
    expect(await find('a')).toMatchObject({ status: 'SUBMITTED' });
    broken = false;
    await poll();
    expect(await find('a')).toMatchObject({ status: 'SUCCESS' });
  });
});
