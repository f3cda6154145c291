/** OpenAI's models before GPT-5: what they cost, and when they ended. */
import { ratioTo } from '../../kernel/decimal.ts';
import type { ModelRow } from '../schema.ts';
import { endedOn, litellm, rowsFrom } from './listed.ts';

/** OpenAI's own list of the ends of its models. */
const deprecations = {
  vendor: 'openai',
  source: 'https://developers.openai.com/api/docs/deprecations',
  seen: '2026-11-28',
} as const;

const priced = rowsFrom({ vendor: 'openai', ...litellm }, [
  [
    'gpt-4.1',
    { input: 2, output: 8, cacheRead: 0.5, factors: { batch: 0.5, priority: 1.75 } },
    { ends: '2027-01-14', successor: 'gpt-6-luna', endsAt: { azure: '2027-04-14' } },
  ],
  [
    'gpt-4.1-mini',
    { input: 0.4, output: 1.6, cacheRead: 0.1, factors: { batch: 0.5, priority: 1.75 } },
    { ends: '2027-01-14', successor: 'gpt-6-luna', endsAt: { azure: '2027-04-14' } },
  ],
  [
    'gpt-4.1-nano',
    { input: 0.1, output: 0.4, cacheRead: 0.025, factors: { batch: 0.5, priority: 2 } },
    { ends: '2026-10-23', successor: 'gpt-5.6-luna', endsAt: { azure: '2027-04-14' } },
  ],
  [
    'gpt-4o',
    { input: 2.5, output: 10, cacheRead: 1.25, factors: { batch: 0.5, priority: 1.7 } },
    { ends: '2027-01-14', successor: 'gpt-6-luna', endsAt: { azure: '2027-04-14' } },
  ],
  [
    'gpt-4o-mini',
    {
      input: 0.15,
      output: 0.6,
      cacheRead: 0.075,
      factors: { batch: 0.5, priority: ratioTo(0.25, 0.15) },
    },
    { ends: '2027-01-14', successor: 'gpt-6-luna', endsAt: { azure: '2027-04-14' } },
  ],
  [
    'gpt-4o-2024-05-13',
    { input: 5, output: 15, factors: { batch: 0.5, priority: 1.75 } },
    { ends: '2026-10-23', successor: 'gpt-5.6-sol', endsAt: { azure: '2027-01-14' } },
  ],
  [
    'gpt-4o-search-preview',
    { input: 2.5, output: 10, cacheRead: 1.25, factors: { batch: 0.5 } },
    { ends: '2026-07-23', successor: 'gpt-5.6-terra' },
  ],
  [
    'gpt-4o-mini-search-preview',
    { input: 0.15, output: 0.6, cacheRead: 0.075, factors: { batch: 0.5 } },
    { ends: '2026-07-23', successor: 'gpt-5.6-terra' },
  ],
  ['gpt-4-turbo', { input: 10, output: 30 }, { ends: '2026-10-23', successor: 'gpt-5.6-sol' }],
  [
    'gpt-4-1106-preview',
    { input: 10, output: 30 },
    { ends: '2026-10-23', successor: 'gpt-5.6-sol' },
  ],
  [
    'gpt-4',
    { input: 30, output: 60 },
    { ends: '2026-10-23', successor: 'gpt-5.6-sol', aliases: ['gpt-4-0613'] },
  ],
  [
    'gpt-3.5-turbo',
    { input: 0.5, output: 1.5 },
    { ends: '2026-10-23', successor: 'gpt-5.6-terra', aliases: ['gpt-3.5-turbo-0125'] },
  ],
  [
    'gpt-3.5-turbo-1106',
    { input: 1, output: 2 },
    { ends: '2026-09-28', successor: 'gpt-5.6-terra' },
  ],
  [
    'gpt-3.5-turbo-16k',
    { input: 3, output: 4 },
    { ends: '2026-10-23', successor: 'gpt-5.6-terra' },
  ],
  [
    'gpt-3.5-turbo-instruct',
    { input: 1.5, output: 2 },
    { kind: 'completion', ends: '2026-09-28', successor: 'gpt-5.6-terra' },
  ],
  [
    'o4-mini',
    {
      input: 1.1,
      output: 4.4,
      cacheRead: 0.275,
      factors: { batch: 0.5, flex: 0.5, priority: ratioTo(2, 1.1) },
      cacheFactors: { flex: { read: ratioTo(0.138, 0.275) } },
    },
    { ends: '2026-10-23', successor: 'gpt-5.6-terra', endsAt: { azure: '2026-11-19' } },
  ],
  [
    'o4-mini-deep-research',
    { input: 2, output: 8, cacheRead: 0.5 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol' },
  ],
  [
    'o3',
    { input: 2, output: 8, cacheRead: 0.5, factors: { batch: 0.5, flex: 0.5, priority: 1.75 } },
    { ends: '2026-12-11', successor: 'gpt-5.6-sol', endsAt: { azure: '2026-11-19' } },
  ],
  [
    'o3-pro',
    { input: 20, output: 80, factors: { batch: 0.5 } },
    { ends: '2026-12-11', successor: 'gpt-5.6-sol' },
  ],
  [
    'o3-mini',
    { input: 1.1, output: 4.4, cacheRead: 0.55, factors: { batch: 0.5 } },
    {
      ends: '2026-10-23',
      successor: 'gpt-5.6-sol',
      aliases: ['o3-mini-high', 'o3-mini-medium', 'o3-mini-low'],
      endsAt: { azure: '2026-11-19' },
    },
  ],
  [
    'o3-deep-research',
    { input: 10, output: 40, cacheRead: 2.5 },
    { ends: '2026-07-23', successor: 'gpt-5.6-sol' },
  ],
  [
    'o1',
    { input: 15, output: 60, cacheRead: 7.5, factors: { batch: 0.5 } },
    { ends: '2026-10-23', successor: 'gpt-5.6-sol', endsAt: { azure: '2026-11-19' } },
  ],
  [
    'o1-pro',
    { input: 150, output: 600, factors: { batch: 0.5 } },
    { ends: '2026-10-23', successor: 'gpt-5.6-sol' },
  ],
  [
    'computer-use-preview',
    { input: 3, output: 12 },
    { ends: '2026-07-23', successor: 'gpt-5.6-terra' },
  ],
  [
    'babbage-002',
    { input: 0.4, output: 0.4, factors: { batch: 0.5 } },
    { kind: 'completion', ends: '2026-09-28', successor: 'gpt-5.6-terra' },
  ],
  [
    'davinci-002',
    { input: 2, output: 2, factors: { batch: 0.5 } },
    { kind: 'completion', ends: '2026-09-28', successor: 'gpt-5.6-terra' },
  ],
]);

/** No catalogue has them any more; what they cost stands in `providers/openai/prices.ts`. */
const gone = endedOn(deprecations, {
  '2024-01-04':
    'ada babbage curie davinci text-ada-001 text-babbage-001 text-curie-001 text-davinci-edit-001 code-davinci-edit-001',
  '2024-09-13': 'gpt-3.5-turbo-0613 gpt-3.5-turbo-16k-0613',
  '2024-12-06': 'gpt-4-vision-preview gpt-4-1106-vision-preview',
  '2025-06-06': 'gpt-4-32k gpt-4-32k-0613',
  '2025-07-14': 'gpt-4.5-preview',
  '2025-07-28': 'o1-preview',
  '2025-10-10': 'gpt-4o-audio-preview-2024-10-01 gpt-4o-realtime-preview-2024-10-01',
  '2025-10-27': 'o1-mini text-moderation-latest text-moderation-stable',
  '2026-01-16': 'codex-mini-latest',
  '2026-02-17': 'chatgpt-4o-latest',
  '2026-03-26': 'gpt-4-0125-preview gpt-4-turbo-preview',
  '2026-05-07':
    'gpt-4o-audio-preview gpt-4o-mini-audio-preview gpt-4o-realtime-preview gpt-4o-mini-realtime-preview',
  '2026-05-12': 'dall-e-2 dall-e-3',
  '2027-01-06': 'tts-1 tts-1-hd',
  '2027-02-26': 'whisper-1',
});

export const olderOpenaiRows: readonly ModelRow[] = [...priced, ...gone];
