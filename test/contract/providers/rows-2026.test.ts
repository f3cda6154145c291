/**
 * What vendors changed between December 2025 and November 2026 so that a plain request failed or was
 * billed wrongly, and what customers of these models use daily: each change has tests, which are named
 * here and found in their files. What is left stands in docs/conversions.md.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Change, features, type Test } from './support/features-2026.ts';

const wires = (title: string): Test => ['core/providers/wires-2026.test.ts', title];
const refusals: Test = ['contract/providers/refusals-2026.test.ts', 'serves %s'];
const table: Test = ['contract/providers/table-2026.long.test.ts', '%s callers, streamed %s'];
const replayed = (title: string): Test => ['core/models/replayed-2026.mocked.test.ts', title];
const prices = (what: string): Test => ['core/relay/charge/token-cases.ts', what];
const tierPrices = (what: string): Test => ['core/relay/charge/tier-cases.ts', what];
const searchPrices = (what: string): Test => ['core/relay/charge/search-cases.ts', what];
const toolPrices = (what: string): Test => ['core/relay/charge/tool-cases.ts', what];
const ends = (title: string): Test => ['core/channels/model-ends.test.ts', title];

const changes: readonly Change[] = [
  ...features,
  // OpenAI
  [
    'function tools of GPT-5.6 and GPT-6 need Responses, those of 5.4 and 5.5 with an effort',
    wires('functions of GPT-5.6 and GPT-6'),
    wires('go by Responses for GPT-5.4 and 5.5 only with an effort'),
    refusals,
  ],
  ['a chat by Responses has a key for the cache', wires('keep the key that the caller gave')],
  [
    'efforts: no `minimal` since 5.6, no `none` for astra and 6.1-sol, `max`',
    wires('of %s: %s becomes %s, whoever asks'),
    refusals,
  ],
  [
    'output limits of GPT-6 and Gemini 4',
    wires('of Gemini 4 are a million tokens, of GPT-6 128,000'),
    refusals,
  ],
  [
    'cache writes cost 1.25 × and 2.5 × since GPT-5.6',
    prices('with cache writes of thirty minutes'),
    prices('with cache writes of both lives'),
    table,
  ],
  [
    'a model before GPT-5.6 that reports cache writes pays nothing more for them',
    ['core/pricing/details.test.ts', 'a cache write of %s is billed since GPT-5.6 only'],
  ],
  ['above 272,000 tokens all costs more', prices('above 272k'), table],
  [
    'tools that the vendor counts, and containers',
    toolPrices('with searches that the vendor counts'),
    toolPrices('with two containers and three file searches'),
    toolPrices('with an image that its tool made'),
  ],
  [
    'the tier of the reply is billed',
    tierPrices('priority'),
    tierPrices('ultrafast'),
    tierPrices('flex'),
    [
      'core/relay/charge/vendor-prices.test.ts',
      'costs what the usual one does, and is noted (by %s)',
    ],
  ],
  // Anthropic
  [
    'models and prices up to 5.5',
    table,
    replayed('%s answers five formats, whole and streamed, at its price'),
  ],
  [
    'no sampling fields since 4.7, for callers of messages, too',
    wires('sampling fields and budgets of messages callers go'),
    refusals,
  ],
  [
    'no prefill since 4.6, no forced tools since 5.5',
    wires('an answer that is to go on is followed by a request to do so'),
    wires('%s is asked in words to call a tool'),
    wires('Haiku 5.5 and older models are still forced'),
    refusals,
  ],
  [
    'thinking that cannot be switched off',
    wires('thinking of %s is switched off as far as it goes'),
    refusals,
  ],
  ['the fast mode is billed', tierPrices('fast')],
  ['the place is billed', tierPrices('in the United States')],
  [
    '`billing_policy` never reaches a shared account',
    [
      'core/relay/carry/reply-facts.test.ts',
      'who of an organization pays is never said by a caller',
    ],
  ],
  [
    '`iterations` cost what their models cost',
    toolPrices('with an advisor'),
    toolPrices('answered by a cheaper model in its place'),
  ],
  [
    'errors of an account',
    wires('%s is a fault of the account'),
    wires('a limit of growth is none'),
  ],
  // Google
  ['models and prices up to Gemini 4', table],
  [
    'answers that end with CONTINUATION go on',
    wires('that end a long answer of Gemini 4 are no filter'),
    ['core/relay/carry/continued-answers.test.ts', 'gets one answer and one charge, streamed: %s'],
  ],
  ['levels of thinking', wires('of Gemini 4 begin at low, and Hydrogen has more'), refusals],
  ['penalties', wires('of Gemini 2.5 go at the Gemini API, and stay at Vertex and from 3 on')],
  [
    'cached audio, traffic types, grounding',
    prices('with audio, some of it cached'),
    tierPrices('on demand'),
    searchPrices('grounded by three queries'),
    searchPrices('grounded by maps'),
  ],
  [
    'long prompts of Gemini, Grok and Qwen cost more',
    prices('above 200k'),
    prices('above 256k'),
    table,
  ],
  // xAI, OpenRouter
  [
    'the search is a tool of Responses',
    ['core/providers/xai.test.ts', 'the suffix -search is the tool web_search: %s, streamed %s'],
  ],
  [
    'Grok since 4.3 takes an effort',
    wires('of Grok since 4.3 are sent, also for callers of other formats'),
    refusals,
  ],
  [
    'stated costs',
    [
      'core/relay/charge/upstream-cost.test.ts',
      'is what the vendor bills in each of their ways of saying it',
    ],
    prices('with cached tokens beside the others'),
  ],
  // China
  [
    'DeepSeek V4: thinking back on each turn, efforts, models',
    wires('gets thinking back on each turn, an empty one where the caller has none'),
    wires('gets the unsigned thinking of Gemini callers'),
    wires('is asked for effort %s in its own words'),
    refusals,
    table,
  ],
  [
    'writes to explicit caches of Qwen',
    wires('Qwen reports what it wrote into an explicit cache'),
    prices('with writes to an explicit cache'),
  ],
  [
    'GLM 5.3 always thinks, with efforts of its own',
    ['core/providers/zhipu.test.ts', 'GLM 5.3 thinks whatever is asked, %j with effort %s'],
    refusals,
    table,
  ],
  [
    'efforts of Doubao Seed 2',
    ['core/providers/volcengine.test.ts', '%s is sent as %s'],
    refusals,
    table,
  ],
  [
    'audio that Mistral counts beside the prompt',
    ['core/canonical/kit.test.ts', 'counts audio that Mistral leaves out of the prompt'],
  ],
  // Agents
  [
    '`shell`, `apply_patch` and `tool_search` with models of other vendors',
    ['contract/conversion/client-tools.test.ts', 'are carried out and answered, streamed: %s'],
    [
      'contract/conversion/client-tools.test.ts',
      'by the client is a function; what it finds is one, streamed: %s',
    ],
  ],
  [
    '`response.steer` and lanes on one socket, each response billed once',
    [
      'core/relay/responses-socket/steering.test.ts',
      'asks for another one at its end, before what waits in its lane; each is charged once',
    ],
    [
      'core/relay/responses-socket/responses-websocket.test.ts',
      'are served side by side, each in its order, each request charged once',
    ],
  ],
  // Models end
  [
    'models that are switched off are not offered',
    replayed('the ends of the year came along'),
    ends('a model ends for customers when its last channel loses it'),
    ends('operators see what has ended and what ends within 30 days, with its channels'),
    [
      'cli/commands/doctor.test.ts',
      'models that have ended or soon will are named with their successors',
    ],
    ['ui/routes/detail/ending-models.test.tsx', 'names what ends with its day and successor'],
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
    'a model that nobody has described',
    replayed(
      'a model that nobody has described is sold from the day on which a public list has its price',
    ),
  ],
];

const text = (file: string): string =>
  readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8');

for (const [change, ...tests] of changes)
  describe(change, () => {
    it.each(tests)('is tested in %s: %s', (file, title) => {
      const quoted = ["'", '`', '"'].map((quote) => `${quote}${title}${quote}`);
      const found = quoted.some((words) => text(file).includes(words));
      expect(found || text(file).includes(`\${provider.slug} ${title}`), title).toBe(true);
    });
  });
