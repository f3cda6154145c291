/** How models come, are described and end, with the tests that show it (rows-2026.test.ts). */
import type { Change, Test } from './features-2026.ts';

const replayed = (title: string): Test => ['core/models/replayed-2026.mocked.test.ts', title];
const ends = (title: string): Test => ['core/channels/model-ends.test.ts', title];

export const lives: readonly Change[] = [
  [
    'models that are switched off are not offered',
    replayed('the ends of the year came along'),
    [
      'core/channels/channel-catalog.test.ts',
      'lists have this year’s models and none that its vendor has ended',
    ],
    [
      'core/channels/channel-jobs.test.ts',
      'the owner learns once that a model ends, from 30 days before its end on',
    ],
    ends('the dashboard of the site names them, a minute after a change at the latest'),
    ends('a model ends for customers when its last channel loses it'),
    ends('operators see what has ended and what ends within 30 days, with its channels'),
    [
      'cli/commands/doctor.test.ts',
      'models that have ended or soon will are named with their successors',
    ],
    [
      'ui/routes/detail/inbox.test.tsx',
      'names a full disk, other gateways, late jobs, and what ends with its day and successor',
    ],
    [
      'ui/routes/channel/channel-drawer.test.tsx',
      'are named with their day, and mapped to the successor by a button',
    ],
    [
      'cli/commands/channel-ends.test.ts',
      'what ends is listed for all enabled channels or one, and mapped to its successor',
    ],
  ],
  [
    'customers see when models end',
    [
      'core/relay/lookups/model-list.test.ts',
      'stands beside its name: limits, modalities, its end and its successor',
    ],
    [
      'core/relay/lookups/model-list.test.ts',
      'shows an end that is near or past in a header of each reply, also of one that failed',
    ],
    [
      'ui/routes/pricing/pricing-screen.test.tsx',
      'says when models end or have ended, with what their vendor recommends',
    ],
    ['ui/routes/model-square/card-facts.test.tsx', '%j: %s'],
  ],
  [
    'a model is complete from its row',
    ...[
      'is described in the square',
      'of which only the family is known says what that is',
      'is on the price page and in lists of models',
      'is counted with its own tokenizer where the vendor reports no usage',
    ].map((title): Test => ['core/catalog/complete-from-row.test.ts', title]),
  ],
  [
    'a model that nobody has described',
    replayed(
      'a model that nobody has described is sold from the day on which a public list has its price',
    ),
  ],
];
