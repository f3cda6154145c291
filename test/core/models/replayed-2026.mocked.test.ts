/**
 * The year 2026 without a release of this program: a site knows what was known on New Year's Day;
 * each release arrives as data, on its day, in a signed list (docs/rules/models.md#sync). Vendors
 * refuse what the real ones refuse. Nothing is edited and nothing restarts.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { knownModels } from '../../../src/core/models/known-models.ts';
import type { ModelRow } from '../../../src/core/models/schema.ts';
import { refusalOf } from '../../contract/providers/support/vendors-of-2026.ts';
import { type CallBench, startCallBench } from '../../support/calls.ts';
import {
  type ReceivedRequest,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';
import { vendorReply } from '../../support/vendor-replies.ts';
import { type Release, releases, rowsOn, rulesOn } from './year-2026.ts';

vi.mock(import('../../../src/core/models/rows/index.ts'), async (original) => {
  const { modelRows } = await original();
  const { rowsOn: known } = await import('./year-2026.ts');
  return { modelRows: known('2026-01-01', modelRows) };
});
vi.mock(import('../../../src/core/models/rules/index.ts'), async (original) => {
  const { modelRules } = await original();
  const { rulesOn: known } = await import('./year-2026.ts');
  return { modelRules: known('2026-01-01', modelRules) };
});
const { modelRows } = await vi.importActual<
  typeof import('../../../src/core/models/rows/index.ts')
>('../../../src/core/models/rows/index.ts');
const { modelRules } = await vi.importActual<
  typeof import('../../../src/core/models/rules/index.ts')
>('../../../src/core/models/rules/index.ts');

/** Released on 2026-11-17; no catalogue describes it. */
const undescribed = 'gpt-6.9-sol';
const usage = { prompt: 1000, output: 100 };
const tool = { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } };
const messages = [{ role: 'user', content: 'Hi' }];
const functions = [{ type: 'function', function: tool }];

/** A question with a tool, an effort, a temperature and a long answer, in each caller's words. */
const callers = {
  chat: (model: string, stream: boolean) => ({
    path: '/v1/chat/completions',
    body: {
      model,
      messages,
      stream,
      temperature: 0.5,
      reasoning_effort: 'minimal',
      tools: functions,
    },
  }),
  messages: (model: string, stream: boolean) => ({
    path: '/v1/messages',
    body: {
      model,
      messages,
      stream,
      temperature: 0.5,
      max_tokens: 120_000,
      tools: [{ name: 'look', input_schema: tool.parameters }],
      tool_choice: { type: 'tool', name: 'look' },
    },
  }),
  responses: (model: string, stream: boolean) => ({
    path: '/v1/responses',
    body: {
      model,
      input: 'Hi',
      stream,
      reasoning: { effort: 'xhigh' },
      tools: [{ type: 'function', ...tool, strict: false }],
    },
  }),
  gemini: (model: string, stream: boolean) => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { thinkingConfig: { thinkingLevel: 'high' } },
      tools: [{ functionDeclarations: [tool] }],
    },
  }),
  cohere: (model: string, stream: boolean) => ({
    path: '/v2/chat',
    body: { model, messages, stream, temperature: 0.5, tools: functions },
  }),
} as const;

let bench: CallBench;
let lists: TestUpstream;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
/** Changes that somebody made by the end of New Year's Day. */
let changesBefore = 0;
/** What the vendors refused. */
const refused: string[] = [];
const { publicKey, privateKey } = generateKeyPairSync('ed25519');

function refusal(vendor: string, { path, json }: ReceivedRequest): string | undefined {
  if (['zhipu', 'ali', 'minimax'].includes(vendor)) return undefined;
  const model = /models\/([^:]+):/.exec(path)?.[1] ?? String(json['model']);
  const url = path.split('?', 1)[0] ?? '';
  return refusalOf(vendor, model, {
    url,
    body: JSON.parse(JSON.stringify(json)),
    forwarded: false,
  });
}

beforeAll(async () => {
  bench = await startCallBench('none');
  lists = await startUpstream();
  const byType = Map.groupBy(releases, ({ type }) => type);
  for (const [type, served] of byType) {
    const vendor = await startUpstream();
    const name = served[0]?.vendor ?? '';
    vendor.answer((response, request) => {
      const why = refusal(name, request);
      if (why === undefined) return vendorReply(usage)(response, request);
      refused.push(`${name} ${request.path}: ${why}`);
      sendJson(response, 400, { error: { message: why } });
    });
    const models = served.flatMap((one) => one.models);
    if (name === 'openai') models.push(undescribed);
    await bench.gateway.addChannel({ type, baseUrl: vendor.url, models: models.join(',') });
  }
  customer = await bench.gateway.addCustomer(1e12);
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  await bench.gateway.set('model_sync.address', `${lists.url}/models.json`);
  await bench.gateway.set('model_sync.signer', key);
});
afterAll(() => Promise.all([bench.close(), lists.close()]));
// A Wednesday at an hour at which the listed prices hold, before the models of the year end.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T02:00:00Z') });
});

async function ask(caller: keyof typeof callers, model: string, stream: boolean) {
  const { path, body } = callers[caller](model, stream);
  const before = await bench.spent(customer.userId);
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  const text = await reply.text();
  return { status: reply.status, text, cost: (await bench.spent(customer.userId)) - before };
}

/** The catalogue's maker publishes what is known on a day; the site looks. */
async function publish(day: string) {
  const list = { rules: rulesOn(day, modelRules), rows: rowsOn(day, modelRows) };
  const text = JSON.stringify({ format: 'turnpike-models', ...list });
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
  lists.answer((response, { path }) => {
    response.end(path.endsWith('.sig') ? signature : text);
  });
  return bench.gateway.client.modelSync.run({ source: 'address', adopt: true });
}

const quotaOf = ({ price }: ModelRow): number =>
  Math.round((usage.prompt * (price?.input ?? 0) + usage.output * (price?.output ?? 0)) / 2);

const days = [...Map.groupBy(releases, ({ day }) => day)];

it('on New Year’s Day nobody knows the models of the year', async () => {
  for (const { models } of releases)
    for (const model of models) {
      expect([model, knownModels.find(model).row]).toEqual([model, undefined]);
      expect([model, (await ask('chat', model, false)).status]).toEqual([model, 403]);
    }
  changesBefore = (await bench.gateway.client.audit.list({})).total;
});

describe.each(days)('%s', (day, released: readonly Release[]) => {
  const models = released.flatMap((one) => one.models);

  it(`brings ${models.join(', ')}`, async () => {
    const { sources, changes } = await publish(day);
    expect(sources).toMatchObject([{ error: '' }]);
    const came = changes.filter(({ kind }) => kind === 'new').map(({ model }) => model);
    expect(came.sort()).toEqual([...models].sort());
  });

  it.each(models)('%s answers five formats, whole and streamed, at its price', async (model) => {
    refused.splice(0);
    const row = modelRows.find(({ name }) => name === model);
    if (row?.price === undefined) throw new Error('unpriced');
    for (const caller of Object.keys(callers) as (keyof typeof callers)[])
      for (const stream of [false, true]) {
        const { status, cost } = await ask(caller, model, stream);
        expect([caller, stream, refused, status, cost]).toEqual([
          caller,
          stream,
          [],
          200,
          quotaOf(row),
        ]);
      }
  });
});

it('a model that nobody has described is sold from the day on which a public list has its price', async () => {
  expect((await ask('chat', undescribed, false)).status).toBe(403);
  const price = { input: 2, output: 10 };
  const list = { name: 'litellm.json', own: false, rules: [] };
  const { changes } = await bench.gateway.client.modelSync.run({
    source: 'given',
    adopt: true,
    list: { ...list, models: [{ server: 'openai', name: undescribed, price }] },
  });
  expect(changes).toMatchObject([{ model: undescribed, kind: 'new', adopted: true }]);
  // It has the rules of its family: chats with tools go by Responses, no effort is `minimal`.
  expect(knownModels.find(undescribed)).toMatchObject({
    family: 'gpt-6',
    facts: { responses: 'tools', efforts: expect.not.arrayContaining(['minimal']) },
  });
  refused.splice(0);
  const { status, cost } = await ask('chat', undescribed, false);
  expect([status, cost, refused]).toEqual([200, (1000 * 2 + 100 * 10) / 2, []]);
});

it('nothing was edited: all that changed the site is what it learned by itself', async () => {
  const { items, total } = await bench.gateway.client.audit.list({ page_size: 100 });
  const since = items.slice(0, total - changesBefore);
  expect(since.length).toBeGreaterThan(days.length / 2);
  const edits = since.filter(({ target }) => target !== 'model_sync.learned');
  expect(edits).toEqual([]);
});

it('the ends of the year came along', () => {
  expect(knownModels.find('deepseek-chat').row?.ends).toBe('2026-07-24');
  expect(knownModels.find('claude-sonnet-4-5').row).toMatchObject({
    ends: '2026-11-30',
    successor: 'claude-sonnet-5-5',
  });
});
