import { expect, it } from 'vitest';
import { tokensOfSeconds } from '../../../src/core/pricing/audio-tokens.ts';
import { catalogueDetails, relativePrices } from '../../../src/core/pricing/catalogue-details.ts';
import { ratiosOf } from '../../../src/core/pricing/catalogue-prices.ts';

const plain = { cacheRatio: 1, cacheWriteRatio: 1 };
it.each([
  [{ input: 0, output: 8, cacheRead: 1 }, { modelRatio: 0 }],
  [
    { input: 2, output: 8 },
    { modelRatio: 1, completionRatio: 4, ...plain },
  ],
  [
    { input: 2, output: 8, audioInput: 4, audioOutput: 8, imageInput: 1 },
    {
      modelRatio: 1,
      completionRatio: 4,
      ...plain,
      audioRatio: 2,
      audioCompletionRatio: 2,
      imageRatio: 0.5,
    },
  ],
  [
    { input: 2, output: 2, audioInput: 4 },
    { modelRatio: 1, completionRatio: 1, ...plain, audioRatio: 2 },
  ],
  [
    { input: 2, output: 2, audioOutput: 4 },
    { modelRatio: 1, completionRatio: 1, ...plain },
  ],
])('the list price %j is %j as ratios', (price, ratios) => {
  expect(ratiosOf(price)).toEqual(ratios);
});

it.each([
  [undefined, {}],
  [{ input: 2, output: 8 }, {}],
  [{ input: 2, output: 8, cacheWrite: 2.5, longCacheWrite: 4 }, { longCacheWrite: 1.6 }],
  [{ input: 2, output: 8, longCacheWrite: 4 }, {}],
  [{ input: 2, output: 8, cacheWrite: 0, longCacheWrite: 4 }, {}],
  [{ input: 2, output: 8, audioInput: 4, audioCacheRead: 1 }, { cachedAudio: 0.25 }],
  [{ input: 2, output: 8, audioCacheRead: 1 }, {}],
  [{ input: 2, output: 8, audioInput: 0, audioCacheRead: 1 }, {}],
  [{ input: 2, output: 8, imageInput: 4, imageCacheRead: 1 }, { cachedImage: 0.25 }],
  [{ input: 2, output: 8, imageCacheRead: 1 }, { cachedImage: 0.5 }],
  [{ input: 0, output: 8, imageCacheRead: 1 }, {}],
  [{ input: 2, output: 8, textOutput: 2 }, { textOutput: 0.25 }],
  [{ input: 2, output: 0, textOutput: 2 }, {}],
])('the list price %j says %j besides its ratios', (price, details) => {
  expect(relativePrices(price)).toEqual(details);
});

it('steps, factors and peak hours are as the list price has them', () => {
  const more = {
    steps: [{ above: 1000, input: 2, output: 2 }],
    factors: { flex: 0.5 },
    peakHours: [{ days: [1], from: 0, to: 60 }],
  };
  expect(relativePrices({ input: 1, output: 1, ...more })).toEqual(more);
});

it.each([
  ['gpt-4o-search-preview', { alwaysCalled: ['web_search'], tools: { web_search: 0.025 } }],
  ['sonar-deep-research', { thinking: 1.5, tools: { search_query: 0.005 } }],
  ['gemini-2.5-flash-image', { cachedAudio: 0.1, factors: { flex: 0.5 } }],
])('the catalogue says of %s besides its ratios: %j', (model, details) => {
  expect(catalogueDetails(model)).toMatchObject(details);
});

it.each(['cachedAudio', 'thinking', 'alwaysCalled'])(
  '%s is left out where there is none',
  (name) => {
    expect(Object.keys(catalogueDetails('gpt-4o') ?? {})).not.toContain(name);
  },
);

it('a model of which nothing is known has no details', () => {
  expect(catalogueDetails('nobody-1')).toBeUndefined();
  expect(catalogueDetails('gpt-6-sol')).toMatchObject({ tools: { web_search: 0.01 } });
});

it.each([
  [60, 1000],
  [0.2, 17],
  [90, 1500],
])('%d seconds of audio are %i tokens', (seconds, tokens) => {
  expect(Math.round(tokensOfSeconds(seconds))).toBe(tokens);
});
