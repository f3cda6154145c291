// Covers src/core/options/takes-entry.ts
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { collectOwnerNotices } from '../../support/owner-notices.ts';
import { startProvider } from '../../support/provider-server.ts';

const day = 86_400_000;

/** LiteLLM's form: dollars per token. */
const litellm = (input: number, output: number) => ({
  // A reseller's price, before the vendor's.
  'azure/gpt-4o': {
    litellm_provider: 'azure',
    mode: 'chat',
    input_cost_per_token: 99e-6,
    output_cost_per_token: 99e-6,
  },
  'gpt-4o': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: input / 1e6,
    output_cost_per_token: output / 1e6,
    cache_read_input_token_cost: input / 2e6,
  },
});

async function openSite() {
  const site = await createTestApp();
  const { app, operator, addUser, root } = site;
  await operator.option.set({ key: 'SiteLanguage', value: 'en' });
  const notices = await collectOwnerNotices(operator);
  await operator.channel.create({ name: 'main', type: 1, key: 'k', models: 'gpt-4o,gpt-4o-mini' });
  let body: unknown = {};
  let status = 200;
  const url = await startProvider((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }, 'test');
  const annId = await addUser('ann');
  /** A request of ann that was charged by the tables of now. */
  const log = (usage: { prompt: number; completion: number; cached?: number; quota: number }) =>
    app.storage.logs.insert({
      userId: annId,
      username: 'ann',
      type: 2,
      content: '',
      modelName: 'gpt-4o',
      createdAt: site.clock.now() / 1000,
      promptTokens: usage.prompt,
      completionTokens: usage.completion,
      quota: usage.quota as never,
      other: JSON.stringify({
        model_ratio: 1.25,
        model_price: -1,
        completion_ratio: 4,
        group_ratio: 0.5,
        user_group_ratio: -1,
        cache_ratio: 0.5,
        cache_tokens: usage.cached ?? 0,
      }),
    });
  const look = async () => {
    await app.priceSync.look(root);
    await app.notices.root.settled();
    return notices.splice(0).map(({ description }) => description);
  };
  return {
    ...site,
    url,
    annId,
    log,
    look,
    serve: (next: unknown, code = 200) => {
      body = next;
      status = code;
    },
    ratio: () => app.site.options.get('ModelRatio')['gpt-4o'],
  };
}

test('a preview says what would change and who would have paid what, and saves nothing', async () => {
  const { operator, url, annId, log, serve, clock, ratio } = await openSite();
  await log({ prompt: 1000, completion: 100, cached: 400, quota: 700 }); // 0.5 × 1.25 × (600 + 200 + 400), less
  clock.move(8 * day);
  await log({ prompt: 1000, completion: 100, cached: 400, quota: 750 });
  serve(litellm(5, 10));
  const preview = await operator.priceSync.preview({ source: `${url}/list.json` });
  expect(preview).toMatchObject({
    found: 1,
    models: [
      {
        model: 'gpt-4o',
        changes: [
          { kind: 'input', site: 2.5, source: 5 },
          { kind: 'cache_read', site: 1.25, source: 2.5 },
          { kind: 'cache_write', site: 2.5, source: 5 },
        ],
        // 0.5 × 2.5 × (600 + 400 × 0.5 + 100 × 2), of the one in the last 7 days.
        requests: 1,
        paid: 750,
        would_pay: 1250,
      },
    ],
    users: [{ user_id: annId, username: 'ann', requests: 1, paid: 750, would_pay: 1250 }],
    partial: false,
  });
  const month = await operator.priceSync.preview({ source: `${url}/list.json`, days: 30 });
  expect(month.users).toMatchObject([{ requests: 2, paid: 1450, would_pay: 2500 }]);
  expect(ratio()).toBe(1.25);
});

test('only what was seen is saved, with a margin; the rest stays as it is', async () => {
  const { app, operator, url, serve, ratio } = await openSite();
  serve(litellm(5, 10));
  const source = { source: `${url}/list.json`, margin: 1.2 };
  const { models } = await operator.priceSync.preview(source);
  serve(litellm(6, 10));
  await expect(operator.priceSync.apply({ ...source, models })).rejects.toMatchObject({
    code: 'price_source_changed',
  });
  expect(ratio()).toBe(1.25);
  serve(litellm(5, 10));
  const mini = app.site.options.get('ModelRatio')['gpt-4o-mini'];
  await operator.priceSync.apply({ ...source, models });
  expect([ratio(), app.site.options.get('CompletionRatio')['gpt-4o']]).toEqual([3, 2]);
  expect(app.site.options.get('ModelRatio')['gpt-4o-mini']).toBe(mini);
  expect((await operator.priceSync.preview(source)).models).toEqual([]);
  // The catalogue is a source, too.
  const back = await operator.priceSync.preview({ source: 'catalogue' });
  await operator.priceSync.apply({ source: 'catalogue', models: back.models });
  expect(ratio()).toBe(1.25);
});

test('prices of a source are the same dollars at another QuotaPerUnit', async () => {
  const { operator, url, serve, ratio } = await openSite();
  await operator.option.set({ key: 'QuotaPerUnit', value: '1000000' });
  serve(litellm(5, 10));
  for (const source of [`${url}/list.json`, 'catalogue']) {
    const { models } = await operator.priceSync.preview({ source });
    const change = models[0]?.changes.find(({ kind }) => kind === 'input');
    expect(change?.source).toBe(source === 'catalogue' ? 2.5 : 5);
    await operator.priceSync.apply({ source, models });
    expect((await operator.priceSync.preview({ source })).models).toEqual([]);
  }
  // 2.5 dollars per million tokens are 2.5 of a million quota.
  expect(ratio()).toBe(2.5);
});

test('a price that no option takes is named, and is in the way of no other', async () => {
  const { operator, url, serve, ratio, look, app } = await openSite();
  const mini = {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 1e-13,
    output_cost_per_token: 1e-6,
  };
  serve({ ...litellm(5, 10), 'gpt-4o-mini': mini });
  const source = `${url}/list.json`;
  const preview = await operator.priceSync.preview({ source });
  expect(preview.skipped).toEqual([{ model: 'gpt-4o-mini', reason: 'limits' }]);
  const { models } = preview;
  expect(models.map(({ model }) => model)).toEqual(['gpt-4o']);
  await operator.priceSync.apply({ source, models, follow: 'save' });
  expect(ratio()).toBe(2.5);
  const followed = app.site.options.get('price_sync.followed');
  const value = JSON.stringify({ ...followed, 'gpt-4o-mini': { source, margin: 1, save: true } });
  await operator.option.set({ key: 'price_sync.followed', value });
  serve({ ...litellm(6, 12), 'gpt-4o-mini': mini });
  await look();
  expect(ratio()).toBe(3);
});

test('another gateway, a given list and models.dev are sources; others are refused', async () => {
  const { operator, url, serve } = await openSite();
  const row = { model_name: 'gpt-4o', quota_type: 0, model_ratio: 2, completion_ratio: 3 };
  const call = { model_name: 'gpt-4o-mini', quota_type: 1, model_price: 0.05 };
  serve({ success: true, data: [row, call, { model_name: 'x', unpriced: true }] });
  const gateway = await operator.priceSync.preview({ source: url, days: 0 });
  const priceOf = (models: typeof gateway.models, model: string, kind: string) =>
    models.find((entry) => entry.model === model)?.changes.find((one) => one.kind === kind)?.source;
  expect(priceOf(gateway.models, 'gpt-4o', 'input')).toBe(4);
  expect(priceOf(gateway.models, 'gpt-4o', 'output')).toBe(12);
  expect(priceOf(gateway.models, 'gpt-4o-mini', 'call')).toBe(0.05);
  // Prices by the second of video are taken as such.
  serve({ success: true, data: [{ ...call, video_ratios: { '720P': 2 } }] });
  const [video] = (await operator.priceSync.preview({ source: url, days: 0 })).models;
  const priced = video?.changes.map(({ kind, source }) => [kind, source]) ?? [];
  expect(priced.filter(([kind]) => String(kind).startsWith('second_'))).toEqual([
    ['second_*', 0.05],
    ['second_720P', 0.1],
  ]);
  const text = JSON.stringify({
    openai: { models: { 'gpt-4o': { cost: { input: 7, output: 10 } } } },
  });
  const given = await operator.priceSync.preview({ source: 'prices.json', text });
  expect(priceOf(given.models, 'gpt-4o', 'input')).toBe(7);
  for (const source of ['nothing', 'file:///etc/passwd'])
    await expect(operator.priceSync.preview({ source })).rejects.toMatchObject({
      code: 'price_source_unreadable',
    });
  serve('no list');
  await expect(operator.priceSync.preview({ source: `${url}/x` })).rejects.toMatchObject({
    code: 'price_source_unreadable',
  });
});

test('a gateway that prices by expressions: what they say is the price, not the ratios in the row', async () => {
  const { app, operator, url, serve, look, ratio } = await openSite();
  const row = (model: string, expression: string) => ({
    model_name: model,
    quota_type: 0,
    model_ratio: 99,
    completion_ratio: 1,
    billing_mode: 'tiered_expr',
    billing_expr: expression,
  });
  const steps = 'len <= 200000 ? tier("a", p*2 + c*8 + cr*0.5) : tier("b", p*4 + c*12 + cr*1)';
  const fast = 'tier("base", p * 4 + c * 13)|||when(header("x") has "fast") * 6';
  serve({ success: true, data: [row('gpt-4o', steps), row('gpt-4o-mini', fast), row('x', '?')] });
  const { models, found, skipped } = await operator.priceSync.preview({ source: url });
  expect(found).toBe(1);
  expect(models.map(({ model }) => model)).toEqual(['gpt-4o']);
  expect(models[0]?.changes).toEqual(
    expect.arrayContaining([
      { kind: 'input', site: 2.5, source: 2 },
      { kind: 'input_above_200000', site: null, source: 4 },
      { kind: 'output_above_200000', site: null, source: 12 },
    ]),
  );
  expect(skipped).toEqual([{ model: 'gpt-4o-mini', reason: 'request' }]);
  await operator.priceSync.apply({ source: url, models, follow: 'save' });
  expect(ratio()).toBe(1);
  expect(app.site.options.get('CacheRatio')['gpt-4o']).toBe(0.25);
  expect((await operator.priceSync.preview({ source: url })).models).toEqual([]);
  // One price without steps ends them; a price that cannot be read says nothing.
  serve({ success: true, data: [row('gpt-4o', 'tier("base", p * 2 + c * 8 + cr * 0.5)')] });
  expect(await look()).toEqual([]);
  expect(app.site.options.get('ModelPriceDetails')['gpt-4o']?.steps).toEqual([]);
  serve({ success: true, data: [row('gpt-4o', fast)] });
  expect(await look()).toEqual([]);
  expect(ratio()).toBe(1);
  serve({ success: true, data: [row('gpt-4o', 'tier("request", fixed(0.02))')] });
  expect(await look()).toEqual([]);
  expect(app.site.options.get('ModelPrice')['gpt-4o']).toBe(0.02);
});

test('a month: a watched price is told once until it is the source’s again; a followed one is saved', async () => {
  const { app, operator, url, serve, look, ratio } = await openSite();
  const source = { source: `${url}/list.json` };
  serve(litellm(5, 10));
  const { models } = await operator.priceSync.preview(source);
  await operator.priceSync.apply({ ...source, models, follow: 'tell' });
  const told: [number, string][] = [];
  for (let date = 1; date <= 30; date += 1) {
    if (date === 5) serve(litellm(8, 16));
    if (date === 9) serve({}, 500); // says nothing
    if (date === 12) serve(litellm(5, 10));
    if (date === 20) serve(litellm(6, 12));
    for (const text of await look()) told.push([date, text]);
  }
  const line = (price: number) =>
    expect.stringContaining(`gpt-4o: input is 5, and ${price} at ${source.source}`);
  expect(told).toEqual([
    [5, line(8)],
    [20, line(6)],
  ]);
  expect(await operator.losses.list({})).toMatchObject([{ kind: 'price', model: 'gpt-4o' }]);
  expect(ratio()).toBe(2.5);
  const seen = await operator.priceSync.preview({ ...source, margin: 2 });
  await operator.priceSync.apply({ ...source, margin: 2, models: seen.models, follow: 'save' });
  expect(ratio()).toBe(6);
  serve(litellm(7, 14));
  expect(await look()).toEqual([]);
  expect(ratio()).toBe(7);
  expect(app.site.options.get('price_sync.followed')).toEqual({
    'gpt-4o': { source: source.source, margin: 2, save: true },
  });
});

describe('steps, tiers and lives of the cache', () => {
  /** $2 and $8, twice as much above 200,000 tokens, 1.5 times above it for output. */
  const long = {
    'gpt-4o': {
      litellm_provider: 'openai',
      mode: 'chat',
      input_cost_per_token: 2e-6,
      output_cost_per_token: 8e-6,
      cache_read_input_token_cost: 2e-7,
      cache_creation_input_token_cost: 2.5e-6,
      cache_creation_input_token_cost_above_1hr: 5e-6,
      cache_read_input_image_token_cost: 1e-7,
      input_cost_per_token_above_200k_tokens: 4e-6,
      output_cost_per_token_above_200k_tokens: 12e-6,
      input_cost_per_token_priority: 5e-6,
      output_cost_per_token_priority: 20e-6,
    },
  };
  const saved = {
    steps: [{ above: 200_000, input: 2, output: 1.5 }],
    // That of batches is the catalogue's: the source does not have it.
    factors: { batch: 0.5, priority: 2.5 },
    longCacheWrite: 2,
    cachedImage: 0.05,
  };

  test('come with a list, are shown and priced anew, and stay the margin’s', async () => {
    const { app, operator, url, log, serve } = await openSite();
    await log({ prompt: 300_000, completion: 1000, quota: 1 });
    serve(long);
    const source = { source: `${url}/list.json`, margin: 1.5 };
    const { models, users } = await operator.priceSync.preview(source);
    const [model] = models;
    expect(model?.changes.filter(({ kind }) => /above|priority|long/.test(kind))).toEqual([
      { kind: 'input_priority', site: 4.25, source: 7.5 },
      { kind: 'long_cache_write', site: null, source: 7.5 },
      { kind: 'input_above_200000', site: null, source: 6 },
      { kind: 'output_above_200000', site: null, source: 18 },
    ]);
    // In group ratio 0.5: (300,000 × $6 + 1,000 × $18) ÷ 2.
    expect(users).toMatchObject([{ would_pay: 0.5 * (300_000 * 3 + 1000 * 9) }]);
    await operator.priceSync.apply({ ...source, models });
    expect(app.site.options.get('ModelPriceDetails')).toEqual({ 'gpt-4o': saved });
    expect((await operator.priceSync.preview(source)).models).toEqual([]);
    const row = (await operator.catalog.pricing({})).data.find(
      ({ model_name: name }) => name === 'gpt-4o',
    );
    expect(row).toMatchObject({
      model_ratio: 1.5,
      completion_ratio: 4,
      cache_ratio: 0.1,
      cache_creation_ratio: 1.25,
      details: {
        steps: saved.steps,
        factors: saved.factors,
        long_cache_write_ratio: 2,
        cached_image_ratio: 0.05,
      },
    });

    // The price list of one gateway is a source of another.
    const other = await openSite();
    other.serve({ success: true, data: [row] });
    const seen = await other.operator.priceSync.preview({ source: other.url });
    await other.operator.priceSync.apply({ source: other.url, models: seen.models });
    expect(other.app.site.options.get('ModelPriceDetails')).toEqual({ 'gpt-4o': saved });
    // And the catalogue's are back with its price.
    const back = await other.operator.priceSync.preview({ source: 'catalogue' });
    expect(back.models).toMatchObject([{ model: 'gpt-4o' }]);
    await other.operator.priceSync.apply({ source: 'catalogue', models: back.models });
    expect(other.app.site.options.get('ModelPriceDetails')['gpt-4o']?.factors).toMatchObject({
      priority: 1.7,
    });
  });

  test('peak hours come from another gateway, and what is malformed does not', async () => {
    const { app, operator, url, serve } = await openSite();
    const hours = [{ days: [1, 5], from: 60, to: 240 }];
    const details = {
      steps: [{ above: -1, input: 2, output: 2 }, 'x'],
      factors: { offpeak: 0.5, fast: 'x' },
      tools: null,
      thinking_ratio: -1,
      peak_hours: [...hours, { days: [7], from: 0, to: 1 }, { days: [1], from: 0, to: 2000 }],
    };
    const row = { model_name: 'gpt-4o', quota_type: 0, model_ratio: 2, details };
    serve({ success: true, data: [row] });
    const { models } = await operator.priceSync.preview({ source: url });
    await operator.priceSync.apply({ source: url, models });
    expect(app.site.options.get('ModelPriceDetails')['gpt-4o']).toEqual({
      factors: { batch: 0.5, priority: 1.7, offpeak: 0.5 },
      peakHours: hours,
    });
  });

  test('an entry that the operator made keeps what the source leaves out', async () => {
    const { app, operator, url, serve } = await openSite();
    const own = { tools: { web_search: 0.05 }, steps: [{ above: 1000, input: 3, output: 3 }] };
    const value = JSON.stringify({ 'gpt-4o': own });
    await operator.option.set({ key: 'ModelPriceDetails', value });
    serve(litellm(3, 12));
    const source = { source: `${url}/list.json` };
    const plain = await operator.priceSync.preview(source);
    await operator.priceSync.apply({ ...source, models: plain.models });
    expect(app.site.options.get('ModelPriceDetails')['gpt-4o']).toEqual(own);
    serve(long);
    const { models } = await operator.priceSync.preview(source);
    await operator.priceSync.apply({ ...source, models });
    expect(app.site.options.get('ModelPriceDetails')['gpt-4o']).toEqual({ ...own, ...saved });
  });
});

test('a price below its cost is named before it is saved, and not saved by itself', async () => {
  const { operator, url, serve, look, ratio } = await openSite();
  const [channel] = (await operator.channel.list({})).items;
  const id = channel?.id ?? 0;
  await operator.channel.update({ id, cost: '{"models":{"gpt-4o":{"input":2,"output":9}}}' });
  const source = { source: `${url}/list.json` };
  serve(litellm(3, 10));
  const first = await operator.priceSync.preview(source);
  expect(first.below_cost).toEqual([]);
  await operator.priceSync.apply({ ...source, models: first.models, follow: 'save' });
  serve(litellm(1, 10));
  expect((await operator.priceSync.preview(source)).below_cost).toEqual([
    { model: 'gpt-4o', channel: id, name: 'main', kind: 'input', price: 1, cost: 2 },
  ]);
  expect(await look()).toEqual([expect.stringContaining('gpt-4o: input is 3, and 1 at')]);
  expect(ratio()).toBe(1.5);
  serve(litellm(4, 10));
  expect(await look()).toEqual([]);
  expect(ratio()).toBe(2);
});

test('a source that cannot be read is looked at again with the next check, and then not for a day', async () => {
  const { app, operator, serve, url, ratio, clock } = await openSite();
  serve(litellm(2, 8));
  const source = { source: `${url}/list.json` };
  const { models } = await operator.priceSync.preview(source);
  await operator.priceSync.apply({ ...source, models, follow: 'save' });
  serve({}, 500);
  clock.move(day);
  const job = app.backgroundJobs.find(({ name }) => name === 'price-sync');
  const check = async () => job?.run(new AbortController().signal);
  await expect(check()).rejects.toMatchObject({ code: 'price_source_unreadable' });
  serve(litellm(3, 8));
  clock.move(3_600_000);
  await check();
  expect(ratio()).toBe(1.5);
  serve(litellm(4, 8));
  clock.move(3_600_000);
  await check();
  expect(ratio()).toBe(1.5);
  clock.move(day);
  await check();
  expect(ratio()).toBe(2);
});
