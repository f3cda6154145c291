/** Models that a site learns of while it runs (docs/rules/models.md#sync). */
import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChannelJobs } from '../../../src/core/channels/channel-jobs.ts';
import { knownModels } from '../../../src/core/models/known-models.ts';
import { findListPrice } from '../../../src/core/pricing/list-prices.ts';
import { createTestApp } from '../../support/app.ts';
import { type CallBench, startCallBench } from '../../support/calls.ts';
import {
  type Answer,
  chatReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';

const origin = { source: 'https://vendor.example/models', seen: '2026-11-28' };
let bench: CallBench;
let lists: TestUpstream;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;

beforeAll(async () => {
  bench = await startCallBench('gpt-6-sol,gpt-7-nova,gpt-6-luna');
  lists = await startUpstream();
  customer = await bench.gateway.addCustomer(1e12);
});
afterEach(async () => {
  const { option } = bench.gateway.client;
  for (const key of ['learned', 'address', 'signer', 'proxy', 'margin', 'adopt'])
    await option.reset({ key: `model_sync.${key}` });
});
afterAll(async () => {
  await bench.close();
  await lists.close();
});

const run = (request: object) =>
  bench.gateway.client.modelSync.run(
    request as Parameters<typeof bench.gateway.client.modelSync.run>[0],
  );
const given = (models: readonly object[], more: object = {}) => ({
  source: 'given',
  list: { name: 'list.json', own: false, models, rules: [], ...more },
});
const nova = {
  server: 'openai',
  name: 'gpt-7-nova',
  kind: 'chat',
  outputTokens: 256_000,
  efforts: ['low', 'high'],
  price: { input: 4, output: 20, cacheRead: 0.4, steps: [{ above: 500, input: 2, output: 1.5 }] },
};

async function chargeOf(model: string, usage = { prompt_tokens: 100, completion_tokens: 10 }) {
  bench.upstream.answer(chatReply('Hi', usage));
  const before = await bench.spent(customer.userId);
  const body = { model, messages: [{ role: 'user', content: 'hi' }] };
  const reply = await bench.post('/v1/chat/completions', customer.key, JSON.stringify(body));
  return { status: reply.status, cost: (await bench.spent(customer.userId)) - before };
}
/** Quota for dollars per million tokens. */
const quota = (input: number, output: number) => (100 * input + 10 * output) / 2;

describe('a new model', () => {
  it('is shown, and sold only once it is adopted: list price, steps and margin', async () => {
    expect((await chargeOf('gpt-7-nova')).status).toBe(403);
    const shown = await run(given([nova]));
    expect(shown.changes).toMatchObject([
      { model: 'gpt-7-nova', vendor: 'openai', kind: 'new', adopted: false, source: 'list.json' },
    ]);
    expect((await chargeOf('gpt-7-nova')).status).toBe(403);

    expect((await run({ ...given([nova]), adopt: true })).changes[0]?.adopted).toBe(true);
    expect(await chargeOf('gpt-7-nova')).toEqual({ status: 200, cost: quota(4, 20) });
    const long = { prompt_tokens: 1000, completion_tokens: 10 };
    expect((await chargeOf('gpt-7-nova', long)).cost).toBe((1000 * 8 + 10 * 30) / 2);
    await bench.gateway.set('model_sync.margin', 1.5);
    expect((await chargeOf('gpt-7-nova')).cost).toBe(quota(6, 30));
    expect((await run(given([nova]))).changes).toEqual([]);
  });

  it('has its limits and efforts wherever they are read', async () => {
    await run({ ...given([nova]), adopt: true });
    bench.upstream.answer(chatReply('Hi'));
    const body = {
      model: 'gpt-7-nova',
      max_tokens: 500_000,
      messages: [{ role: 'user', content: 'hi' }],
      output_config: { effort: 'medium' },
    };
    await bench.post('/v1/messages', customer.key, JSON.stringify(body));
    expect(bench.upstream.requests.at(-1)?.json).toMatchObject({
      max_completion_tokens: 256_000,
      reasoning_effort: 'high',
    });
    const pricing = await bench.gateway.client.catalog.pricing();
    expect(pricing.data.find(({ model_name }) => model_name === 'gpt-7-nova')).toMatchObject({
      model_ratio: 2,
      completion_ratio: 5,
    });
    const types = await bench.gateway.client.channelTypes.list();
    expect(types.find(({ slug }) => slug === 'openai')?.models).toContain('gpt-7-nova');
  });

  it('of another vendor than the channels have is passed over, and so is one that has ended', async () => {
    const others = [
      { ...nova, server: 'mistral', name: 'mistral-large-9' },
      { ...nova, name: 'gpt-7-old', ends: '2026-01-01' },
      { ...nova, name: 'gpt-6-sol-2026-11-01', price: { input: 9, output: 9 } },
    ];
    expect((await run(given(others))).changes).toEqual([]);
  });
});

describe('a changed price', () => {
  const dearer = [{ server: 'openai', name: 'gpt-6-sol', price: { input: 3, output: 12 } }];

  it('waits until it is confirmed', async () => {
    const { changes } = await run({ ...given(dearer), adopt: true });
    expect(changes).toEqual([
      {
        model: 'gpt-6-sol',
        vendor: 'openai',
        kind: 'price',
        source: 'list.json',
        from: { input: 2, output: 10 },
        to: { input: 3, output: 12 },
        adopted: false,
      },
    ]);
    expect((await chargeOf('gpt-6-sol')).cost).toBe(quota(2, 10));
    const confirmed = await run({ ...given(dearer), prices: ['gpt-6-sol'] });
    expect(confirmed.changes).toMatchObject([{ kind: 'price', adopted: true }]);
    expect((await chargeOf('gpt-6-sol')).cost).toBe(quota(3, 12));
    // What the list does not say stays.
    expect(findListPrice('gpt-6-sol')).toMatchObject({ details: { factors: expect.anything() } });
  });

  it('leaves a price alone that the site has set itself', async () => {
    const { client } = bench.gateway;
    await bench.gateway.set('ModelRatio', { 'gpt-6-sol': 7, 'gpt-6-luna': 0.05 });
    await run({ ...given(dearer), all_prices: true });
    const own = (await chargeOf('gpt-6-sol')).cost;
    await client.option.reset({ key: 'ModelRatio' });
    expect(own).toBe(100 * 7 + 10 * 7 * 5);
  });

  it('may be that of all at once', async () => {
    const both = [
      ...dearer,
      { server: 'openai', name: 'gpt-6-luna', price: { input: 1, output: 5 } },
    ];
    const { changes } = await run({ ...given(both), all_prices: true });
    expect(changes.map(({ model, adopted }) => [model, adopted])).toEqual([
      ['gpt-6-sol', true],
      ['gpt-6-luna', true],
    ]);
  });
});

it('a public list says of known models only what nobody knows, and when they end', async () => {
  const found = { server: 'openai', name: 'gpt-6-sol', outputTokens: 1, ends: '2027-06-01' };
  const { changes } = await run({ ...given([found]), adopt: true });
  expect(changes).toMatchObject([
    { kind: 'end', from: {}, to: { ends: '2027-06-01' }, adopted: true },
  ]);
  expect(knownModels.find('gpt-6-sol')).toMatchObject({
    row: { ends: '2027-06-01', source: 'file:list.json' },
    facts: { outputTokens: 128_000 },
  });
  const own = await run({ ...given([found], { own: true }), adopt: true });
  expect(own.changes).toMatchObject([
    { kind: 'facts', from: { outputTokens: 128_000 }, to: { outputTokens: 1 } },
  ]);
});

describe("the vendors' own lists", () => {
  it('of OpenAI names new models and days of the end; others’ names are passed over', async () => {
    const models: Answer = (response) =>
      sendJson(response, 200, {
        data: [
          { id: 'gpt-6-sol', created: 1_760_000_000, shutdown_date: '2027-10-01' },
          { id: 'gpt-6.9-sol', created: 1_795_000_000 },
          { id: 'somebody-elses-model', created: 1 },
        ],
      });
    bench.upstream.answer(models);
    const { sources, changes } = await run({ source: 'channels' });
    expect(sources).toMatchObject([{ models: 2, error: '' }]);
    expect(changes).toMatchObject([
      { model: 'gpt-6-sol', kind: 'end', to: { ends: '2027-10-01' } },
      { model: 'gpt-6.9-sol', kind: 'new', to: { released: '2026-11-18' } },
      { model: 'gpt-6-luna', kind: 'gone', adopted: false },
    ]);
  });

  it('that cannot be read are named, and the others are read', async () => {
    const claude = await startUpstream();
    const id = await bench.gateway.addChannel({
      type: 14,
      baseUrl: claude.url,
      models: 'claude-opus-6',
    });
    bench.upstream.answer((response) => sendJson(response, 500, {}));
    const supported = { supported: true };
    const refused = { supported: false };
    claude.answer((response) =>
      sendJson(response, 200, {
        data: [
          {
            id: 'claude-opus-6',
            created_at: '2026-12-01T00:00:00Z',
            lifecycle: 'active',
            max_input_tokens: 2_000_000,
            max_tokens: 256_000,
            capabilities: {
              image_input: supported,
              pdf_input: supported,
              structured_outputs: supported,
              effort: { supported: true, low: supported, high: supported, max: refused },
              thinking: {
                supported: true,
                types: { adaptive: supported, disabled: refused, enabled: refused },
              },
            },
          },
        ],
      }),
    );
    const { sources, changes } = await run({ source: 'channels', adopt: true });
    expect(sources.map(({ error }) => error).sort()).toEqual(['', 'bad_response_status_code']);
    expect(changes).toMatchObject([{ model: 'claude-opus-6', kind: 'new', adopted: true }]);
    expect(knownModels.find('claude-opus-6').facts).toMatchObject({
      inputTokens: 2_000_000,
      outputTokens: 256_000,
      efforts: ['low', 'high'],
      thinking: ['adaptive'],
    });
    // It is known and has no price: no one sells it by accident.
    claude.answer(messagesReply('Hi', { input_tokens: 1, output_tokens: 1 }));
    const body = {
      model: 'claude-opus-6',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'x' }],
    };
    expect((await bench.post('/v1/messages', customer.key, JSON.stringify(body))).status).toBe(403);
    await bench.gateway.client.channel.remove({ id });
    await claude.close();
  });

  it('of OpenRouter has prices, for the models that its channel lists', async () => {
    const router = await startUpstream();
    const models = 'acme/fast-1';
    const id = await bench.gateway.addChannel({ type: 20, baseUrl: router.url, models });
    const pricing = { prompt: '0.000001', completion: '0.000004' };
    router.answer((response) =>
      sendJson(response, 200, {
        data: [
          { id: models, pricing },
          { id: 'acme/other', pricing },
        ],
      }),
    );
    bench.upstream.answer((response) => sendJson(response, 200, { data: [] }));
    const { changes } = await run({ source: 'channels', adopt: true });
    expect(changes.filter(({ kind }) => kind === 'new')).toMatchObject([{ model: models }]);
    router.answer(chatReply('Hi', { prompt_tokens: 100, completion_tokens: 10 }));
    const before = await bench.spent(customer.userId);
    const body = { model: models, messages: [{ role: 'user', content: 'hi' }] };
    await bench.post('/v1/chat/completions', customer.key, JSON.stringify(body));
    expect((await bench.spent(customer.userId)) - before).toBe(quota(1, 4));
    await bench.gateway.client.channel.remove({ id });
    await router.close();
  });
});

describe('a list at an address', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const rules = [{ family: 'gpt-8', of: ['gpt-8'], vendor: 'openai', efforts: ['max'], ...origin }];
  const text = JSON.stringify({
    format: 'turnpike-models',
    rules,
    rows: [{ ...nova, server: undefined, name: 'gpt-8-sol', vendor: 'openai', ...origin }],
  });
  const serve = (body: string, signature: string): void =>
    lists.answer((response, { path }) => {
      response.end(path.endsWith('.sig') ? signature : body);
    });
  const signed = sign(null, Buffer.from(text), privateKey).toString('base64');

  it('is taken with the signature of the pinned key, with its rules', async () => {
    serve(text, signed);
    await bench.gateway.set('model_sync.address', `${lists.url}/models.json`);
    await bench.gateway.set('model_sync.signer', key);
    const { changes, sources } = await run({ source: 'address', adopt: true });
    expect(sources).toMatchObject([{ models: 1, error: '' }]);
    expect(changes).toMatchObject([{ model: 'gpt-8-sol', kind: 'new', adopted: true }]);
    expect(knownModels.find('gpt-8-luna')).toMatchObject({
      family: 'gpt-8',
      facts: { efforts: ['max'] },
    });
  });

  it.each([
    ['another signature', text, sign(null, Buffer.from('x'), privateKey).toString('base64')],
    ['another text', text.replace('gpt-8-sol', 'gpt-8-sun'), signed],
    ['no signature', text, ''],
  ])('is refused with %s', async (_what, body, signature) => {
    serve(body, signature);
    await bench.gateway.set('model_sync.address', `${lists.url}/models.json`);
    await bench.gateway.set('model_sync.signer', key);
    const { changes, sources } = await run({ source: 'address', adopt: true });
    expect([changes, sources]).toMatchObject([[], [{ error: 'model_list_unsigned' }]]);
  });

  describe('that says when it was made', () => {
    const made = (issued: string | undefined, outputTokens: number, more: object = {}) => {
      const row = { ...nova, server: undefined, name: 'gpt-8-sol', vendor: 'openai', ...origin };
      const rows = [{ ...row, outputTokens }];
      const list = JSON.stringify({ format: 'turnpike-models', rules: [], rows, issued, ...more });
      serve(list, sign(null, Buffer.from(list), privateKey).toString('base64'));
    };
    const adopt = async () => {
      const { sources } = await run({ source: 'address', adopt: true });
      const { outputTokens } = knownModels.find('gpt-8-sol').row ?? {};
      return [sources[0]?.error, outputTokens];
    };
    beforeEach(async () => {
      await bench.gateway.set('model_sync.address', `${lists.url}/models.json`);
      await bench.gateway.set('model_sync.signer', key);
    });

    it('is refused if an older one of the same key is sent again', async () => {
      made('2026-11-20T00:00:00Z', 100);
      expect(await adopt()).toEqual(['', 100]);
      made('2026-11-21T00:00:00+02:00', 200);
      expect(await adopt()).toEqual(['', 200]);
      made('2026-11-20T00:00:00Z', 100);
      expect(await adopt()).toEqual(['model_list_outdated', 200]);
      made(undefined, 100);
      expect(await adopt()).toEqual(['model_list_outdated', 200]);
      // Also after a start, and what is only looked at.
      await bench.gateway.restart();
      made('2026-11-20T00:00:00Z', 100);
      expect((await run({ source: 'address' })).sources[0]?.error).toBe('model_list_outdated');
      made('2026-11-22T00:00:00Z', 300);
      expect(await adopt()).toEqual(['', 300]);
    });

    it('counts whatever its time is where the key is another one', async () => {
      made('2026-11-20T00:00:00Z', 100);
      await adopt();
      const other = generateKeyPairSync('ed25519');
      const der = other.publicKey.export({ format: 'der', type: 'spki' });
      const list = JSON.stringify({
        format: 'turnpike-models',
        rows: [],
        issued: '2026-01-01T00:00:00Z',
      });
      serve(list, sign(null, Buffer.from(list), other.privateKey).toString('base64'));
      expect(await adopt()).toEqual(['model_list_unsigned', 100]);
      await bench.gateway.set('model_sync.signer', der.subarray(-32).toString('base64'));
      expect(await adopt()).toEqual(['', 100]);
    });

    it('is refused once it has expired', async () => {
      made('2026-01-01T00:00:00Z', 100, { expires: '2026-02-01T00:00:00Z' });
      expect(await adopt()).toEqual(['model_list_expired', undefined]);
      made('2026-01-01T00:00:00Z', 100, { expires: '2999-01-01T00:00:00Z' });
      expect(await adopt()).toEqual(['', 100]);
    });

    it('is refused where it is cut short, signed or not', async () => {
      made('2026-11-20T00:00:00Z', 100);
      const [half] = [text.slice(0, text.length / 2)];
      serve(half, signed);
      expect(await adopt()).toEqual(['model_list_unsigned', undefined]);
      serve(half, sign(null, Buffer.from(half), privateKey).toString('base64'));
      expect(await adopt()).toEqual(['model_list_unreadable', undefined]);
    });
  });

  it('is read through the proxy that is set', async () => {
    serve(text, '');
    const url = 'http://catalogue.example/models.json';
    await bench.gateway.set('model_sync.address', url);
    await bench.gateway.set('model_sync.proxy', lists.url);
    lists.requests.splice(0);
    const { sources } = await run({ source: 'address' });
    expect(sources).toMatchObject([{ name: url, models: 1, error: '' }]);
    expect(lists.requests).toMatchObject([{ path: expect.stringContaining('/models.json') }]);
  });

  it('that is none is named', async () => {
    serve('<html>', '');
    await bench.gateway.set('model_sync.address', lists.url);
    expect((await run({ source: 'address' })).sources).toMatchObject([
      { error: 'model_list_unreadable' },
    ]);
  });
});

it('syncs at the same time add to each other', async () => {
  const names = ['gpt-7-a', 'gpt-7-b', 'gpt-7-c'];
  const reports = await Promise.all(
    names.map((name) => run({ ...given([{ ...nova, name }]), adopt: true })),
  );
  expect(reports.map(({ changes }) => changes[0]?.adopted)).toEqual([true, true, true]);
  expect(names.filter((name) => knownModels.find(name).row === undefined)).toEqual([]);
});

it('the daily look adopts what is new, and the owner learns of it and of prices that wait once', async () => {
  const { app, operator } = await createTestApp();
  const notices: unknown[] = [];
  const jobs = createChannelJobs({
    ...app,
    config: { channelTestFrequency: 0, channelUpdateFrequency: 0 },
    options: app.site.options,
    tests: app.channels.tests,
    accounts: app.channels.accounts,
    findTester: async () => app.setup.findOperator(''),
    endingModels: () => [],
    lookForModels: app.channels.models.look,
    notices: {
      modelsEnd: () => undefined,
      modelsChanged: (changes, ended) => {
        notices.push(changes);
        // The first one does not reach the owner, nor does that of what is adopted.
        void ended(notices.length !== 1 && notices.length !== 3);
      },
    },
    leases: app.cluster.leases,
  });
  const job = jobs.find(({ name }) => name === 'model-sync');
  const entry = { litellm_provider: 'openai', mode: 'chat', output_cost_per_token: 2e-5 };
  const list = JSON.stringify({
    'gpt-7-nova': { ...entry, input_cost_per_token: 4e-6 },
    'gpt-6-sol': { ...entry, input_cost_per_token: 3e-6 },
  });
  lists.answer((response) => {
    response.end(list);
  });
  expect(job?.interval()).toBe(0);
  await operator.option.set({ key: 'model_sync.enabled', value: true });
  await operator.option.set({ key: 'model_sync.address', value: lists.url });
  expect(job?.interval()).toBe(24 * 3600);
  await operator.option.set({ key: 'model_sync.adopt', value: false });
  await job?.run(new AbortController().signal);
  expect(knownModels.find('gpt-7-nova').row).toBeUndefined();
  const waiting = [
    { model: 'gpt-7-nova', kind: 'new', adopted: false },
    { model: 'gpt-6-sol', kind: 'price', adopted: false },
  ];
  expect(notices).toMatchObject([waiting]);
  // What did not reach the owner is told again by the next look, and then no more.
  for (const _ of [1, 2]) await job?.run(new AbortController().signal);
  expect(notices).toMatchObject([waiting, waiting]);
  await operator.option.set({ key: 'model_sync.adopt', value: true });
  await job?.run(new AbortController().signal);
  expect(knownModels.find('gpt-7-nova').row?.price?.input).toBe(4);
  expect(knownModels.find('gpt-6-sol').row?.price?.input).toBe(2);
  const adopted = [{ model: 'gpt-7-nova', kind: 'new', adopted: true }];
  for (const _ of [1, 2]) await job?.run(new AbortController().signal);
  expect(notices.slice(2)).toMatchObject([adopted, adopted]);
  lists.answer((response) => {
    response.writeHead(500).end();
  });
  await expect(job?.run(new AbortController().signal)).rejects.toMatchObject({
    code: 'bad_response_status_code',
  });
  await operator.option.reset({ key: 'model_sync.learned' });
});

it('is stored: a gateway that starts again knows what it learned', async () => {
  await run({ ...given([nova]), adopt: true });
  knownModels.replaceAdded({ rules: [], rows: [] });
  await bench.gateway.restart();
  expect(knownModels.find('gpt-7-nova').row).toMatchObject({ price: { input: 4 } });
  expect((await chargeOf('gpt-7-nova')).cost).toBe(quota(4, 20));
});
