/** What is offered is what can be called now, on every face (docs/rules/pricing.md#offered). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canServeModel } from '../../../src/core/channels/offered.ts';
import { type Client, createClient, layOutCall } from '../../../src/core/contract/client.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';

const openAi = 1;
const types = { anthropic: 14, gemini: 24, ali: 17, midjourney: 2, suno: 36, openAi } as const;

describe('a channel can serve', () => {
  const serves = (type: keyof typeof types, model: string, mapping = {}) => {
    const provider = builtInProviders.forType(types[type]);
    if (provider === undefined) throw new Error(`no provider of ${type}`);
    return canServeModel({ provider, modelMapping: mapping }, model);
  };
  test.each([
    ['openAi', 'gpt-4o', true],
    ['openAi', 'sora-2', false],
    ['openAi', 'gpt-image-2', true],
    ['openAi', 'whisper-1', true],
    ['openAi', 'text-embedding-3-small', true],
    ['openAi', 'omni-moderation-latest', true],
    ['openAi', 'mj_imagine', true],
    ['ali', 'wanx2.1-t2v-turbo', true],
    ['ali', 'qwen3-rerank', true],
    ['anthropic', 'text-embedding-3-small', false],
    ['anthropic', 'gpt-image-2', false],
    ['anthropic', 'claude-sonnet-5', true],
    ['gemini', 'gemini-3-pro-image', true],
    ['gemini', 'gemini-3.8-flash-tts', true],
    ['gemini', 'gemini-3.5-transcribe', true],
    ['midjourney', 'mj_imagine', true],
    ['midjourney', 'gpt-4o', false],
    ['suno', 'suno_music', true],
    ['suno', 'sora-2', false],
  ] as const)('%s: %s %s', (type, model, can) => expect(serves(type, model)).toBe(can));

  test('what a name is mapped to, and nothing that its vendor’s own list has is lost', () => {
    expect(serves('openAi', 'my-video', { 'my-video': 'gpt-4o' })).toBe(true);
    expect(serves('ali', 'my-model', { 'my-model': 'wanx2.1-t2v-turbo' })).toBe(true);
    const lost = Array.from({ length: 60 }, (_, type) => builtInProviders.forType(type)).flatMap(
      (provider) =>
        (provider?.models ?? []).filter(
          (model) =>
            provider !== undefined && !canServeModel({ provider, modelMapping: {} }, model),
        ),
    );
    expect(lost).toEqual([]);
  });
});

describe('every face offers the same', () => {
  let gateway: TestGateway;
  let customer: Client;
  let visitor: Client;
  let key: string;
  const clientWith = (headers: Record<string, string>) =>
    createClient(async (call, input) => {
      const { method, path, body } = layOutCall(call, input);
      const reply = await fetch(gateway.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: await reply.json(), total: undefined };
    });
  beforeAll(async () => {
    gateway = await startTestGateway();
    await gateway.set('ModelRatio', {
      'gpt-4o': 1,
      'sora-2': 1,
      'gpt-image-2': 1,
      'omni-moderation-latest': 0,
    });
    await gateway.set('ModelPrice', { 'wanx2.1-t2v-turbo': 0.1, 'my-video-chat': 0.1 });
    const baseUrl = 'http://127.0.0.1:9';
    await gateway.addChannel({
      type: openAi,
      baseUrl,
      models: 'gpt-4o,sora-2,gpt-image-2,no-price,omni-moderation-latest,my-video-chat',
    });
    await gateway.addChannel({ type: types.ali, baseUrl, models: 'wanx2.1-t2v-turbo' });
    const account = await gateway.addCustomer(1_000_000);
    ({ key } = account);
    const login = await fetch(`${gateway.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: account.username, password: 'customer-password' }),
    });
    visitor = clientWith({});
    customer = clientWith({
      cookie: login.headers.getSetCookie().join('; '),
      'new-api-user': String(account.userId),
    });
  });
  afterAll(() => gateway.close());

  async function faces() {
    const auth = { headers: { authorization: `Bearer ${key}` } };
    const list = await fetch(`${gateway.url}/v1/models`, auth);
    const square = (await customer.modelSquare.list()).data;
    return {
      'price list': (await customer.catalog.pricing()).data.map(({ model_name }) => model_name),
      'price list of visitors': (await visitor.catalog.pricing()).data.map(
        ({ model_name }) => model_name,
      ),
      square: square
        .filter(({ enable_group }) => enable_group.length > 0)
        .map(({ model }) => model)
        .sort(),
      models: await customer.self.models(),
      'available models': await customer.self.availableModels(),
      'v1/models': ((await list.json()) as { data: { id: string }[] }).data.map(({ id }) => id),
    };
  }
  const playgrounds = async () => {
    const { data } = await customer.modelSquare.list();
    return Object.fromEntries(
      ['chat', 'image', 'video'].map((kind) => [
        kind,
        data.filter(({ playground }) => playground === kind).map(({ model }) => model),
      ]),
    );
  };
  const allAre = (names: readonly string[]) => (found: Awaited<ReturnType<typeof faces>>) => {
    for (const [face, models] of Object.entries(found))
      expect([face, models]).toEqual([face, names]);
  };
  const offered = ['gpt-4o', 'gpt-image-2', 'omni-moderation-latest', 'wanx2.1-t2v-turbo'];

  test('neither what no adapter can do nor what has no price', async () => {
    allAre(offered)(await faces());
    expect(await playgrounds()).toEqual({
      chat: ['gpt-4o'],
      image: ['gpt-image-2'],
      video: ['wanx2.1-t2v-turbo'],
    });
    const { data } = await customer.modelSquare.list();
    expect(data.filter((each) => each.edits_images).map(({ model }) => model)).toEqual([
      'gpt-image-2',
    ]);
    const get = (model: string) =>
      fetch(`${gateway.url}/v1/models/${model}`, { headers: { authorization: `Bearer ${key}` } });
    expect([(await get('gpt-4o')).status, (await get('sora-2')).status]).toEqual([200, 404]);
    // Administrators see what they have to price.
    const rows = (await gateway.client.catalog.pricing()).data;
    expect(rows.find(({ model_name }) => model_name === 'no-price')?.unpriced).toBe(true);
  });

  test('what the operator says that a model is for stands above its name; others stay', async () => {
    const entry = {
      description: 'd',
      type: '对话',
      type_en: 'chat',
      tags: ['a'],
      manufacturer: 'm',
      price_type: 2,
      status: 1,
      icon: 'https://logo.example/a.svg',
      description_en: 'd',
      context: '8K',
      publish_time: '2026-11-01',
      specification: ['MoE'],
      tags_en: ['a'],
    };
    await gateway.client.modelSquare.add({ ...entry, model: 'my-video-chat' });
    await gateway.client.modelSquare.add({ ...entry, model: 'no-price', model_price: '1' });
    allAre([...offered.slice(0, 2), 'my-video-chat', ...offered.slice(2)])(await faces());
    expect(await playgrounds()).toEqual({
      chat: ['my-video-chat', 'gpt-4o'],
      image: ['gpt-image-2'],
      video: ['wanx2.1-t2v-turbo'],
    });
    await gateway.client.modelSquare.remove({ model: 'my-video-chat' });
    await gateway.client.modelSquare.remove({ model: 'no-price' });
    allAre(offered)(await faces());
  });

  test('who accepts models without a price is offered them', async () => {
    await customer.self.updateSetting({ accept_unset_model_ratio_model: true });
    const { 'price list of visitors': visitors, ...own } = await faces();
    const all = [...offered.slice(0, 2), 'no-price', ...offered.slice(2)];
    for (const [face, models] of Object.entries(own)) expect([face, models]).toEqual([face, all]);
    expect(visitors).toEqual(offered);
    await customer.self.updateSetting({ accept_unset_model_ratio_model: false });
  });
});
