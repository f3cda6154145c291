/** Claude, the newest first of each size. */
import type { ModelRow } from '../schema.ts';
import { endedOn, genaiPrices, litellm, rowsFrom } from './listed.ts';

const places = { batch: 0.5, us: 1.1 } as const;

/** Anthropic's own list of the ends of its models. */
const deprecations = {
  vendor: 'anthropic',
  source: 'https://platform.claude.com/docs/en/about-claude/model-deprecations',
  seen: '2026-11-28',
} as const;

/** Names with which callers ask this gateway for thinking. */
function suffixed(name: string, suffixes: readonly string[]): string[] {
  return suffixes.map((suffix) => `${name}-${suffix}`);
}

const priced = rowsFrom({ vendor: 'anthropic', ...litellm }, [
  [
    'claude-fable-5-1',
    {
      input: 10,
      output: 50,
      cacheRead: 0.25,
      cacheWrite: 12.5,
      longCacheWrite: 20,
      factors: places,
    },
  ],
  [
    'claude-mythos-5-1',
    {
      input: 10,
      output: 50,
      cacheRead: 0.25,
      cacheWrite: 12.5,
      longCacheWrite: 20,
      factors: places,
    },
  ],
  [
    'claude-fable-5',
    { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, longCacheWrite: 20, factors: places },
    { released: '2026-06-09' },
  ],
  [
    'claude-mythos-5',
    { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, longCacheWrite: 20, factors: places },
    { released: '2026-06-09' },
  ],
  [
    'claude-mythos-preview',
    {
      input: 10,
      output: 50,
      cacheRead: 1,
      cacheWrite: 12.5,
      longCacheWrite: 20,
      factors: { us: 1.1 },
    },
    { ends: '2026-06-09' },
  ],
  [
    'claude-opus-5-5',
    {
      input: 4,
      output: 20,
      cacheRead: 0.2,
      cacheWrite: 5,
      longCacheWrite: 8,
      factors: { ...places, fast: 2 },
    },
    { released: '2026-09-22' },
  ],
  [
    'claude-opus-5',
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      longCacheWrite: 10,
      factors: { ...places, fast: 2 },
    },
    { released: '2026-07-24' },
  ],
  [
    'claude-opus-4-8',
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      longCacheWrite: 10,
      factors: { ...places, fast: 2 },
    },
    { released: '2026-05-28' },
  ],
  [
    'claude-opus-4-7',
    { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, longCacheWrite: 10, factors: places },
    { released: '2026-04-16' },
  ],
  [
    'claude-opus-4-6',
    { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, longCacheWrite: 10, factors: places },
    {
      released: '2026-02-05',
      successor: 'claude-opus-5-5',
      aliases: suffixed('claude-opus-4-6', ['thinking', 'max', 'high', 'medium', 'low']),
    },
  ],
  [
    'claude-opus-4-5',
    {
      input: 5,
      output: 25,
      cacheRead: 0.5,
      cacheWrite: 6.25,
      longCacheWrite: 10,
      factors: { batch: 0.5 },
    },
    { ends: '2027-01-22', successor: 'claude-opus-5-5', endsAt: { vertex: '2026-11-24' } },
  ],
  [
    'claude-sonnet-5-5',
    { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5, longCacheWrite: 4, factors: places },
    { released: '2026-09-28' },
  ],
  [
    'claude-sonnet-5',
    { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, longCacheWrite: 4, factors: places },
    { released: '2026-06-30' },
  ],
  [
    'claude-sonnet-4-6',
    { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, longCacheWrite: 6, factors: places },
    { aliases: suffixed('claude-sonnet-4-6', ['thinking']) },
  ],
  [
    'claude-sonnet-4-5',
    {
      input: 3,
      output: 15,
      cacheRead: 0.3,
      cacheWrite: 3.75,
      longCacheWrite: 6,
      factors: { batch: 0.5 },
    },
    {
      ends: '2026-11-30',
      successor: 'claude-sonnet-5-5',
      endsAt: { aws: '2027-04-08', vertex: '2026-09-29' },
    },
  ],
  [
    'claude-haiku-5-5',
    {
      input: 0.1,
      output: 0.5,
      cacheRead: 0.01,
      cacheWrite: 0.125,
      longCacheWrite: 0.2,
      steps: [{ above: 100_000, input: 5, output: 5 }],
      factors: places,
    },
    { released: '2026-10-07' },
  ],
  [
    'claude-haiku-4-5',
    {
      input: 1,
      output: 5,
      cacheRead: 0.1,
      cacheWrite: 1.25,
      longCacheWrite: 2,
      factors: { batch: 0.5 },
    },
    { endsAt: { vertex: '2026-10-15' } },
  ],
]);

/** Prices that LiteLLM's catalogue no longer has. */
const older = rowsFrom({ vendor: 'anthropic', ...genaiPrices }, [
  [
    'claude-3-5-haiku',
    { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1, longCacheWrite: 1.6 },
    { ends: '2026-02-19', successor: 'claude-haiku-4-5' },
  ],
  [
    'claude-3-haiku',
    { input: 0.25, output: 1.25, cacheRead: 0.03, cacheWrite: 0.3, longCacheWrite: 0.5 },
    { ends: '2026-04-20', successor: 'claude-haiku-4-5' },
  ],
]);

/** What they cost stands in `providers/anthropic/prices.ts`. */
const gone = endedOn(deprecations, {
  '2024-11-06': 'claude-instant-1 claude-instant-1.2',
  '2025-07-21': 'claude-2 claude-2.0 claude-2.1 claude-3-sonnet',
  '2025-10-28': 'claude-3-5-sonnet',
  '2026-01-05': 'claude-3-opus',
  '2026-02-19': 'claude-3-7-sonnet',
  '2026-06-15': 'claude-opus-4',
});

const goneExceptOnBedrock = rowsFrom(deprecations, [
  ['claude-sonnet-4', undefined, { ends: '2026-06-15', endsAt: { aws: '2026-10-14' } }],
  ['claude-opus-4-1', undefined, { ends: '2026-08-05', endsAt: { aws: '2027-01-08' } }],
]);

export const anthropicRows: readonly ModelRow[] = [
  ...priced,
  ...older,
  ...gone,
  ...goneExceptOnBedrock,
];
