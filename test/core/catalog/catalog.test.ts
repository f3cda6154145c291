import { expect, test } from 'vitest';
import { createTestApp } from '../../support/app.ts';

async function setUp() {
  const test = await createTestApp();
  await test.operator.option.set({
    key: 'GroupRatio',
    value: '{"default":1,"vip":0.8,"inner":0.5}',
  });
  await test.operator.option.set({
    key: 'UserUsableGroups',
    value: '{"default":"Everyone","vip":"VIP","gone":"removed"}',
  });
  await test.operator.option.set({ key: 'GroupGroupRatio', value: '{"inner":{"vip":0.1}}' });
  return test;
}

test('groups: those with a ratio that are open, and one’s own; special ratios count', async () => {
  const { as, addUser, operator } = await setUp();
  expect(await operator.self.visitorGroups()).toEqual({
    default: { ratio: 1, desc: 'Everyone' },
    vip: { ratio: 0.8, desc: 'VIP' },
  });
  const me = await as(await addUser('ann', { group: 'inner' }));
  expect(await me.self.groups()).toEqual({
    default: { ratio: 1, desc: 'Everyone' },
    inner: { ratio: 0.5, desc: 'User group' },
    vip: { ratio: 0.1, desc: 'VIP' },
  });
  expect(await operator.channel.groups()).toEqual(['default', 'inner', 'vip']);
});

test('models: of enabled channels in the groups one may use', async () => {
  const { as, addUser, operator } = await setUp();
  await operator.option.set({ key: 'ModelRatio', value: '{"gpt-4o":1,"b":1,"secret":1,"off":1}' });
  const channel = { name: 'c', type: 1, key: 'k' };
  await operator.channel.create({ ...channel, models: 'gpt-4o,b', group: 'vip' });
  await operator.channel.create({ ...channel, models: 'secret', group: 'inner' });
  const { ids } = await operator.channel.create({ ...channel, models: 'off', group: 'default' });
  await operator.channel.update({ id: ids[0] ?? 0, status: 2 });
  const ann = await as(await addUser('ann'));
  const bob = await as(await addUser('bob', { group: 'inner' }));
  expect(await ann.self.models()).toEqual(['b', 'gpt-4o']);
  expect(await ann.self.availableModels()).toEqual(['b', 'gpt-4o']);
  expect(await bob.self.models()).toEqual(['b', 'gpt-4o', 'secret']);
});

test('prices: by call before by token, unpriced ones at the assumed ratio and marked', async () => {
  const { operator } = await setUp();
  await operator.option.set({ key: 'ModelPrice', value: '{"per-call":0.1,"both":0.2}' });
  await operator.option.set({ key: 'ModelRatio', value: '{"by-token":1.25,"both":3}' });
  await operator.option.set({ key: 'CompletionRatio', value: '{"by-token":4}' });
  await operator.channel.create({
    name: 'c',
    type: 1,
    key: 'k',
    models: 'per-call,by-token,both,unknown',
    group: 'vip,default',
  });
  const { data, group_ratio, usable_group } = await operator.catalog.pricing();
  expect(
    data.map((row) => [
      row.model_name,
      row.quota_type,
      row.model_price,
      row.model_ratio,
      row.completion_ratio,
      row.unpriced,
    ]),
  ).toEqual([
    ['both', 1, 0.2, 0, 0, false],
    ['by-token', 0, 0, 1.25, 4, false],
    ['per-call', 1, 0.1, 0, 0, false],
    ['unknown', 0, 0, 37.5, 1, true],
  ]);
  expect(data[0]?.enable_groups).toEqual(['default', 'vip']);
  expect(data[1]).toMatchObject({
    cache_ratio: 1,
    cache_creation_ratio: 1.25,
    image_ratio: 1,
    audio_completion_ratio: 1,
  });
  expect(data[1]).not.toHaveProperty('audio_ratio');
  expect(group_ratio).toEqual({ default: 1, vip: 0.8 });
  expect(usable_group).toEqual({ default: 'Everyone', vip: 'VIP' });
});

test('prices: all that is charged on a new site, as the catalogue has it, with sizes and seconds', async () => {
  const { operator } = await createTestApp();
  const channel = { name: 'c', key: 'k', group: 'default' };
  const claude = 'claude-haiku-5-5';
  await operator.channel.create({ ...channel, type: 14, models: claude });
  await operator.channel.create({ ...channel, type: 1, models: 'dall-e-3,gpt-image-2' });
  await operator.channel.create({ ...channel, type: 17, models: 'wan2.5-t2v-preview' });
  const perSecond = { 'wan2.5*': { '480p': 1, '720P': 2 } };
  await operator.option.set({
    key: 'ModelPrice',
    value: '{"dall-e-3":0.04,"wan2.5-t2v-preview":0.2}',
  });
  const read = async (model: string) =>
    (await operator.catalog.pricing()).data.find(({ model_name }) => model_name === model);
  // Dollars per million tokens: 0.1 in, 0.5 out, cache read 0.01, cache write 0.125 and 0.2, the
  // fivefold above 100k (LiteLLM's public catalogue 1.110.2, 2026-11-24).
  expect(await read(claude)).toMatchObject({
    unpriced: false,
    model_ratio: 0.05,
    completion_ratio: 5,
    cache_ratio: 0.1,
    cache_creation_ratio: 1.25,
    create_cache_ratio: 1.25,
    details: {
      steps: [{ above: 100_000, input: 5, output: 5 }],
      long_cache_write_ratio: 1.6,
      tools: { web_search: 0.01 },
    },
  });
  expect((await read('dall-e-3'))?.image_factors).toEqual({
    '256x256': 0.4,
    '512x512': 0.45,
    '1024x1792': 2,
    '1792x1024': 2,
    '256x256 hd': 0.8,
    '512x512 hd': 0.9,
    '1024x1792 hd': 3,
    '1792x1024 hd': 3,
    '1024x1024 hd': 2,
  });
  expect(await read('gpt-image-2')).not.toHaveProperty('image_factors');
  // Dollars per million: images 8, cached ones 2 (the same catalogue).
  expect(await read('gpt-image-2')).toMatchObject({ details: { cached_image_ratio: 0.25 } });
  expect(await read('wan2.5-t2v-preview')).not.toHaveProperty('video_ratios');
  await operator.option.set({ key: 'VideoRatios', value: JSON.stringify(perSecond) });
  const video = { model_price: 0.2, video_ratios: { '480P': 1, '720P': 2 } };
  expect(await read('wan2.5-t2v-preview')).toMatchObject(video);
  const square = await operator.modelSquare.list({});
  expect(square.data.find(({ model }) => model === 'wan2.5-t2v-preview')).toMatchObject(video);
});

test('prices: audio has ratios of its own where it costs more than text', async () => {
  const { operator } = await setUp();
  await operator.option.set({ key: 'ModelRatio', value: '{"by-token":1}' });
  await operator.option.set({ key: 'AudioRatio', value: '{"by-token":16}' });
  await operator.option.set({ key: 'AudioCompletionRatio', value: '{"by-token":2}' });
  await operator.channel.create({
    name: 'c',
    type: 1,
    key: 'k',
    models: 'by-token',
    group: 'default',
  });
  const { data } = await operator.catalog.pricing();
  expect(data[0]).toMatchObject({ audio_ratio: 16, audio_completion_ratio: 2 });
});

test('prices: what is wrong with a table is refused with its place, and nothing is stored', async () => {
  const { operator } = await setUp();
  await operator.option.set({ key: 'ModelRatio', value: '{"m":2}' });
  const refusal = async (key: string, value: string) => {
    const error = await operator.option
      .set({ key, value })
      .catch((reason: unknown) => reason as Error);
    return error === undefined ? 'accepted' : error.message;
  };
  expect(await refusal('ModelRatio', '{\n  "a": 1,\n  "b": \n}')).toContain(
    'is not a valid JSON string (line 4, column 1)',
  );
  expect(await refusal('ModelRatio', '{"gpt-4.1": -1}')).toContain('gpt-4.1 must not be negative');
  expect(await refusal('ModelPrice', '{"m": "free"}')).toContain('m must be a number');
  expect(await refusal('GroupGroupRatio', '{"vip":{"default":-2}}')).toContain(
    'vip.default must not be negative',
  );
  const stored = await operator.option.list({});
  expect(stored.find(({ key }) => key === 'ModelRatio')?.value).toBe('{"m":2}');
});

test('a group may be called as what every object has', async () => {
  const { operator } = await setUp();
  await operator.option.set({ key: 'GroupRatio', value: '{"default":1,"constructor":3}' });
  await operator.option.set({ key: 'UserUsableGroups', value: '{"constructor":"C"}' });
  expect((await operator.catalog.pricing()).group_ratio).toMatchObject({ constructor: 3 });
});
