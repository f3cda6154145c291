// Covers src/core/pricing/task-price.ts
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decimal } from '../../../../../src/core/kernel/decimal.ts';
import { explainLog } from '../../../../../src/core/pricing/explain.ts';
import {
  chargedVideo,
  createVideoBench,
  t2v,
  type VideoBench,
  videoPrice,
} from '../../../../support/video-bench.ts';

let bench: VideoBench;
beforeEach(async () => {
  bench = await createVideoBench();
});
afterEach(async () => {
  expect(await bench.app.ledger.verify()).toMatchObject({ ok: true });
  await bench.close();
});

const longModel = 'wan2.5-t2v-preview';
const picture = { img_url: 'https://pictures.example/a.png' };
const ratios = { 'wan2.5*': { '480P': 1, '720P': 2, '1080P': 3.3333333333333335 } };
const setRatios = (value: object = ratios) =>
  bench.operator.option.set({ key: 'VideoRatios', value: JSON.stringify(value) });
const idOf = ({ body }: { body: Record<string, unknown> }) => String(body['task_id']);

/** Quota for each case, by hand: dollars of the list × seconds × 500,000. */
const listed: readonly (readonly [model: string, fields: object, quota: number])[] = [
  // 10 × 0.143353, and what the request leaves open: 1080P.
  [longModel, { duration: 10, resolution: '1080P' }, 716_765],
  [longModel, { duration: 10 }, 716_765],
  [longModel, { resolution: '480P' }, 107_515],
  ['wan2.2-t2v-plus', {}, 250_868],
  ['wan2.2-i2v-flash', { resolution: '720P', ...picture }, 71_678],
  ['wan2.6-t2v', { duration: 15, resolution: '720P' }, 645_090],
  ['wan2.6-i2v-flash', { resolution: '1080P', ...picture }, 179_193],
  ['wan2.6-i2v-flash', { resolution: '1080P', audio: false, ...picture }, 89_595],
  ['wan2.7-t2v', { duration: 5, resolution: '720P' }, 215_030],
  ['wan3.0-video', { duration: 8, resolution: '1080P' }, 660_100],
  ['happyhorse-1.1-t2v', { duration: 6, resolution: '480P' }, 185_654],
  [t2v, { resolution: '480P' }, 86_013],
  ['wan2.1-t2v-plus', {}, 250_868],
  ['veo-3.1-generate-001', { duration: 8, resolution: '720P' }, 1_600_000],
  ['veo-3.1-fast-generate-001', { duration: 8, resolution: '1080P' }, 480_000],
  ['veo-3.1-lite-generate-001', { duration: 4, resolution: '720P' }, 100_000],
  ['grok-imagine-video', { duration: 6, resolution: '480P' }, 150_000],
  ['grok-imagine-video-1.5-preview', { duration: 6, resolution: '1080P' }, 750_000],
  ['sora-2', { duration: 8, resolution: '720P' }, 400_000],
  ['sora-2-pro', { duration: 8, resolution: '1080P' }, 2_000_000],
  // Has no 1080P: the highest that it has, 0.13.
  ['MiniMax-H3', { duration: 6, resolution: '1080P' }, 390_000],
  ['doubao-seedance-2-0-260128', { duration: 5, resolution: '720P' }, 354_857],
  ['kling-v2-6', { duration: 5, resolution: '1080P' }, 350_000],
  ['kling-v2-6', { duration: 5, resolution: '1080P', audio: false }, 175_000],
];

describe('a video without a price of the site costs its list price by the second', () => {
  it('whole to the unit', async () => {
    const models = [...new Set(listed.map(([model]) => model))];
    await bench.operator.option.set({ key: 'ModelPrice', value: '{}' });
    await bench.addChannel(bench.upstream.url, { type: 17, models: models.join(',') });
    const rich = await bench.addCustomer(1_000_000_000);
    const charged: [string, object, number | undefined][] = [];
    for (const [model, fields] of listed) {
      const { body } = await bench.order({ model, ...fields }, rich);
      const row = await bench.app.storage.tasks.findByTaskId(String(body['task_id']));
      charged.push([model, fields, row?.quota]);
      const [log] = (await bench.operator.log.list({ type: 2 })).items;
      const ticket = log && explainLog({ ...log, other: JSON.parse(log.other) }, decimal(500_000));
      expect(ticket).toMatchObject({ exact: true, lines: [{ kind: 'second' }] });
    }
    expect(charged).toEqual(listed);
  });

  const order = (fields: object) =>
    bench.order({ model: longModel, duration: 5, ...fields }).then(async ({ status, body }) => {
      const row = await bench.app.storage.tasks.findByTaskId(String(body['task_id']));
      return row?.quota ?? status;
    });

  it('VideoRatios alone say nothing: they multiply prices of the site', async () => {
    await bench.operator.option.set({ key: 'ModelPrice', value: '{}' });
    await setRatios({ [longModel]: { '480P': 9 } });
    expect(await order({ resolution: '480P' })).toBe(107_515);
  });

  it('an own price of one resolution leaves the others as listed', async () => {
    await bench.operator.option.set({ key: 'ModelPrice', value: '{}' });
    const details = { [longModel]: { perSecond: { '480P': 0.05 } } };
    const value = JSON.stringify(details);
    await bench.operator.option.set({ key: 'ModelPriceDetails', value });
    expect(await order({ resolution: '480P' })).toBe(125_000);
    expect(await order({ resolution: '720P' })).toBe(215_030);
    // A price for the whole video goes before both.
    await bench.operator.option.set({ key: 'ModelPrice', value: `{"${longModel}":0.2}` });
    expect(await order({ resolution: '720P' })).toBe(videoPrice);
  });

  it('a chat with such a model is refused for want of a price, and the price list has it', async () => {
    await bench.operator.option.set({ key: 'ModelPrice', value: '{}' });
    const chat = { model: longModel, messages: [{ role: 'user', content: 'hi' }] };
    const reply = await bench.call(bench.customer, 'POST', '/v1/chat/completions', chat);
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'model_price_error' } } });
    const { data } = await bench.operator.catalog.pricing();
    expect(data.find(({ model_name: name }) => name === longModel)).toMatchObject({
      unpriced: false,
      model_price: 0.043006,
      video_ratios: { '480P': 1, '720P': 2 },
    });
  });
});

describe('the price list has what a video costs', () => {
  const shown = async (model: string) => {
    const { data } = await bench.operator.catalog.pricing();
    const row = data.find(({ model_name: name }) => name === model);
    const square = (await bench.operator.modelSquare.list()).data;
    const { quota_type, model_price, unpriced, video_ratios } = row ?? {};
    expect(square.find((entry) => entry.model === model)).toMatchObject({
      quota_type,
      model_price,
      unpriced,
    });
    return { quota_type, model_price, unpriced, video_ratios };
  };
  const charged = async (fields: object) => {
    const { body } = await bench.order(fields);
    return (await bench.app.storage.tasks.findByTaskId(String(body['task_id'])))?.quota;
  };

  it('of a model that has only a ratio', async () => {
    await bench.operator.option.set({ key: 'ModelPrice', value: '{}' });
    await bench.operator.option.set({ key: 'ModelRatio', value: `{"${longModel}":0.3}` });
    expect(await shown(longModel)).toEqual({
      quota_type: 1,
      model_price: 0.15,
      unpriced: false,
      video_ratios: undefined,
    });
    expect(await charged({ model: longModel })).toBe(75_000);
    await setRatios({ [longModel]: { '720P': 0.2 } });
    expect(await shown(longModel)).toMatchObject({ video_ratios: { '720P': 0.2 } });
    // 0.15 × 5 seconds × 0.2
    expect(await charged({ model: longModel, duration: 5, resolution: '720P' })).toBe(75_000);
  });

  it('of one without a price where the site accepts those', async () => {
    await bench.addChannel(bench.upstream.url, { type: 17, models: 'wan0-t2v' });
    await bench.operator.option.set({ key: 'SelfUseModeEnabled', value: 'true' });
    expect(await shown('wan0-t2v')).toMatchObject({ model_price: 0.1, unpriced: true });
    expect(await charged({ model: 'wan0-t2v' })).toBe(50_000);
  });

  it('of one of which a resolution is free', async () => {
    await bench.operator.option.set({ key: 'ModelPrice', value: '{}' });
    const details = { [longModel]: { perSecond: { '480P': 0, '720P': 0.02, '*': 0.04 } } };
    const value = JSON.stringify(details);
    await bench.operator.option.set({ key: 'ModelPriceDetails', value });
    const { model_price: price = 0, video_ratios: ratios = {} } = await shown(longModel);
    const seconds = 5;
    for (const [resolution, quota] of [
      ['480P', 0],
      ['720P', 50_000],
    ] as const) {
      const order = { model: longModel, duration: seconds, resolution };
      expect(await charged(order)).toBe(quota);
      expect(price * (ratios[resolution] ?? 1) * seconds * 500_000).toBe(quota);
    }
  });
});

describe('the price of a video', () => {
  it('is what the site has set for it, whatever its length and resolution', async () => {
    await bench.order({ model: longModel, duration: 10, resolution: '1080P' });
    expect(await bench.figures()).toEqual(chargedVideo());
  });

  it('VideoRatios make the price one per second', async () => {
    await setRatios();
    const rich = await bench.addCustomer(100_000_000);
    const { body } = await bench.order(
      { model: longModel, duration: 10, resolution: '1080P' },
      rich,
    );
    const row = await bench.app.storage.tasks.findByTaskId(String(body['task_id']));
    // 0.2 units × 10 seconds × 3.3333333333333335, rounded once.
    expect(row?.quota).toBe(3_333_333);
    const [log] = (await bench.operator.log.list({ type: 2 })).items;
    expect(JSON.parse(log?.other ?? '')).toMatchObject({
      model_price: 0.2,
      ratios: { seconds: 10, resolution: 3.3333333333333335 },
    });
    await bench.order({ model: t2v }, rich);
    expect((await bench.operator.log.list({ type: 2 })).items[0]?.quota).toBe(videoPrice);
  });

  it('of a video that became shorter is the price of what was made; the rest is refunded once', async () => {
    await setRatios({ [t2v]: { '480P': 0.3 } });
    bench.upstream.script({ polls: ['RUNNING', 'SUCCEEDED'], seconds: 3 });
    const id = idOf(await bench.order({ resolution: '480P' }));
    expect(await bench.figures()).toEqual(chargedVideo(150_000));
    await bench.poll();
    await Promise.all([bench.poll(), bench.poll(), bench.read(id)]);
    await bench.poll();
    expect(await bench.figures()).toEqual(chargedVideo(90_000));
    expect(await bench.app.storage.tasks.findByTaskId(id)).toMatchObject({
      status: 'SUCCESS',
      progress: '100%',
      quota: 90_000,
    });
    const refunds = (await bench.operator.log.list({ type: 4 })).items.filter(
      ({ quota }) => quota === 60_000,
    );
    expect(refunds).toHaveLength(1);
    expect(JSON.parse(refunds[0]?.other ?? '')).toEqual({
      // In each language, for its readers.
      texts: { en: expect.stringContaining(id), zh: expect.stringContaining(id) },
      task_id: id,
      reason: 'less was made than ordered',
    });
  });

  it('of one that became longer stays', async () => {
    await setRatios({ [t2v]: { '480P': 0.3 } });
    bench.upstream.script({ seconds: 9 });
    await bench.order({ resolution: '480P' });
    await bench.poll();
    expect(await bench.figures()).toEqual(chargedVideo(150_000));
  });

  it('of a model without one is 0.1 for users who accept such models', async () => {
    await bench.operator.option.set({ key: 'SelfUseModeEnabled', value: true });
    await bench.order({ model: 'wan-unpriced' });
    expect(await bench.figures()).toEqual(chargedVideo(50_000));
  });
});
