// Covers src/core/relay/charge/held-extras.ts.
/** What a body declares besides tokens, read from the body alone (docs/rules/metering.md#held-extras). */
import { describe, expect, it, vi } from 'vitest';
import { decimal, one } from '../../../../src/core/kernel/decimal.ts';
import type { PriceDetails } from '../../../../src/core/pricing/details.ts';
import { readCallerBody } from '../../../../src/core/relay/body/body-fields.ts';
import { heldExtras, isBuiltin } from '../../../../src/core/relay/charge/held-extras.ts';

const model = 'gpt-5.5';
const tools: PriceDetails['tools'] = new Map([['web_search', one]]);
const factors: PriceDetails['factors'] = new Map([['priority', { factor: one }]]);

interface Site {
  readonly model?: string;
  readonly details?: Partial<PriceDetails>;
  /** The fields that each channel strips. */
  readonly strips?: readonly (readonly string[])[];
}

const bodyOf = (fields: object) => readCallerBody(Buffer.from(JSON.stringify(fields)));

function extrasOf(
  fields: object,
  { model: name = model, details, strips = [[]] }: Site = {},
  body = bodyOf(fields),
) {
  const channels = strips.map((names) => ({ rules: { strips: names } }));
  const tiers = vi.fn((group: string, of: string) =>
    group === 'vip' && of === name ? [{ channels }] : [],
  );
  const context = { deps: { routing: { tiers } }, group: 'vip' } as unknown as Parameters<
    typeof heldExtras
  >[0];
  const all = { steps: [], factors, tools, ...details };
  return { ...heldExtras(context, body, name, all), looks: tiers.mock.calls.length };
}

it('a long body is read no more than what it names requires', () => {
  const readOf = (fields: object) => {
    const body = bodyOf(fields);
    const [get, contains] = [vi.spyOn(body, 'get'), vi.spyOn(body, 'contains')];
    const { looks } = extrasOf(fields, {}, body);
    return { looks, searches: contains.mock.calls.length, get: get.mock.calls.flat() };
  };
  // Nothing is searched for where there are no tools, and no channel for a tier that is not named.
  const plain = readOf({ speed: 5, messages: [{ content: '"web_search"' }] });
  expect(plain).toMatchObject({ looks: 0, searches: 0 });
  const functions = readOf({ tools: [{ type: 'function', name: 'weather' }], speed: 'fast' });
  expect(functions).toMatchObject({ looks: 1, searches: expect.any(Number) });
  expect(functions.get).not.toContain('tools');
  expect(readOf({ tools: [{ type: 'web_search' }] }).get).toContain('tools');
});

it('what nothing is read of may be malformed in a long body, which its upstream checks', () => {
  const fields = '"plugins":{x},"max_tool_calls":{x},"prompt_cache_options":[x]';
  const text = `{${fields},"user":"${'u'.repeat(5000)}"}`;
  expect(extrasOf({}, {}, readCallerBody(Buffer.from(text)))).toMatchObject({
    toolCalls: undefined,
    caching: 'none',
  });
});

describe('calls of tools', () => {
  const calls = (fields: object, details: Partial<PriceDetails> = {}) =>
    extrasOf(fields, { details }).toolCalls;

  it.each<[string, object[], object | undefined]>([
    ['a search', [{ type: 'web_search_2025_08_26' }], { web_search: 3 }],
    ['its preview', [{ type: 'web_search_preview' }], { web_search_preview: 3 }],
    ['OpenRouter’s search', [{ type: 'openrouter:web_search' }], { web_search: 3 }],
    ['a search of X', [{ type: 'x_search' }], { x_search: 3 }],
    ['files', [{ type: 'file_search' }], { file_search: 3 }],
    ['Google’s search', [{ googleSearch: {} }], { search_query: 3, grounded_request: 1 }],
    ['the same', [{ google_search: {} }], { search_query: 3, grounded_request: 1 }],
    ['its maps', [{ googleMaps: {} }], { maps_request: 1 }],
    ['the same maps', [{ google_maps: {} }], { maps_request: 1 }],
    [
      'code and its container',
      [{ type: 'code_interpreter' }],
      { code_interpreter: 3, container_minute: 5 },
    ],
    ['a shell’s container', [{ type: 'shell' }], { container_minute: 5 }],
    ['Anthropic’s container', [{ type: 'code_execution_20260120' }], { container_minute: 5 }],
    [
      'containers of several tools',
      [{ type: 'shell' }, { type: 'code_execution_20260120' }],
      { container_minute: 10 },
    ],
    [
      'a function of Kimi',
      [{ type: 'builtin_function', function: { name: '$web_search' } }],
      { $web_search: 1 },
    ],
    [
      'a function that only looks so',
      [{ type: 'builtin_function', function: { name: 'a' } }],
      undefined,
    ],
    ['a builtin without a name', [{ type: 'builtin_function' }], undefined],
    ['a function', [{ type: 'function', name: 'web_search', function: { name: '$a' } }], undefined],
    ['an image', [{ type: 'image_generation' }], undefined],
    ['a tool without a type', [{}], undefined],
    ['none', [], undefined],
  ])('%s', (_, tools, held) => {
    expect(calls({ tools })).toEqual(held);
  });

  it.each<[object, object | undefined]>([
    [{ web_search_options: {} }, { web_search: 3 }],
    [{ enable_search: true }, { web_search: 3 }],
    [{ enable_search: false }, undefined],
    [{ plugins: [{ id: 'web' }] }, { web_search: 3 }],
    [{ plugins: [{ id: 'other' }] }, undefined],
    [{ plugins: [{ id: 'other' }, { id: 'web' }] }, { web_search: 3 }],
    [{ plugins: { id: 'web' } }, undefined],
    [
      { plugins: [{ id: 'web' }], tools: [{ type: 'x_search' }] },
      { web_search: 3, x_search: 3 },
    ],
    [{ tools: { type: 'web_search' } }, undefined],
  ])('%o', (fields, held) => {
    expect(calls(fields)).toEqual(held);
  });

  it.each([
    [1, { web_search: 1 }],
    [0, { web_search: 0 }],
    [9, { web_search: 3 }],
    [-1, { web_search: 3 }],
    ['1', { web_search: 3 }],
  ])('max_tool_calls %j bounds them', (max_tool_calls, held) => {
    expect(calls({ tools: [{ type: 'web_search' }], max_tool_calls })).toEqual(held);
  });

  it('a container costs its minutes however few calls are allowed', () => {
    const tools = [{ type: 'code_interpreter' }];
    expect(calls({ tools, max_tool_calls: 0 })).toEqual({
      code_interpreter: 0,
      container_minute: 5,
    });
  });

  it('are those that a model always makes where none are declared, and none without prices', () => {
    const alwaysCalled = { web_search: 1 };
    expect(calls({}, { alwaysCalled })).toEqual(alwaysCalled);
    const declared = { tools: [{ type: 'x_search' }] };
    expect(calls(declared, { alwaysCalled })).toEqual({ x_search: 3 });
    expect(calls(declared, { alwaysCalled, tools: new Map() })).toBeUndefined();
  });
});

it.each([
  ['$web_search', true],
  ['web$search', false],
])('%s is a function that the vendor runs: %s', (name, is) => {
  expect(isBuiltin(name)).toBe(is);
});

describe('an image', () => {
  const image = (tool: object, site: Site = {}) =>
    extrasOf({ tools: [{ type: 'web_search' }, tool] }, site).image;

  it('is held at its own model, or at that of the requested one', () => {
    const tool = { type: 'image_generation', quality: 'low', size: '1024x1024' };
    expect(image({ ...tool, model: 'mine' })).toEqual({ model: 'mine', tokens: 272 });
    expect(image(tool)).toEqual({ model: 'gpt-image-2', tokens: 272 });
    expect(image({ type: 'image_generation' })).toEqual({ model: 'gpt-image-2', tokens: 6240 });
  });
  it('is none without the tool, and where nobody knows who makes it', () => {
    expect(image({ type: 'file_search', model: 'mine' })).toBeUndefined();
    expect(image({ type: 'image_generation' }, { model: 'unknown' })).toBeUndefined();
    expect(image({ type: 'image_generation' }, { details: { tools: new Map() } })).toBeUndefined();
  });
});

it.each([
  [['web_search_20260209'], true],
  [['code_execution_20260120', 'web_fetch_20260318'], true],
  [['web_search_20250305'], false],
  [['web_search'], false],
  [[undefined, 'web_search_20260209'], true],
  [['web_fetch_20250910'], false],
  [[], false],
])('containers are free beside %j: %s', (types, free) => {
  const fields = { tools: types.map((type) => ({ type })) };
  expect(extrasOf(fields, { model: 'claude-opus-5-5' }).freesContainers).toBe(free);
  expect(extrasOf(fields).freesContainers).toBe(false);
});

describe('tiers', () => {
  const dear = { factor: decimal(2) };
  const half = { factor: decimal(0.5) };
  const cheap = {
    details: {
      factors: new Map([
        ['priority', dear],
        ['flex', half],
      ]),
    },
  };
  it.each<[object, Site, readonly string[] | undefined]>([
    [{ service_tier: 'priority' }, {}, ['priority']],
    [{ serviceTier: 'flex' }, {}, ['flex']],
    [{ service_tier: 'fast' }, {}, ['priority']],
    [{ speed: 'fast' }, {}, ['fast']],
    [{ service_tier: 'priority', speed: 'fast' }, {}, ['priority', 'fast']],
    [{ service_tier: 5 }, {}, undefined],
    [{}, {}, undefined],
    [{ service_tier: 'priority' }, { strips: [['service_tier']] }, undefined],
    [{ service_tier: 'priority' }, { strips: [['service_tier'], []] }, ['priority']],
    [{ service_tier: 'priority' }, { strips: [] }, undefined],
    [{ service_tier: 'flex' }, { ...cheap, strips: [['service_tier'], []] }, undefined],
    [{ service_tier: 'flex' }, { ...cheap, strips: [[], ['service_tier']] }, undefined],
    [{ service_tier: 'flex' }, { ...cheap, strips: [[], ['speed']] }, ['flex']],
    [{ service_tier: 'flex' }, { ...cheap, strips: [] }, undefined],
    [{ service_tier: 'fast' }, { ...cheap, strips: [['service_tier'], []] }, ['priority']],
    [{ service_tier: 'priority' }, { details: { factors: new Map() } }, undefined],
  ])('%o %o', (fields, site, tiers) => {
    expect(extrasOf(fields, site).tiers).toEqual(tiers);
  });
});

describe('writes to the cache', () => {
  const message = { role: 'user', content: [{ type: 'text', text: 'a', cache_control: {} }] };
  it.each<[object, string, string]>([
    [{}, 'gpt-5.5', 'none'],
    [{}, 'gpt-6-sol', '5m'],
    [{}, 'claude-opus-5-5', 'none'],
    [{ prompt_cache_options: { ttl: '12h' } }, 'gpt-6-sol', '1h'],
    [{ prompt_cache_options: { ttl: '30m' } }, 'gpt-6-sol', '5m'],
    [{ prompt_cache_options: '12h' }, 'gpt-5.5', 'none'],
    [{ messages: [message] }, 'claude-opus-5-5', '5m'],
  ])('%o of %s: %s', (fields, name, caching) => {
    expect(extrasOf(fields, { model: name }).caching).toBe(caching);
  });
});
