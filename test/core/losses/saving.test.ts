/** A price below its cost is saved only where somebody agreed (docs/rules/losses.md#saving). */
import { globSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/core/contract/endpoint.ts';
import { api } from '../../../src/core/contract/index.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

type Site = Awaited<ReturnType<typeof createTestApp>>;
let site: Site;
beforeEach(async () => {
  site = await createTestApp();
  const { operator } = site;
  await operator.option.set({ key: 'ModelRatio', value: '{"gpt-4o":100}' });
  // More than the list price of this model, which is $2.50.
  await operator.channel.create({
    name: 'main',
    type: 8,
    key: 'k',
    models: 'gpt-4o',
    base_url: 'http://127.0.0.1:9',
    cost: '{"models":{"gpt-4o":{"input":20,"output":80}}}',
  });
});

const cheap = { key: 'ModelRatio', value: '{"gpt-4o":1}' } as const;

/** Every call that may save a price, with prices below their cost. */
const paths: Readonly<Record<string, (site: Site, below_cost: boolean) => Promise<unknown>>> = {
  'option.set': ({ operator }, below_cost) => operator.option.set({ ...cheap, below_cost }),
  'option.setMany': ({ operator }, below_cost) =>
    operator.option.setMany({ values: [cheap], below_cost }),
  'option.reset': ({ operator }, below_cost) =>
    operator.option.reset({ key: 'ModelRatio', below_cost }),
  'option.resetModelRatio': ({ operator }, below_cost) =>
    operator.option.resetModelRatio({ below_cost }),
  'siteConfig.apply': async ({ operator }, below_cost) => {
    const { problems } = await operator.siteConfig.apply({ options: [cheap], below_cost });
    if (problems[0] !== undefined) throw problems[0];
  },
  'priceSync.apply': async ({ operator }, below_cost) => {
    const source = { source: 'catalogue' };
    const { models, below_cost: found } = await operator.priceSync.preview({ ...source, days: 0 });
    expect(found).toMatchObject([{ model: 'gpt-4o' }, { model: 'gpt-4o' }]);
    await operator.priceSync.apply({ ...source, models, below_cost });
  },
};

it('every call that takes an agreement is tried', () => {
  const calls = Object.entries(api).flatMap(([group, members]) =>
    Object.entries(members as Record<string, Endpoint>).flatMap(([name, { input, method }]) =>
      method !== 'GET' && 'below_cost' in input.shape ? [`${group}.${name}`] : [],
    ),
  );
  expect(calls.sort()).toEqual(Object.keys(paths).sort());
});

/** Who else writes options: an import into a site without channels, of any family, and the first start. */
const otherWriters = [
  'src/core/channels/model-sync.ts',
  'src/core/import/litellm/prices.ts',
  'src/core/import/one-api-site.ts',
  'src/core/import/sub2api/settings.ts',
  'src/core/setup/setup.ts',
];

it('nothing else writes them past the store, whose guard asks', () => {
  const writes = globSync('src/core/**/*.ts').filter((file) =>
    /options(\??\.|\.)(set|setMany|change)\(/.test(readFileSync(file, 'utf8')),
  );
  const guarded = [
    'price-sync/price-sync.ts',
    'site/option-store.ts',
    'site-config/apply-config.ts',
  ];
  const known = [...guarded.map((file) => `src/core/${file}`), ...otherWriters];
  expect(writes.filter((file) => !known.includes(file))).toEqual([]);
});

describe.each(Object.entries(paths))('%s', (_, save) => {
  const ratio = () => site.app.site.options.get('ModelRatio')['gpt-4o'];

  it('is refused until somebody agrees', async () => {
    expect(await codeOf(save(site, false))).toBe('price_below_cost');
    expect(ratio()).toBe(100);
    await save(site, true);
    expect(ratio()).toBeLessThan(10);
  });
});

it('the refusal names the prices, and what is below already is not asked about', async () => {
  const { operator } = site;
  await expect(operator.option.set(cheap)).rejects.toThrow(
    /gpt-4o input: \$2\.00 < \$20\.00 \(#1 main\); gpt-4o output: /,
  );
  await operator.option.set({ ...cheap, below_cost: true });
  await operator.option.set({ key: 'ModelRatio', value: '{"gpt-4o":1,"other":3}' });
  await operator.option.set({ key: 'Footer', value: 'x' });
});

it.each([
  ['GroupRatio', '{"default":0.01,"vip":1,"svip":1}'],
  // What the members of another group pay in this one.
  ['GroupGroupRatio', '{"vip":{"default":0.01}}'],
  ['CompletionRatio', '{"gpt-4o":0.1}'],
  ['QuotaPerUnit', '500000000'],
  ['ModelPriceDetails', '{"gpt-4o":{"tools":{"web_search":0.01}}}'],
])('%s', async (key, value) => {
  const code = await codeOf(site.operator.option.set({ key, value }));
  // Tools are no kind of token: their cost is not known.
  expect(code).toBe(key === 'ModelPriceDetails' ? 'it did not fail' : 'price_below_cost');
});

it('a price for a whole video covers one of the usual length by the second', async () => {
  const { operator } = site;
  const model = 'veo-3.1-fast-generate-001';
  await operator.channel.create({
    name: 'videos',
    type: 24,
    key: 'k',
    models: model,
    base_url: 'http://127.0.0.1:9',
    cost: '{"base":"list","ratio":1}',
  });
  const price = (value: number) =>
    codeOf(operator.option.set({ key: 'ModelPrice', value: JSON.stringify({ [model]: value }) }));
  // Five seconds at the lowest list price of one, 0.1.
  expect(await price(0.49)).toBe('price_below_cost');
  expect(await price(0.5)).toBe('it did not fail');
  await operator.option.set({
    key: 'VideoRatios',
    value: JSON.stringify({ [model]: { '720P': 1 } }),
  });
  expect(await price(0.11)).toBe('it did not fail');
  expect(await price(0.09)).toBe('price_below_cost');
  // Half of a ratio is the price of a video.
  await operator.option.set({ key: 'VideoRatios', value: '{}', below_cost: true });
  await operator.option.set({ key: 'ModelPrice', value: '{}' });
  const ratio = (value: number) =>
    codeOf(operator.option.set({ key: 'ModelRatio', value: JSON.stringify({ [model]: value }) }));
  expect(await ratio(0.99)).toBe('price_below_cost');
  expect(await ratio(1)).toBe('it did not fail');
});
