// Covers src/core/tasks/images src/core/tasks/remove-work.ts src/core/files/results/keep-images.ts
/** Orders of images as tasks: what is kept, how much, and how it goes (docs/rules/tasks.md#images). */
import { expect, test } from 'vitest';
import type { Quota } from '../../../src/core/kernel/quota.ts';
import { createFilesApp } from './files-app.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n and what follows', 'latin1');

async function setUp() {
  const created = await createFilesApp();
  const ann = await created.addUser('ann');
  const add = (images: readonly Buffer[] = [png]) =>
    created.app.tasks.images.add({
      userId: ann,
      channelId: 1,
      model: 'dall-e-3',
      group: 'default',
      key: 'k',
      images,
      quota: 7 as Quota,
      startedAt: created.clock.now(),
      input: { prompt: 'a gate' },
    });
  const tasks = async () => (await created.app.storage.tasks.page({ userId: ann }, all)).items;
  return { ...created, ann, add, tasks };
}
const pathOf = (n: number) => `results/2026/11/${String(n).padStart(32, '0')}.png`;
const all = { offset: 0, limit: 1000 };

test('an order is over when it begins to exist: no poll and no failure touches it or its money', async () => {
  const { app, add, tasks, clock, ann } = await setUp();
  await add();
  const [before] = await tasks();
  if (before === undefined) throw new Error('no task');
  clock.move(3 * 86_400_000);
  await app.tasks.poll(new AbortController().signal);
  expect(await app.tasks.engine.fail({ table: 'tasks', row: before }, 'timed_out')).toBe(false);
  expect(await tasks()).toEqual([before]);
  expect(before).toMatchObject({ status: 'SUCCESS', progress: '100%', quota: 7 });
  const { items } = await app.storage.ledger.page({ userId: ann }, all);
  expect(items.filter(({ kind }) => kind === 'refund')).toEqual([]);
});

test('what is no image is not kept, and the order is there all the same', async () => {
  const { app, add, tasks, stored, ann } = await setUp();
  await add([Buffer.from('<svg onload="alert(1)"/>'), png]);
  expect([(await tasks()).length, stored().length]).toEqual([1, 1]);
  const [kept] = await app.storage.taskResults.listImages(ann, 0);
  expect(kept?.number).toBe(2);
});

test('beyond the bounds the oldest go; with the account all of them', async () => {
  const { app, add, ann, stored, run, operator } = await setUp();
  const { taskResults } = app.storage;
  for (let number = 1; number <= 300; number += 1)
    await taskResults.insertStored({
      taskId: 'old',
      number,
      userId: ann,
      path: pathOf(number),
      mime: 'image/png',
      bytes: 1,
      createdAt: number,
      expiresAt: 9_999_999_999,
    });
  await add();
  const ends = async (number: number) => (await taskResults.find('old', number))?.expiresAt;
  expect([await ends(1), await ends(2)]).toEqual([0, 9_999_999_999]);
  expect(await taskResults.listImages(ann, 0)).toHaveLength(300);
  await run('clean-uploads');
  expect((await taskResults.find('old', 1))?.state).toBe('expired');
  expect(stored()).toHaveLength(1);
  await operator.user.manage({ id: ann, action: 'delete' });
  await run('clean-uploads');
  expect(stored()).toEqual([]);
});

test('copies end with the days of results, and the order says what it was', async () => {
  const { add, tasks, stored, run, clock } = await setUp();
  await add();
  clock.move(31 * 86_400_000);
  await run('clean-uploads');
  expect([stored(), (await tasks()).length]).toEqual([[], 1]);
});

test('an owner deletes what is over, with its files; not what is under way, and not what is another’s', async () => {
  const { app, add, tasks, stored, as, ann, addUser } = await setUp();
  const [me, other] = [await as(ann), await as(await addUser('bob'))];
  await add([png, png]);
  const [task] = await tasks();
  const id = task?.id ?? 0;
  await expect(other.task.removeSelf({ id })).rejects.toMatchObject({ code: 'task_not_exist' });
  expect(stored()).toHaveLength(2);
  await me.task.removeSelf({ id });
  expect([await tasks(), stored()]).toEqual([[], []]);
  await expect(me.task.removeSelf({ id })).rejects.toMatchObject({ code: 'task_not_exist' });

  const running = { userId: ann, createdAt: 1, progress: '30%' };
  const video = await app.storage.tasks.insert({ ...running, taskId: 't', platform: 'ali' });
  await expect(me.task.removeSelf({ id: video })).rejects.toMatchObject({
    code: 'result_not_ready',
  });
  const row = { userId: ann, action: 'IMAGINE', submitTime: 1 };
  const [first, second] = [
    await app.storage.midjourneys.insert({ ...row, progress: '30%' }),
    await app.storage.midjourneys.insert({ ...row, progress: '100%' }),
  ];
  await expect(me.drawing.removeSelf({ id: first })).rejects.toMatchObject({
    code: 'result_not_ready',
  });
  await expect(other.drawing.removeSelf({ id: second })).rejects.toMatchObject({
    code: 'task_not_exist',
  });
  await me.drawing.removeSelf({ id: second });
  expect(await app.storage.midjourneys.find(second)).toBeNull();
});
