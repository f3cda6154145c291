/** A model is complete from the row that describes it: nothing is typed twice (docs/rules/models.md). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownFacts } from '../../../src/core/catalog/known-facts.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { createTokenCounter } from '../../../src/core/metering/token-counter.ts';
import { isPast } from '../../../src/core/models/catalogue.ts';
import { knownModels } from '../../../src/core/models/known-models.ts';
import { kindOfModel } from '../../../src/core/models/model-type.ts';
import { defaultOptions } from '../../../src/core/options/index.ts';
import { tokenFamilyOf } from '../../../src/core/pricing/estimate-tokens.ts';
import { findPrice } from '../../../src/core/pricing/find-price.ts';
import { buildPriceTables } from '../../../src/core/pricing/tables.ts';
import { logoOfModel } from '../../../src/ui/components/provider-logo-names.ts';
import { type CallBench, startCallBench } from '../../support/calls.ts';

const aurora = {
  server: 'openai',
  name: 'aurora-9',
  vendor: 'openai',
  kind: 'chat',
  released: '2026-11-20',
  ends: '2199-02-01',
  successor: 'gpt-6-sol',
  description: { en: 'Sees at night.', zh: '夜间可视。' },
  inputTokens: 300_000,
  outputTokens: 60_000,
  reads: ['text', 'image'],
  writes: ['text'],
  thinks: true,
  efforts: ['low', 'high'],
  tokenizer: 'o200k',
  price: { input: 4, output: 20, cacheRead: 0.4 },
} as const;
/** Of which only its family is known. */
const undescribed = 'gpt-6.9-x';

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
beforeAll(async () => {
  bench = await startCallBench(`${aurora.name},${undescribed},gpt-6-sol`);
  await bench.gateway.addChannel({ type: 14, baseUrl: bench.upstream.url, models: 'nightjar-2' });
  customer = await bench.gateway.addCustomer(1e12);
  await bench.gateway.client.modelSync.run({
    source: 'given',
    adopt: true,
    list: {
      name: 'list.json',
      own: false,
      rules: [],
      models: [
        aurora,
        {
          server: 'anthropic',
          name: 'nightjar-2',
          vendor: 'anthropic',
          price: { input: 1, output: 2 },
        },
        { server: 'openai', name: undescribed, price: { input: 1, output: 2 } },
      ],
    },
  });
});
afterAll(async () => {
  await bench.close();
});

const inSquare = async (model: string) =>
  (await bench.gateway.client.modelSquare.list()).data.find((row) => row.model === model);

describe('a model of a list', () => {
  it('is described in the square', async () => {
    expect(await inSquare(aurora.name)).toMatchObject({
      description: '夜间可视。',
      description_en: 'Sees at night.',
      vendor: 'openai',
      type_en: 'chat',
      publish_time: '2026-11-20',
      ends: '2199-02-01',
      successor: 'gpt-6-sol',
      context: '300K',
      longest_answer: '60K',
      output_limit: 60_000,
      reads: ['text', 'image'],
      writes: ['text'],
      model_ratio: 2,
      completion_ratio: 5,
      playground: 'chat',
      unpriced: false,
    });
  });

  it('of which only the family is known says what that is', async () => {
    expect(await inSquare(undescribed)).toMatchObject({
      description_en: 'Thinks before it answers, with efforts from low to max.',
      description: '回答前会先思考，思考强度从 low 到 max。',
      publish_time: '',
      vendor: 'openai',
      context: '922K',
      output_limit: 128_000,
      reads: ['text', 'image', 'file'],
    });
  });

  it('is on the price page and in lists of models', async () => {
    const { data } = await bench.gateway.client.catalog.pricing();
    expect(data.find(({ model_name }) => model_name === aurora.name)).toMatchObject({
      model_ratio: 2,
      completion_ratio: 5,
      cache_ratio: 0.1,
      ends: '2199-02-01',
    });
    const reply = await fetch(`${bench.gateway.url}/v1/models/${aurora.name}`, {
      headers: { authorization: `Bearer ${customer.key}` },
    });
    expect(await reply.json()).toMatchObject({
      id: aurora.name,
      ends: '2199-02-01',
      successor: 'gpt-6-sol',
      context_length: 300_000,
      max_output_tokens: 60_000,
      input_modalities: ['text', 'image'],
    });
  });

  it('is estimated as what its maker’s models are, whatever it is called', () => {
    expect([tokenFamilyOf('nightjar-1'), tokenFamilyOf('nightjar-2')]).toEqual([
      'openai',
      'claude',
    ]);
  });

  it('is counted with its own tokenizer where the vendor reports no usage', async () => {
    const counter = createTokenCounter({ logger: silentLogger, timeLimit: 55_000 });
    const texts = ['Ein Satz, der nicht in allen Sprachen gleich viele Tokens hat. 夜は静かだ。'];
    const [own, gpt, estimated] = await Promise.all(
      [aurora.name, 'gpt-6-sol', 'nightjar-1'].map((model) =>
        counter.count({ texts, images: [], tokens: 0 }, model),
      ),
    );
    await counter.close();
    expect(own).toBe(gpt);
    expect(own).not.toBe(estimated);
  });
});

describe('every model that is sold', () => {
  const today = '2026-11-29';
  const sold = knownModels.rows().filter(({ ends }) => !isPast(ends, today));

  it('is enough of them', () => expect(sold.length).toBeGreaterThan(200));

  it('has a logo, and a vendor unless it is a video', () => {
    const plain = sold.filter(({ name, vendor = '' }) => logoOfModel(name, vendor) === undefined);
    expect(plain.map(({ name }) => name)).toEqual([]);
    const unnamed = sold.filter(({ vendor, kind }) => vendor === undefined && kind !== 'video');
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  it('has a price on a new site, but moderation, which is free', () => {
    const prices = buildPriceTables(defaultOptions());
    const unpriced = sold.filter(
      ({ name, secondPrices }) =>
        findPrice(name, prices) === undefined && secondPrices === undefined,
    );
    expect(
      unpriced.map(({ name }) => kindOfModel(name)).filter((kind) => kind !== 'moderation'),
    ).toEqual([]);
  });

  it('says how long its prompt may be, where it reads text', () => {
    const kinds = new Set(['chat', 'completion', 'embedding']);
    const unlimited = sold.filter(
      ({ name }) => kinds.has(kindOfModel(name)) && knownFacts(name).context === '',
    );
    expect(unlimited.map(({ name }) => name)).toEqual([]);
  });
});
