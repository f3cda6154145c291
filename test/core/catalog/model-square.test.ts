import { describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../support/app.ts';

type Entry = Parameters<TestApp['operator']['modelSquare']['add']>[0];

const entry = (model: string, more: Partial<Entry> = {}): Entry => ({
  model,
  icon: 'https://logo.example/a.svg',
  description: '描述',
  description_en: 'A description',
  type: '对话',
  tags: ['推理', '视觉'],
  tags_en: ['Reasoning', 'Vision'],
  manufacturer: 'OpenAI',
  price_type: 2,
  context: '128K',
  specification: ['MoE'],
  publish_time: '2026-11-01',
  status: 1,
  ...more,
});

const addChannel = ({ operator }: TestApp, models: string, group = 'default') =>
  operator.channel.create({ name: 'c', type: 1, key: 'k', models, group });
const names = (rows: readonly { readonly model: string }[]) => rows.map(({ model }) => model);

test('without entries the square has one row for each offered model, of the type that its name tells', async () => {
  const site = await createTestApp();
  await addChannel(site, 'gpt-4o,dall-e-3,text-embedding-3-small,whisper-1,org/qwen-rerank');
  await site.operator.channel.create({
    name: 'videos',
    type: 17,
    key: 'k',
    models: 'wan2.1-t2v',
    group: 'default',
  });
  await site.operator.option.set({
    key: 'ModelPrice',
    value: '{"org/qwen-rerank":0.1,"wan2.1-t2v":0.1,"dall-e-3":0.1}',
  });
  const { data } = await site.operator.modelSquare.list();
  expect(data.map(({ model, type }) => [model, type])).toEqual([
    ['dall-e-3', '图像'],
    ['gpt-4o', '对话'],
    ['org/qwen-rerank', '重排'],
    ['text-embedding-3-small', '向量'],
    ['wan2.1-t2v', '视频'],
    ['whisper-1', '音频'],
  ]);
  expect(data[1]).toMatchObject({
    status: 1,
    price_type: 2,
    description: '',
    tags: [],
    enable_group: ['default'],
    model_ratio: 1.25,
    context: '128K',
    longest_answer: '16K',
    output_limit: 16_384,
    images: null,
    reads: ['text', 'image', 'file'],
    ends: '2027-01-14',
    successor: 'gpt-6-luna',
  });
  expect(names((await site.operator.modelSquare.list({ type: ['对话'], status: 1 })).data)).toEqual(
    ['gpt-4o'],
  );
});

test('prices and groups are those of the price list now, and follow channels and options at once', async () => {
  const site = await createTestApp();
  const { operator } = site;
  const [id = 0] = (await addChannel(site, 'gpt-4o', 'default,vip')).ids;
  await operator.modelSquare.add(entry('gpt-4o', { model_price: '0.5' }));
  await operator.modelSquare.add(
    entry('unserved', { model_price: '0.5', publish_time: '2026-10-01' }),
  );
  const read = async () => (await operator.modelSquare.list()).data;
  expect(await read()).toMatchObject([
    {
      model: 'gpt-4o',
      quota_type: 0,
      model_ratio: 1.25,
      completion_ratio: 4,
      model_price: 0,
      enable_group: ['default', 'vip'],
    },
    { model: 'unserved', quota_type: 1, model_price: 0.5, unpriced: false, enable_group: [] },
  ]);
  await operator.option.set({ key: 'ModelPrice', value: '{"gpt-4o":0.2,"unserved":0.3}' });
  expect(await read()).toMatchObject([
    { quota_type: 1, model_price: 0.2 },
    { quota_type: 1, model_price: 0.3 },
  ]);
  await operator.channel.update({ id, status: 2 });
  expect((await read())[0]).toMatchObject({ model: 'gpt-4o', enable_group: [] });
});

test('a model whose tokens are free is not where a tool of its vendor is paid for', async () => {
  const site = await createTestApp();
  const { operator } = site;
  await addChannel(site, 'free,seeker');
  await operator.option.set({ key: 'ModelRatio', value: '{"free":0,"seeker":0}' });
  const details = { free: { tools: { web_search: 0 } }, seeker: { tools: { web_search: 0.01 } } };
  await operator.option.set({ key: 'ModelPriceDetails', value: JSON.stringify(details) });
  expect((await operator.modelSquare.list()).data).toMatchObject([
    { model: 'free', price_type: 1 },
    { model: 'seeker', price_type: 2 },
  ]);
});

test('a model that is sold without a price has no other than it is charged', async () => {
  const site = await createTestApp();
  const { operator } = site;
  await addChannel(site, 'no-price');
  await operator.modelSquare.add(entry('no-price', { model_price: '0.5' }));
  const read = async () => (await operator.modelSquare.list()).data[0];
  expect(await read()).toMatchObject({ quota_type: 1, model_price: 0.5, enable_group: [] });
  await operator.option.set({ key: 'SelfUseModeEnabled', value: 'true' });
  const sold = { quota_type: 0, model_ratio: 37.5, unpriced: true, enable_group: ['default'] };
  expect(await read()).toMatchObject(sold);
});

test('another process sees a change after a minute at the latest', async () => {
  const site = await createTestApp();
  await site.operator.modelSquare.add(entry('a'));
  expect(names((await site.operator.modelSquare.list()).data)).toEqual(['a']);
  await site.app.storage.modelSquare.delete('a');
  await site.app.storage.modelSquare.insert({
    model: 'b',
    icon: '',
    description: '',
    descriptionEn: '',
    type: '',
    typeEn: '',
    tags: 'broken',
    tagsEn: '[1,"x"]',
    manufacturer: '',
    priceType: 2,
    context: '?',
    specification: '{}',
    publishTime: '',
    status: 1,
    modelPrice: null,
    createdTime: 0,
    updatedTime: 0,
  });
  expect(names((await site.operator.modelSquare.list()).data)).toEqual(['a']);
  site.clock.move(61_000);
  expect((await site.operator.modelSquare.list()).data).toMatchObject([
    { model: 'b', tags: [], tags_en: ['x'], specification: [] },
  ]);
});

describe('filters', () => {
  async function setUp() {
    const site = await createTestApp();
    const { add } = site.operator.modelSquare;
    await add(entry('gpt-5', { context: '400K', publish_time: '2026-11-10' }));
    await add(
      entry('Claude-4', {
        manufacturer: 'Anthropic',
        context: '1M',
        tags: ['视觉'],
        tags_en: ['Vision'],
        publish_time: '2026-09-01',
      }),
    );
    await add(
      entry('flux', {
        type: '绘画',
        type_en: 'image',
        context: '4',
        specification: ['<10B'],
        publish_time: '2025-01-01',
      }),
    );
    await add(
      entry('free', {
        type: 'chat',
        price_type: 1,
        context: '8k',
        tags: '工具，视觉, 工具',
        publish_time: '2026-10-25',
      }),
    );
    await add(
      entry('old', {
        status: 2,
        specification: '50-100B,MoE',
        context: '16K',
        publish_time: '2026-11-19',
      }),
    );
    return site.operator.modelSquare;
  }

  test.each([
    [{}, ['gpt-5', 'free', 'Claude-4', 'flux', 'old']],
    [{ model: 'CLAUDE' }, ['Claude-4']],
    [{ type: '对话' }, ['gpt-5', 'free', 'Claude-4', 'old']],
    [{ type: ['文本'], status: '1' }, ['gpt-5', 'free', 'Claude-4']],
    [{ type: ['Chat', '图像'] }, ['gpt-5', 'free', 'Claude-4', 'flux', 'old']],
    [{ type: ['image'] }, ['flux']],
    [{ type: ['video'] }, []],
    [{ tags: ['vision'], manufacturer: 'anthropic' }, ['Claude-4']],
    [{ tags: ['工具', 'reasoning'] }, ['gpt-5', 'free', 'flux', 'old']],
    [{ price_type: [1] }, ['free']],
    [{ price_type: '1,2' }, ['gpt-5', 'free', 'Claude-4', 'flux', 'old']],
    [{ context: '128K' }, ['gpt-5', 'Claude-4']],
    [{ context: 16 }, ['gpt-5', 'Claude-4', 'old']],
    [{ context: ['128K', '8K'] }, ['gpt-5', 'free', 'Claude-4', 'old']],
    [{ context: 'long' }, []],
    [{ specification: '<10B' }, ['flux']],
    [{ specification: ['50-100b', '<10B'] }, ['flux', 'old']],
    [{ publish_time: 30 }, ['gpt-5', 'free', 'old']],
    [{ publish_time: ['90'] }, ['gpt-5', 'free', 'Claude-4', 'old']],
    [{ status: 2 }, ['old']],
    [
      { type: null, tags: [], model: null, context: '' },
      ['gpt-5', 'free', 'Claude-4', 'flux', 'old'],
    ],
  ] as const)('%j', async (filter, found) => {
    const square = await setUp();
    expect(names((await square.list(filter as never)).data)).toEqual(found);
  });

  test('the choices are what the models have, in both languages', async () => {
    const square = await setUp();
    expect(await square.filters()).toMatchObject({
      types: [
        { type: '对话', type_en: 'chat' },
        { type: '绘画', type_en: 'image' },
      ],
      tags: [
        { tag: '推理', tag_en: 'Reasoning' },
        { tag: '视觉', tag_en: 'Vision' },
        { tag: '工具', tag_en: 'Reasoning' },
      ],
      modelManufacturers: [
        { manufacturer: 'OpenAI', icon: 'https://logo.example/a.svg' },
        { manufacturer: 'Anthropic', icon: 'https://logo.example/a.svg' },
      ],
      specification: ['MoE', '<10B', '50-100B'],
      contexts: ['8K', '16K', '32K', '128K'],
    });
  });

  test('managers page through the entries', async () => {
    const square = await setUp();
    const page = await square.manage({ p: 2, page_size: 2 });
    expect([names(page.items), page.total]).toEqual([['Claude-4', 'flux'], 5]);
    expect((await square.manage({})).items).toHaveLength(5);
    expect(page.items[0]).toMatchObject({ stored_model_price: null, created_time: 1_795_176_000 });
  });
});

test('group ratios are those of the caller', async () => {
  const { operator, as, addUser } = await createTestApp();
  await operator.option.set({ key: 'GroupRatio', value: '{"default":1,"vip":0.8,"inner":0.5}' });
  await operator.option.set({ key: 'UserUsableGroups', value: '{"default":"d","vip":"v"}' });
  const inner = await as(await addUser('ann', { group: 'inner' }));
  expect((await operator.modelSquare.list()).group_ratio).toEqual({ default: 1, vip: 0.8 });
  expect((await inner.modelSquare.list()).group_ratio).toEqual({
    default: 1,
    inner: 0.5,
    vip: 0.8,
  });
});

describe('entries', () => {
  test.each([
    [{ model: '' }, 'catalog_field_required', 'model'],
    [{ icon: '' }, 'catalog_field_required', 'icon'],
    [{ description: '  ' }, 'catalog_field_required', 'description'],
    [{ publish_time: '' }, 'catalog_field_required', 'publish_time'],
    [{ type: '' }, 'catalog_field_required', 'type'],
    [{ tags: [] }, 'catalog_field_required', 'tags'],
    [{ tags: ' ,' }, 'catalog_field_required', 'tags'],
    [{ manufacturer: undefined }, 'catalog_field_required', 'manufacturer'],
    [{ price_type: undefined }, 'catalog_field_required', 'price_type'],
    [{ context: '' }, 'catalog_field_required', 'context'],
    [{ specification: [] }, 'catalog_field_required', 'specification'],
    [{ status: undefined }, 'catalog_field_required', 'status'],
    [{ model: 'm'.repeat(256) }, 'catalog_field_too_long', 'model'],
    [{ description: '长'.repeat(4001) }, 'catalog_field_too_long', 'description'],
    [{ tags: ['x'.repeat(41)] }, 'catalog_field_too_long', 'tags'],
    [
      { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) },
      'catalog_too_many_words',
      'tags',
    ],
    [{ model: '..' }, 'catalog_model_invalid', 'model'],
    [{ model: 'a/../b' }, 'catalog_model_invalid', 'model'],
    [{ model: 'org/' }, 'catalog_model_invalid', 'model'],
    [{ model: 'a\nb' }, 'catalog_model_invalid', 'model'],
    [{ icon: 'javascript:alert(1)' }, 'catalog_icon_invalid', 'icon'],
    [{ icon: 'JavaScript:alert(1)' }, 'catalog_icon_invalid', 'icon'],
    [{ icon: 'data:text/html,<script>1</script>' }, 'catalog_icon_invalid', 'icon'],
    [{ icon: '//evil.example/a.png' }, 'catalog_icon_invalid', 'icon'],
    [{ icon: '/\\evil.example/a.png' }, 'catalog_icon_invalid', 'icon'],
    [{ icon: 'logo.png' }, 'catalog_icon_invalid', 'icon'],
    [{ publish_time: '2026-02-30' }, 'catalog_date_invalid', 'publish_time'],
    [{ publish_time: '26-2-3' }, 'catalog_date_invalid', 'publish_time'],
    [{ context: 'long' }, 'catalog_context_invalid', 'context'],
    [{ price_type: 3 }, 'catalog_choice_invalid', 'price_type'],
    [{ status: 0 }, 'catalog_choice_invalid', 'status'],
    [{ model_price: '-1' }, 'catalog_price_invalid', 'model_price'],
    [{ model_price: 'cheap' }, 'catalog_price_invalid', 'model_price'],
    [{ model_price: '1000001' }, 'catalog_price_invalid', 'model_price'],
  ] as const)('%j is refused', async (change, code, field) => {
    const { operator } = await createTestApp();
    await expect(
      operator.modelSquare.add({ ...entry('m'), ...change } as Entry),
    ).rejects.toMatchObject({ code, field });
    expect((await operator.modelSquare.manage({})).items).toEqual([]);
  });

  test('an icon in its own address is small', async () => {
    const { operator } = await createTestApp();
    const add = (length: number) =>
      operator.modelSquare.add(entry('m', { icon: `data:image/svg+xml,${'x'.repeat(length)}` }));
    await expect(add(70_000)).rejects.toMatchObject({ code: 'catalog_icon_invalid' });
    expect((await add(60_000)).icon).toHaveLength(60_019);
  });

  test.each([
    'https://logo.example/a.png?x=1',
    '/uploads/2026/a.png',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/png;base64,AAAA',
  ])('the icon %s is accepted', async (icon) => {
    const { operator } = await createTestApp();
    expect(await operator.modelSquare.add(entry('m', { icon }))).toMatchObject({ icon });
  });

  test('are added once; known types get their English name; free models have no price', async () => {
    const { operator } = await createTestApp();
    const { add, update } = operator.modelSquare;
    expect(await add(entry('org/a', { model_price: 0.05, context: 32 }))).toMatchObject({
      type: '对话',
      type_en: 'chat',
      stored_model_price: '0.05',
      model_price: 0.05,
      context: '32K',
    });
    await expect(add(entry('org/a'))).rejects.toMatchObject({ code: 'catalog_model_exists' });
    expect(await add(entry('b', { price_type: 1, model_price: '3' }))).toMatchObject({
      price_type: 1,
      stored_model_price: null,
    });
    expect(await update({ model: 'b', model_price: '3' })).toMatchObject({
      stored_model_price: null,
    });
    expect(await update({ model: 'org/a', price_type: 1 })).toMatchObject({
      price_type: 1,
      stored_model_price: null,
    });
  });

  test('an edit changes only what it names, and is refused where the result would be wrong', async () => {
    const { operator, clock } = await createTestApp();
    const { add, update } = operator.modelSquare;
    const before = await add(entry('a'));
    clock.move(5000);
    const after = await update({ model: 'a', status: 2, tags: ['工具'] });
    expect(after).toEqual({
      ...before,
      status: 2,
      tags: ['工具'],
      updated_time: before.updated_time + 5,
    });
    await expect(update({ model: 'a', description: '' })).rejects.toMatchObject({
      code: 'catalog_field_required',
    });
    await expect(update({ model: 'a', icon: 'javascript:1' })).rejects.toMatchObject({
      code: 'catalog_icon_invalid',
    });
    await expect(update({ model: 'nobody', status: 1 })).rejects.toMatchObject({
      code: 'catalog_model_unknown',
    });
  });

  test('are deleted by name, slashes included, and every change is in the audit log', async () => {
    const { operator, as, addUser } = await createTestApp();
    await operator.modelSquare.add(entry('org/a'));
    await operator.modelSquare.update({ model: 'org/a', status: 2 });
    await operator.modelSquare.remove({ model: 'org/a' });
    await expect(operator.modelSquare.remove({ model: 'org/a' })).rejects.toMatchObject({
      code: 'catalog_model_unknown',
    });
    const { items } = await operator.audit.list({});
    expect(items.slice(0, 3).map(({ action, target }) => [action, target])).toEqual([
      ['model.remove', 'org/a'],
      ['model.update', 'org/a'],
      ['model.create', 'org/a'],
    ]);
    expect(JSON.stringify(items[1])).toContain('status');
    const ann = await as(await addUser('ann'));
    await expect(ann.modelSquare.add(entry('x'))).rejects.toMatchObject({ code: 'forbidden' });
  });
});
