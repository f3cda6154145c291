import { describe, expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

const openai = { name: 'c', type: 1, key: 'sk-upstream-1', models: 'gpt-4o,gpt-4o-mini' };

describe('making channels', () => {
  test('one per key, none of them shown; routes at once', async () => {
    const { operator, app } = await createTestApp();
    const { ids } = await operator.channel.create({
      ...openai,
      key: 'sk-a\n\n sk-b ',
      group: 'default,vip',
    });
    expect(ids).toHaveLength(2);
    const { items } = await operator.channel.list();
    expect(
      items.map(({ key, status, auto_ban, weight }) => [key, status, auto_ban, weight]),
    ).toEqual([
      ['', 1, 1, 0],
      ['', 1, 1, 0],
    ]);
    expect((await app.channels.get(ids[0] ?? 0)).key.reveal()).toBe('sk-a');
    expect(
      (await operator.routes.explain({ model: 'gpt-4o', group: 'vip' })).tiers[0]?.channels.map(
        ({ share }) => share,
      ),
    ).toEqual([0.5, 0.5]);
    expect(await operator.channel.enabledModels()).toEqual(['gpt-4o', 'gpt-4o-mini']);
  });

  test.each([
    [{ name: '' }, 'channel_name_and_key_required'],
    [{ key: ' \n ' }, 'channel_name_and_key_required'],
    [{ models: '' }, 'channel_models_required'],
    [{ type: 999 }, 'channel_type_unknown'],
    [{ type: 8 }, 'channel_base_url_required'],
  ])('%o is refused: %s', async (fields, code) => {
    const { operator } = await createTestApp();
    expect(await codeOf(operator.channel.create({ ...openai, ...fields }))).toBe(code);
    expect((await operator.channel.list()).total).toBe(0);
  });

  test('types that need no key are made without one, and route', async () => {
    const { operator, app } = await createTestApp();
    const { ids } = await operator.channel.create({
      ...openai,
      type: 4,
      key: '',
      models: 'llama3',
    });
    expect(ids).toHaveLength(1);
    expect((await app.channels.get(ids[0] ?? 0)).key.reveal()).toBe('');
    const { tiers } = await operator.routes.explain({ model: 'llama3' });
    expect(tiers[0]?.channels.map(({ id }) => id)).toEqual(ids);
    const copy = await operator.channel.copy({ id: ids[0] ?? 0 });
    expect((await app.channels.get(copy.id)).name).toBe('c_copy');
  });

  test('a copy has the key of its original and nothing of its past', async () => {
    const { operator, app } = await createTestApp();
    const { ids } = await operator.channel.create(openai);
    const id = ids[0] ?? 0;
    await app.storage.channels.updateBalance(id, { amount: 5, currency: 'USD' }, 1);
    const copy = await operator.channel.copy({ id });
    expect(await app.channels.get(copy.id)).toMatchObject({
      name: 'c_copy',
      balance: 0,
      usedQuota: 0,
      testTime: 0,
    });
    expect((await app.channels.get(copy.id)).key.reveal()).toBe('sk-upstream-1');
    const posted = await operator.channel.create({
      ...openai,
      key: '',
      name: 'posted',
      copy_from: id,
    });
    expect((await app.channels.get(posted.ids[0] ?? 0)).key.reveal()).toBe('sk-upstream-1');
    expect(await codeOf(operator.channel.copy({ id: 99 }))).toBe('not_found');
  });

  test('a copy routes at once', async () => {
    const { operator } = await createTestApp();
    const { ids } = await operator.channel.create(openai);
    const copy = await operator.channel.copy({ id: ids[0] ?? 0 });
    const { tiers } = await operator.routes.explain({ model: 'gpt-4o' });
    expect(tiers[0]?.channels.map(({ id }) => id).sort()).toEqual([ids[0], copy.id]);
  });
});

describe('changing channels', () => {
  test('presence decides: zero and empty values are saved, absent ones are not touched', async () => {
    const { operator, app } = await createTestApp();
    const { ids } = await operator.channel.create({
      ...openai,
      priority: 5,
      weight: 7,
      tag: 't',
      base_url: 'https://h',
      other: 'o',
    });
    const id = ids[0] ?? 0;
    const before = await operator.channel.get({ id });
    expect(await operator.channel.update({ id, weight: 0 })).toEqual({ ...before, weight: 0 });
    expect(
      await operator.channel.update({ id, priority: 0, tag: '', base_url: '', other: null }),
    ).toMatchObject({
      priority: 0,
      tag: '',
      base_url: '',
      other: '',
    });
    expect((await app.channels.get(id)).key.reveal()).toBe('sk-upstream-1');
    expect((await operator.channel.update({ id, key: ' sk-new ' })).key).toBe('');
    expect((await app.channels.get(id)).key.reveal()).toBe('sk-new');
    expect(await codeOf(operator.channel.update({ id, models: '' }))).toBe(
      'channel_models_required',
    );
    expect(await codeOf(operator.channel.update({ id, status: 3 }))).toBe('invalid_parameter');
    expect(await codeOf(operator.channel.update({ id: 99, weight: 1 }))).toBe('not_found');
  });

  test('counters the form echoes are not written', async () => {
    const { operator } = await createTestApp();
    const { ids } = await operator.channel.create(openai);
    const id = ids[0] ?? 0;
    const echoed = {
      id,
      name: 'renamed',
      used_quota: 99,
      balance: 99,
      response_time: 99,
      created_time: 1,
    };
    expect(await operator.channel.update(echoed)).toMatchObject({
      name: 'renamed',
      used_quota: 0,
      balance: 0,
      response_time: 0,
    });
  });

  test('off and on: the routes follow, the reason goes with status 1', async () => {
    const { operator, app, clock } = await createTestApp();
    const { ids } = await operator.channel.create(openai);
    const id = ids[0] ?? 0;
    const routes = async () => (await operator.routes.explain({ model: 'gpt-4o' })).tiers.length;
    const off = await operator.channel.update({ id, status: 2 });
    expect(JSON.parse(off.other_info)).toMatchObject({ status_time: clock.now() / 1000 });
    expect(await routes()).toBe(0);
    await app.storage.channels.setStatus(id, 2, 3, { reason: 'quota gone', time: 1 });
    const on = await operator.channel.update({ id, status: 1 });
    expect(on.other_info).not.toContain('quota gone');
    expect(await routes()).toBe(1);
  });

  test('removal: one, many, the disabled; routes follow', async () => {
    const { operator } = await createTestApp();
    const { ids } = await operator.channel.create({ ...openai, key: 'a\nb\nc\nd' });
    const [a = 0, b = 0, c = 0] = ids;
    await operator.channel.remove({ id: a });
    await operator.channel.update({ id: b, status: 2 });
    expect(await operator.channel.removeDisabled()).toBe(1);
    expect(await codeOf(operator.channel.removeMany({ ids: [] }))).toBe('invalid_parameter');
    expect(await operator.channel.removeMany({ ids: [c, 99] })).toBe(1);
    expect((await operator.routes.explain({ model: 'gpt-4o' })).tiers[0]?.channels).toHaveLength(1);
    expect(await operator.channel.fix()).toBe(1);
  });
});

describe('tags', () => {
  const setUp = async () => {
    const test = await createTestApp();
    await test.operator.channel.create({ ...openai, key: 'a\nb', tag: 'x', weight: 3 });
    await test.operator.channel.create({ ...openai, name: 'other', key: 'c' });
    return test;
  };
  const tagged = async ({ operator }: Awaited<ReturnType<typeof setUp>>, tag: string) =>
    (await operator.channel.list()).items.filter((channel) => channel.tag === tag);

  test('empty fields mean unchanged, zero is a value, an empty new tag dissolves', async () => {
    const test = await setUp();
    await test.operator.channel.editTag({
      tag: 'x',
      models: '',
      model_mapping: '',
      weight: 0,
      groups: 'vip',
    });
    expect(
      (await tagged(test, 'x')).map(({ weight, group, models }) => [weight, group, models]),
    ).toEqual([
      [0, 'vip', 'gpt-4o,gpt-4o-mini'],
      [0, 'vip', 'gpt-4o,gpt-4o-mini'],
    ]);
    await test.operator.channel.editTag({ tag: 'x', new_tag: 'y' });
    expect(await tagged(test, 'y')).toHaveLength(2);
    await test.operator.channel.editTag({ tag: 'y', new_tag: '' });
    expect(await tagged(test, '')).toHaveLength(3);
    expect(await codeOf(test.operator.channel.editTag({ tag: ' ', weight: 1 }))).toBe(
      'tag_required',
    );
    expect(await codeOf(test.operator.channel.editTag({ tag: 'nowhere', weight: 1 }))).toBe(
      'not_found',
    );
    expect(await codeOf(test.operator.channel.editTag({ tag: 'y', model_mapping: '[' }))).toBe(
      'json_object_required',
    );
  });

  test('all of a tag off and on, together with their routes', async () => {
    const test = await setUp();
    await test.operator.channel.disableTag({ tag: 'x' });
    expect((await tagged(test, 'x')).map(({ status }) => status)).toEqual([2, 2]);
    expect(
      (await test.operator.routes.explain({ model: 'gpt-4o' })).tiers[0]?.channels,
    ).toHaveLength(1);
    await test.operator.channel.enableTag({ tag: 'x' });
    expect(
      (await test.operator.routes.explain({ model: 'gpt-4o' })).tiers[0]?.channels,
    ).toHaveLength(3);
  });

  test('enabling a tag switches single keys on again, as enabling a channel does', async () => {
    const test = await setUp();
    const [keyed] = await tagged(test, 'x');
    const id = keyed?.id ?? 0;
    await test.app.storage.channels.disableKey(id, 'a key', { reason: 'bad', time: 1 });
    await test.operator.channel.disableTag({ tag: 'x' });
    expect((await test.operator.channel.get({ id })).other_info).toContain('a key');
    await test.operator.channel.enableTag({ tag: 'x' });
    await test.app.storage.channels.disableKey(id, 'another', { reason: 'bad', time: 1 });
    expect((await test.operator.channel.get({ id })).other_info).not.toContain('a key');
    await test.operator.channel.enableTag({ tag: 'x' });
    expect((await test.operator.channel.get({ id })).other_info).not.toContain('disabled_keys');
  });

  test('tag mode pages over tags; a batch gets and loses its tag', async () => {
    const test = await setUp();
    expect(await test.operator.channel.list({ tag_mode: true })).toMatchObject({
      total: 1,
      items: [{ tag: 'x' }, { tag: 'x' }],
    });
    const untagged = (await tagged(test, '')).map(({ id }) => id);
    expect((await test.operator.channel.list({ tag_mode: true })).total).toBe(1);
    expect(await test.operator.channel.list({ tag_mode: true, untagged: true })).toMatchObject({
      total: 2,
      items: [{ tag: 'x' }, { tag: 'x' }, { tag: '' }],
    });
    expect(await test.operator.channel.tagMany({ ids: untagged, tag: 'z' })).toBe(1);
    expect(await test.operator.channel.tagMany({ ids: untagged, tag: null })).toBe(1);
    expect(
      (await test.operator.channel.search({ keyword: 'other', tag_mode: true })).items,
    ).toEqual([]);
  });
});

test('tags with their sums, and what an edit of one would replace', async () => {
  const { operator } = await createTestApp();
  await operator.channel.create({ ...openai, key: 'a\nb', tag: 'x', group: 'vip,default' });
  await operator.channel.create({ ...openai, tag: 'x', models: 'm9', model_mapping: '{"m9":"n"}' });
  await operator.channel.create({ ...openai, name: 'single' });
  const page = await operator.channelTags.list({ page_size: 2 });
  expect(page).toMatchObject({
    tags: [{ tag: 'x', channels: 3, enabled: 3, groups: ['default', 'vip'], used_quota: 0 }],
    channels: [{ name: 'single' }],
    total: 2,
  });
  expect(await operator.channelTags.list({ state: 'untested', keyword: 'single' })).toMatchObject({
    tags: [],
    total: 1,
  });
  expect(await operator.channelTags.values({ tag: 'x' })).toEqual({
    models: ['m9', ...openai.models.split(',')].sort(),
    groups: ['default', 'vip'],
    model_mappings: ['', '{"m9":"n"}'],
  });
  await expect(operator.channelTags.values({ tag: 'y' })).rejects.toThrow(/not found/i);
  await expect(operator.channelTags.values({ tag: ' ' })).rejects.toThrow(/tag/i);
});

test('search: id, name, whole key; model and group', async () => {
  const { operator } = await createTestApp();
  await operator.channel.create({ ...openai, name: 'First_1', group: 'default,vip' });
  await operator.channel.create({
    ...openai,
    name: 'second',
    key: 'sk-second',
    models: 'claude-sonnet',
  });
  const names = async (query: Parameters<typeof operator.channel.search>[0]) =>
    (await operator.channel.search(query)).items.map(({ name }) => name);
  expect(await names({ keyword: 'FIRST' })).toEqual(['First_1']);
  expect(await names({ keyword: '_' })).toEqual(['First_1']);
  expect(await names({ keyword: '2' })).toEqual(['second']);
  expect(await names({ keyword: 'sk-second' })).toEqual(['second']);
  expect(await names({ keyword: 'sk-sec' })).toEqual([]);
  expect(await names({ model: 'CLAUDE' })).toEqual(['second']);
  expect(await names({ group: 'vip' })).toEqual(['First_1']);
  expect(await names({ group: 'null' })).toHaveLength(2);
});

test('a page is filtered by the server: text, status, failed test; with tags too', async () => {
  const { operator, app } = await createTestApp();
  const { ids } = await operator.channel.create({
    ...openai,
    name: 'east',
    key: 'a\nb\nc',
    tag: 'one',
  });
  const [first = 0, second = 0, third = 0] = ids;
  await operator.channel.create({ ...openai, name: 'west', tag: 'two' });
  await operator.channel.setStatusMany({ ids: [first, second], status: 2 });
  await app.storage.channels.updateTestResult(third, 5, 1, 'invalid key');
  const idsOf = async (query: Parameters<typeof operator.channel.list>[0]) => {
    const { items, total } = await operator.channel.list({ id_sort: true, ...query });
    return [items.map(({ id }) => id), total];
  };
  expect(await idsOf({ keyword: 'EAST', page_size: 2 })).toEqual([[third, second], 3]);
  expect(await idsOf({ keyword: 'east', page_size: 2, p: 1 })).toEqual([[first], 3]);
  expect(await idsOf({ status: 2 })).toEqual([[second, first], 2]);
  expect(await idsOf({ test_failed: true })).toEqual([[third], 1]);
  expect(await idsOf({ tag_mode: true, status: 2 })).toEqual([[second, first], 1]);
  expect(await idsOf({ tag_mode: true, keyword: 'west' })).toEqual([[4], 1]);
});

test('several are disabled and enabled in one step: each is announced once, with one entry of the audit log', async () => {
  const { operator, app } = await createTestApp();
  const { ids } = await operator.channel.create({ ...openai, key: 'a\nb\nc' });
  const announced: number[] = [];
  app.cluster.changes.listen(({ ids: changed }) => {
    announced.push(...changed);
  });
  expect(await operator.channel.setStatusMany({ ids: [...ids], status: 2 })).toBe(3);
  expect(await operator.channel.setStatusMany({ ids: [...ids], status: 2 })).toBe(0);
  expect(announced).toEqual([...ids]);
  expect((await operator.channel.list({ status: 2 })).total).toBe(3);
  expect(await operator.channel.enabledModels()).toEqual([]);
  expect(await operator.channel.setStatusMany({ ids: ids.slice(1), status: 1 })).toBe(2);
  expect(await codeOf(operator.channel.setStatusMany({ ids: [...ids], status: 3 }))).toBe(
    'invalid_parameter',
  );
  const { items } = await app.storage.auditLogs.page(
    { action: 'channel.update' },
    { offset: 0, limit: 9 },
  );
  expect(items.map(({ target }) => target)).toEqual([ids.slice(1).join(), ids.join()]);
});
