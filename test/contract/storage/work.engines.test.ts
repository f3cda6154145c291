import { expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { ModelSquareEntry, NewTopUp } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

const all = { offset: 0, limit: 100 };

forEachEngineInTurn('top-ups', (engine) => {
  const order = (tradeNo: string, more: Partial<NewTopUp> = {}): NewTopUp => ({
    userId: 1,
    amount: 10,
    moneyCents: 7300,
    quota: toQuota(5_000_000),
    tradeNo,
    status: 'pending',
    paymentMethod: 'alipay',
    goodsName: '73 元充值',
    createTime: 100,
    topUpCode: '',
    ...more,
  });
  test('are unique by trade number and fail only while they are pending', async () => {
    const { topUps } = await engine.open();
    await topUps.insert(order('a'));
    await topUps.insert(order('paid', { status: 'success' }));
    await expect(topUps.insert(order('a'))).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'tradeNo' },
    });
    expect(await topUps.fail('paid', 'late')).toBe(false);
    expect(await topUps.fail('a', 'closed')).toBe(true);
    expect(await topUps.fail('a', 'again')).toBe(false);
    expect(await topUps.findByTradeNo('a')).toMatchObject({
      ...order('a'),
      status: 'failed',
      note: 'closed',
    });
    const closed = { tradeNo: 'a', status: 'failed', note: 'closed' } as const;
    for (const other of [{ tradeNo: 'b' }, { status: 'pending' as const }, { note: '' }])
      expect(await topUps.setNote({ ...closed, ...other }, 'x')).toBe(false);
    expect(await topUps.setNote(closed, 'money differs')).toBe(true);
  });

  test('are listed, summed and expired', async () => {
    const { topUps } = await engine.open();
    await topUps.insert(
      order('A_1', { userId: 1, createTime: 100, status: 'success', finishTime: 1000 }),
    );
    await topUps.insert(
      order('b%2', { userId: 2, createTime: 200, status: 'success', finishTime: 2000 }),
    );
    await topUps.insert(order('c3', { userId: 1, createTime: 300 }));
    const found = async (filter: object) =>
      (await topUps.page(filter, all)).items.map(({ tradeNo }) => tradeNo);
    expect(await found({})).toEqual(['c3', 'b%2', 'A_1']);
    expect(await found({ userId: 1, status: 'success' })).toEqual(['A_1']);
    expect(await found({ order: 'a_' })).toEqual(['A_1']);
    expect(await found({ order: '%' })).toEqual(['b%2']);
    expect(await found({ from: 200, to: 200 })).toEqual(['b%2']);
    expect(await topUps.sumPaid({})).toBe(14_600);
    expect(await topUps.sumPaid({ from: 1001 })).toBe(7300);
    expect(await topUps.sumPaid({ to: 2000 }, 2)).toBe(7300);
    expect(await topUps.sumPaid({}, 9)).toBe(0);
    expect(await topUps.listPending(300, 0, 10)).toEqual([]);
    expect(await topUps.listPending(301, 0, 10)).toMatchObject([{ tradeNo: 'c3' }]);
    expect(await topUps.listPending(301, 3, 10)).toEqual([]);
  });
});

forEachEngineInTurn('drawings', (engine) => {
  test('are stored, found, advanced once and listed', async () => {
    const { midjourneys } = await engine.open();
    const drawing = {
      userId: 1,
      action: 'IMAGINE',
      submitTime: 1_700_000_000_123,
      mjId: 'm1',
      prompt: '猫',
      status: '',
      progress: '0%',
    };
    const id = await midjourneys.insert({ ...drawing, buttons: '[{}]', quota: toQuota(50) });
    await midjourneys.insert({
      ...drawing,
      userId: 2,
      channelId: 3,
      submitTime: 1_700_000_000_999,
    });
    expect(await midjourneys.find(id)).toMatchObject({
      ...drawing,
      buttons: '[{}]',
      quota: 50,
      videoUrls: '',
      finishTime: 0,
    });
    expect(await midjourneys.findByMjId('m1')).toMatchObject({ userId: 2 });
    expect(await midjourneys.findByMjId('m1', 1)).toMatchObject({ id });
    expect(await midjourneys.findByMjId('m2')).toBeNull();
    expect(await midjourneys.listUnfinished(1)).toMatchObject([{ id }]);
    const failure = { status: 'FAILURE', progress: '100%', failReason: 'no', quota: toQuota(0) };
    const races = await Promise.all(
      Array.from({ length: 5 }, () => midjourneys.update(id, '', failure)),
    );
    expect(races.filter(Boolean)).toHaveLength(1);
    expect(await midjourneys.listUnfinished(10)).toMatchObject([{ userId: 2 }]);
    expect(await midjourneys.update(id, 'FAILURE', {})).toBe(true);
    expect((await midjourneys.page({ from: 1_700_000_000_124 }, all)).total).toBe(1);
    expect(
      (await midjourneys.page({ to: 1_700_000_000_123, id: 'm1', userId: 1 }, all)).items,
    ).toMatchObject([failure]);
    expect((await midjourneys.page({ channel: 3 }, all)).items).toMatchObject([{ userId: 2 }]);
    expect((await midjourneys.page({}, { offset: 1, limit: 5 })).items).toMatchObject([{ id }]);
    expect(
      (await midjourneys.page({ action: 'IMAGINE', status: 'FAILURE' }, all)).items,
    ).toMatchObject([{ id }]);
    await midjourneys.insert({ ...drawing, mjId: 'imported later', submitTime: 1_600_000_000_000 });
    const [first] = (await midjourneys.page({}, { offset: 2, limit: 1 })).items;
    expect(first).toMatchObject({ mjId: 'imported later' });
  });
});

forEachEngineInTurn('tasks', (engine) => {
  test('are stored, found, advanced once and listed', async () => {
    const { tasks } = await engine.open();
    const task = {
      userId: 1,
      taskId: 'task_a',
      platform: 'suno',
      createdAt: 5,
      action: 'MUSIC',
      status: 'NOT_START',
      submitTime: 10,
    };
    const id = await tasks.insert({ ...task, privateData: '{"key":"k"}', progress: '0%' });
    await tasks.insert({
      ...task,
      userId: 2,
      taskId: 'task_b',
      platform: 'ali',
      channelId: 4,
      submitTime: 20,
    });
    expect(await tasks.find(id)).toMatchObject({
      ...task,
      privateData: '{"key":"k"}',
      data: '',
      quota: 0,
    });
    expect(await tasks.findByTaskId('task_a')).toMatchObject({ id });
    expect(await tasks.findByTaskId('task_a', 2)).toBeNull();
    const change = {
      status: 'QUEUED',
      quota: toQuota(7),
      data: '{"a":1}',
      privateData: '{"key":"k2"}',
    };
    const races = await Promise.all(
      Array.from({ length: 5 }, () => tasks.update(id, 'NOT_START', change)),
    );
    expect(races.filter(Boolean)).toHaveLength(1);
    expect(await tasks.update(id, 'QUEUED', { progress: '100%' })).toBe(true);
    expect(await tasks.find(id)).toMatchObject({ ...change, progress: '100%' });
    expect(await tasks.listUnfinished(10)).toMatchObject([{ taskId: 'task_b', privateData: '' }]);
    const found = async (filter: object) =>
      (await tasks.page(filter, all)).items.map(({ taskId }) => taskId);
    expect(await found({})).toEqual(['task_b', 'task_a']);
    expect(
      await found({ platform: 'suno', action: 'MUSIC', status: 'QUEUED', taskId: 'task_a' }),
    ).toEqual(['task_a']);
    expect(await found({ userId: 2, channelId: 4 })).toEqual(['task_b']);
    expect(await found({ from: 11, to: 20 })).toEqual(['task_b']);
    expect(await found({ platform: '', status: '' })).toHaveLength(2);
    expect(await tasks.page({ userId: 1 }, { offset: 5, limit: 5 })).toEqual({
      items: [],
      total: 1,
    });
    await tasks.insert({ ...task, taskId: 'task_c', submitTime: 10 });
    expect(await found({})).toEqual(['task_b', 'task_c', 'task_a']);
    expect(await found({ status: 'NOT_START', platform: 'suno', from: 10, to: 10 })).toEqual([
      'task_c',
    ]);
  });
});

forEachEngineInTurn('catalogue and uploads', (engine) => {
  const entry = (model: string, more: Partial<ModelSquareEntry> = {}): ModelSquareEntry => ({
    model,
    icon: 'i',
    description: '描述',
    descriptionEn: 'd',
    type: '对话',
    typeEn: 'chat',
    tags: '["a"]',
    tagsEn: '[]',
    manufacturer: 'm',
    priceType: 2,
    context: '32K',
    specification: '[]',
    publishTime: '2026-01-02',
    status: 1,
    modelPrice: null,
    createdTime: 1,
    updatedTime: 2,
    ...more,
  });

  test('entries are stored, ordered, changed and removed', async () => {
    const { modelSquare } = await engine.open();
    await modelSquare.insert(entry('org/b'));
    await modelSquare.insert(entry('a', { modelPrice: '0.05' }));
    await modelSquare.insert(entry('hidden', { status: 2, publishTime: '2026-09-09' }));
    await modelSquare.insert(entry('new', { publishTime: '2026-02-01' }));
    expect((await modelSquare.list()).map(({ model }) => model)).toEqual([
      'new',
      'a',
      'org/b',
      'hidden',
    ]);
    expect(await modelSquare.find('org/b')).toEqual(entry('org/b'));
    await expect(modelSquare.insert(entry('a'))).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'model' },
    });
    expect(await modelSquare.update('a', { status: 2, modelPrice: null })).toBe(true);
    expect(await modelSquare.find('a')).toEqual(entry('a', { status: 2 }));
    expect(await modelSquare.update('x', { status: 2 })).toBe(false);
    expect(await modelSquare.update('x', {})).toBe(false);
    expect(await modelSquare.delete('a')).toBe(true);
    expect(await modelSquare.delete('a')).toBe(false);
  });

  test('uploads are found, summed and expire', async () => {
    const { uploads } = await engine.open();
    const upload = {
      userId: 1,
      path: 'a/1.png',
      mime: 'image/png',
      bytes: 3_000_000_000,
      width: 2,
      height: 3,
      sha256: 'x',
      createdAt: 1,
    };
    const id = await uploads.insert({ ...upload, expiresAt: null });
    await uploads.insert({ ...upload, path: 'a/2.png', bytes: 1, expiresAt: 50 });
    expect(await uploads.findByPath('a/1.png')).toEqual({ ...upload, id, expiresAt: null });
    expect(await uploads.findByPath('nope')).toBeNull();
    expect(await uploads.sumBytes(1)).toBe(3_000_000_001);
    expect(await uploads.sumBytes(2)).toBe(0);
    expect(await uploads.listExpired(50, 10)).toEqual([]);
    expect(await uploads.listExpired(51, 10)).toMatchObject([{ path: 'a/2.png' }]);
    await expect(uploads.insert({ ...upload, expiresAt: null })).rejects.toMatchObject({
      params: { field: 'path' },
    });
    expect(await uploads.delete(id)).toBe(true);
    expect(await uploads.delete(id)).toBe(false);
  });
});
