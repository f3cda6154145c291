/**
 * The lists of drawings and tasks over HTTP's handlers: filters, whose rows, addresses of images,
 * refunds (docs/rules/task-logs.md#lists).
 */
import { expect, test } from 'vitest';
import { toQuota } from '../../src/core/kernel/quota.ts';
import { createTestApp } from '../support/app.ts';

async function site() {
  const { app, as, addUser, operator } = await createTestApp();
  const [ann, bob] = [await addUser('ann', { quota: 1000 }), await addUser('bob')];
  const { midjourneys, tasks } = app.storage;
  const start = 1_700_000_000_000;
  for (let n = 0; n < 12; n += 1) {
    await midjourneys.insert({
      userId: n % 2 === 0 ? ann : bob,
      channelId: 7,
      action: n === 11 ? 'UPSCALE' : 'IMAGINE',
      mjId: `mj/${n}`,
      status: 'SUCCESS',
      progress: '100%',
      submitTime: start + n,
      imageUrl: n === 10 ? '' : `https://cdn.example/${n}.png`,
    });
    await tasks.insert({
      userId: n % 2 === 0 ? ann : bob,
      channelId: 8,
      taskId: `task_${n}`,
      platform: n < 6 ? 'suno' : 'ali',
      action: n < 6 ? 'MUSIC' : 'VIDEO',
      status: 'SUCCESS',
      progress: '100%',
      createdAt: 100 + n,
      submitTime: 100 + n,
      properties: '{"input":{"prompt":"a cat"},"model":"m"}',
      data: n === 0 ? 'not json' : '[{"audio_url":"https://cdn.example/a.mp3"}]',
      privateData: '{"key":"sk-upstream-secret"}',
    });
  }
  return { app, operator, ann: await as(ann), annId: ann };
}

test('pages of ten from page 0, the total beside them; users see their own rows and no channel', async () => {
  const { operator, ann, annId } = await site();
  const all = await operator.task.list({});
  expect(all).toMatchObject({
    total: 12,
    items: { length: 10, 0: { task_id: 'task_11', channel_id: 8, username: 'bob' } },
  });
  expect((await operator.task.list({ p: 1 })).items.map(({ task_id }) => task_id)).toEqual([
    'task_1',
    'task_0',
  ]);
  expect((await operator.task.list({ page_size: 1000 })).items).toHaveLength(12);
  const own = await ann.task.listSelf({ page_size: 100 });
  expect(own.total).toBe(6);
  expect(own.items.every(({ user_id, channel_id }) => user_id === annId && channel_id === 0)).toBe(
    true,
  );
  expect(own.items[0]).not.toHaveProperty('username');
  expect(own.items[0]).not.toHaveProperty('channel_name');
  const drawings = await ann.drawing.listSelf({ p: 0 });
  expect(drawings).toMatchObject({ total: 6, items: { 0: { mj_id: 'mj/10', channel_id: 0 } } });
  await expect(ann.task.list({})).rejects.toMatchObject({ code: 'forbidden' });
  await expect(ann.drawing.list({})).rejects.toMatchObject({ code: 'forbidden' });
});

test('filters are exact; those of administrators do nothing for users', async () => {
  const { operator, ann } = await site();
  const ids = async (input: Parameters<typeof operator.task.list>[0]) =>
    (await operator.task.list(input)).items.map(({ task_id }) => task_id);
  expect(await ids({ task_id: ' task_3 ' })).toEqual(['task_3']);
  expect(await ids({ task_id: 'task_' })).toEqual([]);
  expect(await ids({ platform: 'suno', start_timestamp: 104 })).toEqual(['task_5', 'task_4']);
  expect(await ids({ action: 'VIDEO', end_timestamp: 106 })).toEqual(['task_6']);
  expect(await ids({ status: 'FAILURE' })).toEqual([]);
  expect(await ids({ channel_id: 9 })).toEqual([]);
  expect(await ids({ username: 'ann', platform: 'ali' })).toEqual(['task_10', 'task_8', 'task_6']);
  expect(await ids({ username: 'nobody' })).toEqual([]);
  const start = 1_700_000_000_000;
  const drawn = await operator.drawing.list({
    start_timestamp: start + 3,
    end_timestamp: start + 4,
    channel_id: 7,
  });
  expect(drawn.items.map(({ mj_id }) => mj_id)).toEqual(['mj/4', 'mj/3']);
  expect((await operator.drawing.list({ action: 'UPSCALE', username: 'bob' })).total).toBe(1);
  expect((await ann.task.listSelf({ channel_id: 9, username: 'bob' } as object)).total).toBe(6);
  expect((await ann.task.listSelf({ task_id: 'task_1' })).total).toBe(0);
});

test('images are forwarded while the option is on; rows have no secrets and readable data', async () => {
  const { operator } = await site();
  await operator.option.set({ key: 'ServerAddress', value: 'https://gate.example' });
  const imageOf = async (mj_id: string) =>
    (await operator.drawing.list({ mj_id })).items[0]?.image_url;
  expect(await imageOf('mj/3')).toMatch(
    /^https:\/\/gate\.example\/mj\/image\/mj%2F3\?sig=[0-9a-f]{64}$/,
  );
  expect(await imageOf('mj/10')).toBe('');
  await operator.option.set({ key: 'MjForwardUrlEnabled', value: 'false' });
  expect(await imageOf('mj/3')).toBe('https://cdn.example/3.png');
  const { items } = await operator.task.list({ page_size: 100 });
  expect(JSON.stringify(items)).not.toContain('sk-upstream-secret');
  expect(items.at(-1)).toMatchObject({
    data: null,
    properties: { input: { prompt: 'a cat' }, model: 'm' },
  });
  expect((await operator.drawing.list({})).items[0]).toMatchObject({
    created_at: 1_700_000_000_011,
  });
});

test('a failed row says what was refunded', async () => {
  const { app, operator, ann, annId } = await site();
  const id = await app.storage.tasks.insert({
    userId: annId,
    taskId: 'task_failed',
    platform: 'suno',
    createdAt: 200,
    submitTime: 200,
    status: 'FAILURE',
    progress: '100%',
    failReason: 'no credits',
  });
  await app.ledger.post({
    userId: annId,
    kind: 'refund',
    amount: toQuota(250),
    reference: `task:${id}`,
  });
  await app.ledger.post({
    userId: annId,
    kind: 'refund',
    amount: toQuota(9),
    reference: 'task:999',
  });
  expect((await ann.task.listSelf({ task_id: 'task_failed' })).items).toMatchObject([
    { refunded: 250, quota: 0, fail_reason: 'no credits' },
  ]);
  expect(
    (await operator.task.list({ status: 'SUCCESS' })).items.every(({ refunded }) => refunded === 0),
  ).toBe(true);
});
