import { expect, test } from 'vitest';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { NewChannel } from '../../../src/core/storage/storage.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

const channel = (name: string, more: Partial<NewChannel> = {}): NewChannel => ({
  type: 1,
  key: new Secret(`key of ${name}`),
  name,
  models: 'gpt-5.1,gpt-5.1-mini',
  createdTime: 1_700_000_000,
  ...more,
});
const note = { reason: 'wrong key', time: 1_700_000_100 };

forEachEngineInTurn('channels', (engine) => {
  test('keeps every column', async () => {
    const { channels } = await engine.open();
    const fields = {
      openaiOrganization: 'org',
      testModel: 'm',
      status: 2,
      weight: 3,
      testTime: 4,
      responseTime: 5,
      baseUrl: 'https://a.example',
      other: 'v',
      balance: 12.345,
      balanceUpdatedTime: 6,
      models: '模型/一,b',
      group: 'default,vip',
      modelMapping: '{"a":"b"}',
      statusCodeMapping: '{}',
      otherInfo: '{"x":1}',
      setting: '{"proxy":""}',
      priority: -7,
      autoBan: false,
      tag: 't',
      paramOverride: '{}',
      maxInputTokens: 8,
    };
    const [id = 0] = await channels.insertMany([channel('one', fields)]);
    const found = await channels.find(id);
    expect(found).toMatchObject({
      ...fields,
      id,
      name: 'one',
      usedQuota: 0,
      createdTime: 1_700_000_000,
    });
    expect(found?.key.reveal()).toBe('key of one');
    const [plain = 0] = await channels.insertMany([channel('two')]);
    expect(await channels.find(plain)).toMatchObject({
      status: 1,
      autoBan: true,
      group: 'default',
      weight: 0,
      tag: '',
    });
    expect(await channels.find(plain + 1)).toBeNull();
  });

  test('creates an ability per group and model', async () => {
    const { channels, abilities } = await engine.open();
    const [id = 0] = await channels.insertMany([
      channel('a', {
        group: ' vip, default,,vip',
        models: 'm1, m2,m1,',
        priority: 5,
        weight: 2,
        tag: 't',
      }),
    ]);
    const rows = await abilities.listByChannel(id);
    expect(rows.map(({ group, model }) => `${group}/${model}`).sort()).toEqual([
      'default/m1',
      'default/m2',
      'vip/m1',
      'vip/m2',
    ]);
    expect(rows[0]).toMatchObject({
      channelId: id,
      enabled: true,
      priority: 5,
      weight: 2,
      tag: 't',
    });
    await channels.update(id, { models: 'm3', status: 2, weight: 0 });
    expect(await abilities.listByChannel(id)).toMatchObject([
      { model: 'm3', enabled: false, weight: 0 },
      { model: 'm3', enabled: false },
    ]);
    expect(await abilities.listEnabled()).toEqual([]);
  });

  test('inserts all or none', async () => {
    const { channels, abilities } = await engine.open();
    const broken = channel('broken', { id: 1 });
    await expect(channels.insertMany([channel('a', { id: 1 }), broken])).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await channels.count()).toBe(0);
    expect(await abilities.listEnabled()).toEqual([]);
  });

  test('orders by priority and id, or by id', async () => {
    const { channels } = await engine.open();
    await channels.insertMany([
      channel('a', { priority: 1 }),
      channel('b', { priority: 9 }),
      channel('c', { priority: 1 }),
    ]);
    const names = async (order: 'priority' | 'id', offset = 0) =>
      (await channels.page(order, { offset, limit: 2 })).items.map(({ name }) => name);
    expect(await names('priority')).toEqual(['b', 'c']);
    expect(await names('priority', 2)).toEqual(['a']);
    expect(await names('id')).toEqual(['c', 'b']);
    expect((await channels.page('id', { offset: 0, limit: 1 })).total).toBe(3);
    expect((await channels.listAll()).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('searches id, name, whole key, model and group', async () => {
    const { channels } = await engine.open();
    await channels.insertMany([
      channel('Öpen_AI', { key: new Secret('sk-1'), group: 'vip,default' }),
      channel('claude 50%', { models: 'claude-opus-4.5', group: 'vip2' }),
    ]);
    const names = async (filter: object) =>
      (await channels.search(filter, 'id', 100)).map(({ name }) => name);
    expect(await names({})).toEqual(['claude 50%', 'Öpen_AI']);
    expect(await names({ keyword: 'öPEN_' })).toEqual(['Öpen_AI']);
    expect(await names({ keyword: 'sk-1' })).toEqual(['Öpen_AI']);
    expect(await names({ keyword: 'sk-' })).toEqual([]);
    expect(await names({ keyword: '_' })).toEqual(['Öpen_AI']);
    expect(await names({ keyword: '2' })).toEqual(['claude 50%']);
    expect(await names({ model: 'OPUS' })).toEqual(['claude 50%']);
    expect(await names({ group: 'vip' })).toEqual(['Öpen_AI']);
    expect(await names({ group: 'VIP' })).toEqual([]);
    expect(await names({ status: 1, type: 1 })).toHaveLength(2);
    expect(await channels.search({}, 'id', 1)).toHaveLength(1);
  });

  test('pages over tags', async () => {
    const { channels } = await engine.open();
    await channels.insertMany(
      ['b', 'a', 'b', '', 'c'].map((tag, index) => channel(`c${index}`, { tag })),
    );
    const page = await channels.pageByTag('id', { offset: 0, limit: 2 });
    expect(page.items.map(({ name }) => name)).toEqual(['c1', 'c2', 'c0']);
    expect(page.total).toBe(3);
    expect(await channels.tags()).toEqual(['a', 'b', 'c']);
    expect((await channels.listByTags(['c', 'a'], 'id')).map(({ name }) => name)).toEqual([
      'c4',
      'c1',
    ]);
  });

  test('pages over tags and then over channels without a tag, where asked to', async () => {
    const { channels } = await engine.open();
    await channels.insertMany(
      ['b', '', 'a', 'b', ''].map((tag, index) => channel(`c${index}`, { tag })),
    );
    const names = async (offset: number, limit: number, filter = {}) => {
      const { items, total } = await channels.pageByTag('id', { offset, limit }, filter, true);
      return [items.map(({ name }) => name), total];
    };
    expect(await names(0, 3)).toEqual([['c2', 'c3', 'c0', 'c4'], 4]);
    expect(await names(3, 3)).toEqual([['c1'], 4]);
    expect(await names(0, 2)).toEqual([['c2', 'c3', 'c0'], 4]);
    expect(await names(2, 2)).toEqual([['c4', 'c1'], 4]);
    expect(await names(0, 9, { keyword: 'c1' })).toEqual([['c1'], 1]);
  });

  test('sums up the channels of each tag of a page; those without one follow', async () => {
    const { channels } = await engine.open();
    const ids = await channels.insertMany([
      channel('good', { tag: 't', group: 'default,vip', priority: 2, weight: 1 }),
      channel('slow', { tag: 't', status: 2, priority: 2, weight: 3 }),
      channel('bad', { tag: 't', status: 3, priority: 2, weight: 1, models: 'm9' }),
      channel('new', { tag: 't', priority: 2, weight: 1, modelMapping: '{"a":"b"}' }),
      channel('single'),
      channel('lone', { tag: 'u' }),
    ]);
    const [good = 0, slow = 0, bad = 0] = ids;
    await channels.updateTestResult(good, 400, 1, '');
    await channels.updateTestResult(slow, 601, 1, '');
    await channels.updateTestResult(bad, 9000, 1, 'invalid key');
    const sums = {
      tag: 't',
      channels: 4,
      enabled: 2,
      disabled: 1,
      autoDisabled: 1,
      failed: 1,
      usedQuota: 0,
      responseTime: 501,
      groups: ['default', 'vip'],
      priority: 2,
      weight: null,
    };
    const page = async (offset: number, limit: number, filter = {}) => {
      const found = await channels.pageOfTags('id', { offset, limit }, filter);
      return [
        ...found.tags.map(({ tag }) => tag),
        ...found.channels.map(({ name }) => name),
        found.total,
      ];
    };
    expect((await channels.pageOfTags('id', { offset: 0, limit: 1 })).tags).toEqual([sums]);
    expect(await page(0, 9)).toEqual(['t', 'u', 'single', 3]);
    expect(await page(1, 1)).toEqual(['u', 3]);
    expect(await page(2, 2)).toEqual(['single', 3]);
    expect(await page(0, 9, { keyword: 'none' })).toEqual([0]);
    // A keyword finds the tag, a status also selects among its channels.
    const [found] = (await channels.pageOfTags('id', { offset: 0, limit: 9 }, { keyword: 'bad' }))
      .tags;
    expect(found).toEqual(sums);
    const only = { status: 3, keyword: 'bad' };
    expect((await channels.pageOfTags('id', { offset: 0, limit: 9 }, only)).tags).toMatchObject([
      { channels: 1, enabled: 0, autoDisabled: 1, failed: 1, responseTime: 0, weight: 1 },
    ]);
    expect(await channels.tagValues('t')).toHaveLength(4);
    expect(await channels.tagValues('v')).toEqual([]);
  });

  test('writes to all channels of a tag', async () => {
    const { channels, abilities } = await engine.open();
    const ids = await channels.insertMany([
      channel('a', { tag: 't' }),
      channel('b', { tag: 't' }),
      channel('c'),
    ]);
    expect(await channels.updateByTag('t', { models: 'm9', priority: 4, tag: 'u' })).toBe(2);
    expect(await abilities.listByChannel(ids[1] ?? 0)).toMatchObject([
      { model: 'm9', priority: 4, tag: 'u' },
    ]);
    expect(await channels.setStatusByTag('u', 2, note)).toBe(2);
    expect(await channels.setStatusByTag('u', 2, note)).toBe(0);
    expect((await channels.listAllEnabled()).map(({ name }) => name)).toEqual(['c']);
    expect(await channels.setTag([ids[0] ?? 0, 999], '')).toBe(1);
    expect(await channels.listByTags(['u'], 'id')).toHaveLength(1);
  });

  test('changes the key and keeps fields that are not given', async () => {
    const { channels } = await engine.open();
    const [id = 0] = await channels.insertMany([channel('a', { baseUrl: 'x', priority: 3 })]);
    expect(await channels.update(id, { key: new Secret('new'), baseUrl: '', priority: 0 })).toBe(
      true,
    );
    const found = await channels.find(id);
    expect(found).toMatchObject({ name: 'a', baseUrl: '', priority: 0 });
    expect(found?.key.reveal()).toBe('new');
    expect(await channels.update(id, {})).toBe(true);
    expect(await channels.update(99, {})).toBe(false);
    expect(await channels.update(99, { name: 'x' })).toBe(false);
  });

  test('sets a status once, with its reason', async () => {
    const { channels, abilities } = await engine.open();
    const [id = 0] = await channels.insertMany([channel('a', { otherInfo: '{"kept":1}' })]);
    const races = await Promise.all(
      Array.from({ length: 6 }, () => channels.setStatus(id, 1, 3, note)),
    );
    expect(races.filter(Boolean)).toHaveLength(1);
    expect(JSON.parse((await channels.find(id))?.otherInfo ?? '')).toEqual({
      kept: 1,
      status_reason: 'wrong key',
      status_time: note.time,
    });
    expect(await abilities.listEnabled()).toEqual([]);
    expect(await channels.setStatus(id, 3, 1, { reason: '', time: 5 })).toBe(true);
    expect(JSON.parse((await channels.find(id))?.otherInfo ?? '')).toEqual({
      kept: 1,
      status_time: 5,
    });
    expect(await abilities.listEnabled()).toHaveLength(2);
  });

  test('records disabled keys until the channel is enabled again', async () => {
    const { channels } = await engine.open();
    const [id = 0] = await channels.insertMany([channel('a', { otherInfo: '{"x":1}' })]);
    expect(await channels.disableKey(id, 'first', note)).toBe(true);
    await Promise.all([
      channels.disableKey(id, 'second', note),
      channels.disableKey(id, 'third', { reason: 'r', time: 5 }),
    ]);
    const infoOf = async () => JSON.parse((await channels.find(id))?.otherInfo ?? '{}');
    expect(await infoOf()).toEqual({
      x: 1,
      disabled_keys: { first: note, second: note, third: { reason: 'r', time: 5 } },
    });
    await channels.setStatus(id, 1, 3, note);
    expect(Object.keys((await infoOf()).disabled_keys)).toHaveLength(3);
    await channels.setStatus(id, 3, 1, { reason: '', time: 9 });
    expect(await infoOf()).toEqual({ x: 1, status_time: 9 });
    expect(await channels.disableKey(id + 1, 'first', note)).toBe(false);
  });

  test('records tests and balances', async () => {
    const { channels } = await engine.open();
    const [id = 0] = await channels.insertMany([channel('a')]);
    await channels.updateTestResult(id, 321, 7, 'no credit');
    await channels.setStatus(id, 1, 2, { reason: 'r', time: 1 });
    await channels.updateBalance(id, { amount: 0.1 + 0.2, currency: 'CNY' }, 8);
    expect(await channels.find(id)).toMatchObject({
      responseTime: 321,
      testTime: 7,
      balance: 0.1 + 0.2,
      balanceUpdatedTime: 8,
    });
    const stateNow = async () => (await channels.listStates()).find((state) => state.id === id);
    expect(await stateNow()).toEqual({ id, status: 2, testTime: 7, isTestFailed: true });
    const info = JSON.parse((await channels.find(id))?.otherInfo ?? '');
    expect(info).toEqual({
      test_error: 'no credit',
      status_reason: 'r',
      status_time: 1,
      balance_currency: 'CNY',
    });
    await channels.updateTestResult(id, 322, 9, '');
    expect(JSON.parse((await channels.find(id))?.otherInfo ?? '')).not.toHaveProperty('test_error');
    expect(await stateNow()).toEqual({ id, status: 2, testTime: 9, isTestFailed: false });
    expect(await channels.listNames([id, 99])).toMatchObject([{ id, name: 'a', type: 1 }]);
    expect(await channels.listNames([])).toEqual([]);
    await channels.updateTestResult(id + 1, 322, 9, 'gone');
    expect(await channels.names([id, id, 99])).toEqual(new Map([[id, 'a']]));
    expect(await channels.names([])).toEqual(new Map());
    expect(await channels.findMany([id, 99])).toHaveLength(1);
  });

  test('deletes channels with their abilities', async () => {
    const { channels, abilities } = await engine.open();
    const ids = await channels.insertMany([
      channel('a'),
      channel('b', { status: 2 }),
      channel('c', { status: 3 }),
      channel('d'),
    ]);
    expect(await channels.deleteDisabled()).toBe(2);
    expect(await abilities.listByChannel(ids[1] ?? 0)).toEqual([]);
    expect(await channels.delete([ids[0] ?? 0, 999])).toBe(1);
    expect(await channels.delete([])).toBe(0);
    expect((await channels.listAll()).map(({ name }) => name)).toEqual(['d']);
    expect(await abilities.listEnabled()).toHaveLength(2);
  });

  test('rebuilds all abilities', async () => {
    const { channels, abilities } = await engine.open();
    await channels.insertMany([
      channel('a', { group: 'vip' }),
      channel('b', { models: 'z,y' }),
      channel('c', { models: 'x', status: 2 }),
    ]);
    const before = await abilities.listEnabled();
    expect(await abilities.rebuildAll()).toBe(3);
    expect(await abilities.listEnabled()).toEqual(before);
    expect(await abilities.enabledModels()).toEqual(['gpt-5.1', 'gpt-5.1-mini', 'y', 'z']);
    expect(await abilities.enabledModels(['vip'])).toEqual(['gpt-5.1', 'gpt-5.1-mini']);
    expect(await abilities.enabledModels([])).toEqual([]);
    expect(await abilities.enabledGroups()).toEqual(['default', 'vip']);
  });

  test('handles more abilities than one statement can bind', async () => {
    const { channels, abilities } = await engine.open();
    const models = Array.from({ length: 2500 }, (_, index) => `m${index}`).join(',');
    const [id = 0] = await channels.insertMany([channel('wide', { models })]);
    expect(await abilities.listByChannel(id)).toHaveLength(2500);
  });
});
