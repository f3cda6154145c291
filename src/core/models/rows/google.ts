/** Gemini, the newest first. */
import { ratioTo } from '../../kernel/decimal.ts';
import type { ListPrice, ModelRow } from '../schema.ts';
import { endedOn, litellm, rowsFrom } from './listed.ts';

const origin = { vendor: 'gemini', ...litellm } as const;
const longPrompt = [{ above: 200_000, input: 2, output: 1.5 }] as const;
const tiers = { batch: 0.5, flex: 0.5, priority: 1.8 } as const;
/** Of older models cache reads cost in batches and in flex what they usually do. */
const fullReads = {
  factors: tiers,
  cacheFactors: { batch: { read: 1 }, flex: { read: 1 } },
} as const;
/** In these tiers the list has rounded figures, or others. */
const readsOf = (usual: number, flex: number, priority?: number) => ({
  factors: tiers,
  cacheFactors: {
    flex: { read: ratioTo(flex, usual) },
    ...(priority !== undefined && { priority: { read: ratioTo(priority, usual) } }),
  },
});

/** Google's own list of the ends of its models at the Gemini API; Vertex has other days. */
const deprecations = {
  vendor: 'gemini',
  source: 'https://ai.google.dev/gemini-api/docs/deprecations',
  seen: '2026-11-28',
} as const;

const fourth = { input: 2, output: 10, cacheRead: 0.1, factors: tiers } as const;
const flash = { input: 0.75, output: 3.75, cacheRead: 0.075, factors: tiers } as const;

/** What they cost after their introduction, as a page says that was read on 2026-11-29. */
const from = (day: string, price: ListPrice, source: string) =>
  ({ nextPrice: { from: day, price, source, seen: '2026-11-29' } }) as const;
const fourthFrom = (source: string) =>
  from('2026-12-01', { ...fourth, input: 4, output: 20, cacheRead: 0.2 }, source);
const flashFrom = (source: string) =>
  from('2027-01-01', { ...flash, input: 1.5, output: 7.5, cacheRead: 0.15 }, source);

const priced = rowsFrom(origin, [
  [
    'gemini-4-carbon',
    fourth,
    {
      ...fourthFrom('https://github.com/BerriAI/litellm/discussions/50970'),
      released: '2026-11-10',
      source: 'https://github.com/BerriAI/litellm/discussions/50970',
      seen: '2026-11-29',
    },
  ],
  // Cache reads: https://github.com/BerriAI/litellm/discussions/46238.
  [
    'gemini-4-argon',
    fourth,
    fourthFrom('https://ai.google.dev/gemini-api/docs/generate-content/latest-model'),
  ],
  ['gemini-4-hydrogen', { input: 1.5, output: 7.5, cacheRead: 0.075, factors: tiers }],
  ['gemini-3.8-flash', flash, flashFrom('https://github.com/BerriAI/litellm/discussions/39357')],
  [
    'gemini-3.7-flash',
    flash,
    {
      ...flashFrom('https://github.com/Portkey-AI/models/pull/906'),
      successor: 'gemini-3.8-flash',
      endsAt: { vertex: '2027-01-28' },
    },
  ],
  [
    'gemini-3.6-flash',
    flash,
    {
      ...flashFrom('https://github.com/Portkey-AI/models/pull/906'),
      endsAt: { vertex: '2026-11-19' },
    },
  ],
  [
    'gemini-3.5-flash',
    { input: 1.5, output: 9, cacheRead: 0.15, ...readsOf(0.15, 0.08) },
    { successor: 'gemini-3.6-flash', endsAt: { vertex: '2027-05-19' } },
  ],
  [
    'gemini-3.5-flash-lite',
    { input: 0.3, output: 2.5, cacheRead: 0.03, ...readsOf(0.03, 0.02, 0.05) },
    { endsAt: { vertex: '2027-07-21' } },
  ],
  [
    'gemini-3.1-pro-preview',
    { input: 2, output: 12, cacheRead: 0.2, steps: longPrompt, ...fullReads },
  ],
  [
    'gemini-3.1-flash-lite',
    { input: 0.25, output: 1.5, cacheRead: 0.025, audioInput: 0.5, factors: tiers },
    { ends: '2027-05-07', successor: 'gemini-3.5-flash-lite' },
  ],
  [
    'gemini-3-flash-preview',
    { input: 0.5, output: 3, cacheRead: 0.05, audioInput: 1, ...fullReads },
    { successor: 'gemini-3.6-flash' },
  ],
  [
    'gemini-2.5-pro',
    { input: 1.25, output: 10, cacheRead: 0.125, steps: longPrompt, ...fullReads },
    { ends: '2026-12-01', successor: 'gemini-3.8-flash', endsAt: { vertex: '2026-10-20' } },
  ],
  [
    'gemini-2.5-flash',
    { input: 0.3, output: 2.5, cacheRead: 0.03, audioInput: 1, ...fullReads },
    { ends: '2026-12-01', successor: 'gemini-3.5-flash-lite', endsAt: { vertex: '2026-10-20' } },
  ],
  [
    'gemini-2.5-flash-lite',
    { input: 0.1, output: 0.4, cacheRead: 0.01, audioInput: 0.3, ...fullReads },
    { endsAt: { vertex: '2026-10-20' } },
  ],
  ['gemini-pro-latest', { input: 2, output: 12, cacheRead: 0.2, steps: longPrompt, ...fullReads }],
  // The newest of them.
  ['gemini-flash-latest', flash, flashFrom('https://github.com/BerriAI/litellm/discussions/39357')],
  [
    'gemini-flash-lite-latest',
    { input: 0.3, output: 2.5, cacheRead: 0.03, ...readsOf(0.03, 0.02, 0.05) },
  ],
  ['gemini-omni-1.2-flash', { input: 1.5, output: 9 }],
  ['gemini-3.8-flash-tts', { input: 0.5, output: 9, cacheRead: 0.125, ...readsOf(0.125, 0.025) }],
  [
    'gemini-3.8-flash-lite-tts',
    { input: 0.5, output: 6, cacheRead: 0.125, ...readsOf(0.125, 0.025) },
  ],
  [
    'gemini-3.1-flash-tts-preview',
    { input: 1, output: 20, factors: { batch: 0.5 } },
    { ends: '2026-11-17', successor: 'gemini-3.8-flash-tts' },
  ],
  [
    'gemini-2.5-flash-preview-tts',
    { input: 0.5, output: 10, factors: { batch: 0.5 } },
    { ends: '2026-11-17', successor: 'gemini-3.8-flash-tts' },
  ],
  [
    'gemini-2.5-pro-preview-tts',
    { input: 1, output: 20, cacheRead: 0.125, factors: { batch: 0.5 } },
    { ends: '2026-11-17', successor: 'gemini-3.8-flash-tts' },
  ],
  ['gemini-3.5-transcribe', { input: 2, output: 12 }],
  [
    'gemini-embedding-2',
    { input: 0.2, output: 0, audioInput: 6.5, imageInput: 0.45, factors: { batch: 0.5 } },
  ],
  [
    'gemini-embedding-001',
    { input: 0.15, output: 0, factors: { batch: 0.5 } },
    { ends: '2028-05-14', successor: 'gemini-embedding-2' },
  ],
]);

const images = rowsFrom(origin, [
  ['gemini-nano-banana-2.1', { input: 1.5, output: 30, textOutput: 7.5, factors: { batch: 0.5 } }],
  [
    'gemini-3.1-flash-image',
    { input: 0.5, output: 60, textOutput: 3, factors: { batch: 0.5 } },
    { successor: 'gemini-nano-banana-2.1', endsAt: { vertex: '2027-05-28' } },
  ],
  [
    'gemini-3.1-flash-lite-image',
    { input: 0.25, output: 30, textOutput: 1.5, factors: { batch: 0.5 } },
  ],
  [
    'gemini-3-pro-image',
    { input: 2, output: 120, textOutput: 12, factors: tiers },
    { endsAt: { vertex: '2027-05-28' } },
  ],
  [
    'gemini-3-pro-image-preview',
    { input: 2, output: 120, textOutput: 12, factors: tiers },
    { ends: '2026-06-25', successor: 'gemini-3-pro-image' },
  ],
  [
    'gemini-2.5-flash-image',
    { input: 0.3, output: 30, textOutput: 2.5, cacheRead: 0.03, audioInput: 1, factors: tiers },
    { ends: '2027-03-15', successor: 'gemini-3.1-flash-lite-image' },
  ],
]);

/** What they cost stands in `providers/gemini/prices.ts`. */
const gone = endedOn(deprecations, {
  '2025-09-24':
    'gemini-1.5-pro gemini-1.5-flash gemini-1.5-flash-8b gemini-1.5-pro-latest gemini-1.5-flash-latest',
  '2025-10-30': 'embedding-001 gemini-embedding-exp-03-07',
  '2025-11-10': 'imagen-3.0-generate-002',
  '2025-12-02':
    'gemini-2.5-pro-exp-03-25 gemini-2.5-pro-preview-03-25 gemini-exp-1206 gemini-2.0-pro-exp gemini-2.0-flash-thinking-exp',
  '2026-01-14': 'text-embedding-004',
  '2026-03-09': 'gemini-3-pro-preview gemini-3-pro',
  '2026-06-01':
    'gemini-2.0-flash gemini-2.0-flash-exp gemini-2.0-flash-lite gemini-2.0-flash-lite-preview',
  '2026-08-17':
    'imagen-4.0-generate-001 imagen-4.0-ultra-generate-001 imagen-4.0-fast-generate-001',
});

export const googleRows: readonly ModelRow[] = [...priced, ...images, ...gone];
