/**
 * What vendors changed between December 2025 and November 2026 so that a plain request failed or was
 * billed wrongly, and what customers of these models use daily: each change has tests, which are named
 * here and found in their files. What is left stands in docs/conversions.md.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Change, features, type Test } from './support/features-2026.ts';
import { lives } from './support/model-lives-2026.ts';
import { urgent } from './support/urgent-2026.ts';

const wires = (title: string): Test => ['core/providers/wires-2026.test.ts', title];
const forwarded = (title: string): Test => ['core/providers/forwarded-2026.test.ts', title];
const refusals: Test = ['contract/providers/refusals-2026.test.ts', 'serves %s'];
const table: Test = ['contract/providers/table-2026.long.test.ts', '%s callers, streamed %s'];
const replayed = (title: string): Test => ['core/models/replayed-2026.mocked.test.ts', title];
const prices = (what: string): Test => ['core/relay/charge/token-cases.ts', what];
const tierPrices = (what: string): Test => ['core/relay/charge/tier-cases.ts', what];
const searchPrices = (what: string): Test => ['core/relay/charge/search-cases.ts', what];
const toolPrices = (what: string): Test => ['core/relay/charge/tool-cases.ts', what];

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
    forwarded('is followed by a request to do so since Claude 4.6'),
    refusals,
  ],
  [
    'thinking that cannot be switched off',
    wires('thinking of %s is switched off as far as it goes'),
    forwarded('between tools is the least of models that have no such way'),
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
  [
    'levels of thinking',
    wires('of Gemini 4 begin at low, and Hydrogen has more'),
    forwarded('of %s: %s becomes %s, in the spelling of the caller'),
    refusals,
  ],
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
    '`response.steer` and stream ids on one socket, each response billed once',
    [
      'core/relay/responses-socket/steering.test.ts',
      'asks for another one at its end, before what waits with its stream id; each is charged once',
    ],
    [
      'core/relay/responses-socket/responses-websocket.test.ts',
      'are served side by side, each in its order, each request charged once',
    ],
  ],
  // Replies
  [
    'what is learned from replies',
    ['core/relay/carry/reply-facts.test.ts', 'another model and the id are kept, streamed: %s'],
    ['core/relay/carry/reply-facts.test.ts', '%s is kept: %j'],
    ['core/relay/charge/thinking-dropped.test.ts', '%s with %s, whole and streamed'],
    ['core/relay/carry/other-model.test.ts', 'of another model stops for %s callers, streamed %s'],
  ],
  // Models
  ['models and prices of xAI, DeepSeek, Qwen, Kimi, GLM, Mistral and MiniMax', table],
  [
    'a name that nobody has seen has the rules of its family',
    ['core/models/catalogue.test.ts', '%s has the rules of %s'],
    refusals,
  ],
  ...lives,
];

const known = new Set(changes.map(([change]) => change));
it.each(Object.entries(urgent))('%s', (_section, mended) => {
  expect(mended.length).toBeGreaterThan(0);
  expect(mended.filter((change) => !known.has(change))).toEqual([]);
});
it.each(changes)('%s has a test', (_change, ...tests) => expect(tests).not.toEqual([]));

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
