import { describe, expect, test } from 'vitest';
import type { CatalogModel } from '../../../../src/core/contract/model-square.ts';
import { descriptionOf, tagNames, typeName } from '../../../../src/ui/components/model-words.ts';
import { curlOf } from '../../../../src/ui/components/samples.ts';
import { playgroundLink } from '../../../../src/ui/routes/model-square/playground-link.ts';
import {
  availabilityOf,
  callableGroups,
  priceGroup,
} from '../../../../src/ui/routes/model-square/reader-price.ts';
import {
  facetsOf,
  joinValues,
  splitValues,
  squareUrl,
} from '../../../../src/ui/routes/model-square/square-filter.ts';

const model = (name: string, more: Partial<CatalogModel> = {}): CatalogModel => ({
  model: name,
  icon: '',
  description: '描述',
  description_en: '',
  type: '对话',
  type_en: 'chat',
  tags: ['工具'],
  tags_en: ['Tools'],
  manufacturer: 'OpenAI',
  vendor: 'openai',
  price_type: 2,
  context: '32K',
  longest_answer: '',
  output_limit: 0,
  reads: [],
  writes: [],
  images: null,
  specification: ['MoE'],
  publish_time: '2026-11-01',
  status: 1,
  quota_type: 0,
  model_ratio: 1,
  completion_ratio: 1,
  model_price: 0,
  cache_ratio: 1,
  cache_creation_ratio: 1,
  image_ratio: 1,
  audio_completion_ratio: 1,
  unpriced: false,
  enable_group: ['default', 'vip'],
  ...more,
});
const groups = [
  { name: 'team', ratio: 1, own: true },
  { name: 'default', ratio: 1, own: false },
  { name: 'vip', ratio: 0.8, own: false },
];

describe('the price that stands for a model', () => {
  test('is that of the own group, else of the cheapest one that can call it, else the own one again', () => {
    expect(priceGroup(model('a', { enable_group: ['team', 'vip'] }), groups).name).toBe('team');
    expect(priceGroup(model('a'), groups).name).toBe('vip');
    expect(priceGroup(model('a', { enable_group: ['hidden'] }), groups).name).toBe('team');
    expect(priceGroup(model('a'), []).ratio).toBe(1);
    expect(callableGroups(model('a'), groups).map(({ name }) => name)).toEqual(['vip', 'default']);
  });
  test('whether it can be called', () => {
    expect(availabilityOf(model('a', { status: 2 }), groups)).toBe('disabled');
    expect(availabilityOf(model('a', { enable_group: [] }), groups)).toBe('unserved');
    expect(availabilityOf(model('a', { enable_group: ['hidden'] }), groups)).toBe('other-groups');
    expect(availabilityOf(model('a'), groups)).toBe('available');
  });
});

describe('links to playgrounds', () => {
  test.each([
    [{ playground: 'chat' }, '/playground?model=m&enable_group=%5B%22default%22%2C%22vip%22%5D'],
    [
      { playground: 'image' },
      '/playground/image?model=m&enable_group=%5B%22default%22%2C%22vip%22%5D',
    ],
    [
      { playground: 'video', tags: ['竖屏', 'b'] },
      '/playground/video?model=m&enable_group=%5B%22default%22%2C%22vip%22%5D&tag=%E7%AB%96%E5%B1%8F',
    ],
    [{}, undefined],
  ] as const)('%j leads to %s', (more, to) => {
    expect(playgroundLink(model('m', more as Partial<CatalogModel>))?.to).toBe(to);
  });
  test('names are part of the query, never of the path', () => {
    const link =
      playgroundLink(model('javascript:alert(1)//&x=1', { playground: 'chat' }))?.to ?? '';
    expect(new URL(link, 'https://site.example').pathname).toBe('/playground');
    expect(new URL(link, 'https://site.example').searchParams.get('model')).toBe(
      'javascript:alert(1)//&x=1',
    );
  });
});

test('words are those of the reader, and known types have one name', () => {
  expect(typeName({ type: '聊天', type_en: '' }, 'zh')).toBe('对话');
  expect(typeName({ type: '聊天', type_en: '' }, 'en')).toBe('Chat');
  expect(typeName({ type: '翻译', type_en: 'translation' }, 'en')).toBe('Translation');
  expect(tagNames({ tags: ['工具', '视觉'], tags_en: ['Tools'] }, 'en')).toEqual(['Tools', '视觉']);
  expect(descriptionOf(model('a'), 'en')).toBe('描述');
});

test('values with commas and percent signs survive the address', () => {
  const values = ['a,b', '100%', '%2C', '对话'];
  expect(splitValues(joinValues(values))).toEqual(values);
  expect(splitValues('')).toEqual([]);
});

test('every choice of a filter has the number of models it would show beside the other filters', () => {
  const models = [
    model('a'),
    model('b', { manufacturer: 'Anthropic', type: 'chat' }),
    model('c', {
      type: '图像',
      type_en: 'image',
      context: '8K',
      tags: ['绘图', '工具'],
      tags_en: ['Drawing', 'Tools'],
    }),
  ];
  const text = ((key: string) => key) as never;
  const facets = facetsOf(models, { ...squareUrl, vendor: 'OpenAI' }, 'en', text);
  const of = (name: string) =>
    facets.find((facet) => facet.name === name)?.choices.map(({ label, count }) => [label, count]);
  expect(of('type')).toEqual([
    ['Chat', 1],
    ['Image', 1],
  ]);
  expect(of('vendor')).toEqual([
    ['OpenAI', 2],
    ['Anthropic', 1],
  ]);
  expect(of('tag')).toEqual([
    ['Tools', 2],
    ['Drawing', 1],
  ]);
  expect(of('context')).toEqual([
    ['≥ 8K', 2],
    ['≥ 16K', 1],
    ['≥ 32K', 1],
    ['≥ 128K', 0],
  ]);
  // All models are enabled: the status tells nothing apart.
  expect(of('status')).toBeUndefined();
  expect(facetsOf([], squareUrl, 'zh', text)).toEqual([]);
});

test('a search reads the words of thousands of models, but not anew for each of hundreds of choices', () => {
  let reads = 0;
  const models = Array.from({ length: 5000 }, (_, index) => {
    const tags = [`kind ${index % 60}`, `use ${index % 200}`];
    const entry = model(`m${index}`, { tags_en: tags, manufacturer: `vendor ${index % 80}` });
    const read = () => {
      reads += 1;
      return tags;
    };
    return Object.defineProperty(entry, 'tags', { get: read, enumerable: true });
  });
  const text = ((key: string) => key) as never;
  for (const q of ['', '1', '12', '123']) {
    const facets = facetsOf(models, { ...squareUrl, q }, 'en', text);
    const tags = facets.find(({ name }) => name === 'tag')?.choices ?? [];
    expect(tags).toHaveLength(260);
    // Each model has two tags.
    const found = models.filter(({ model: name }) => name.includes(q)).length;
    expect(tags.reduce((sum, { count }) => sum + count, 0)).toBe(2 * found);
  }
  expect(reads / models.length).toBeLessThan(20);
});

test('models that do not chat have a call by curl, whatever their name', () => {
  const values = { site: 'https://gw.example/', key: 'sk-1', model: "it's" };
  expect(curlOf('image', values)).toContain('https://gw.example/v1/images/generations');
  expect(curlOf('embedding', values)).toContain(`'{"model":"it'\\''s","input":"Hello"}'`);
  expect(curlOf('audio', { ...values, model: 'whisper-1' })).toContain("-F 'model=whisper-1'");
});
