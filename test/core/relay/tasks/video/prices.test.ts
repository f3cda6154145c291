import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
const ratios = { 'wan2.5*': { '480P': 1, '720P': 2, '1080P': 3.3333333333333335 } };
const setRatios = (value: object = ratios) =>
  bench.operator.option.set({ key: 'VideoRatios', value: JSON.stringify(value) });
const idOf = ({ body }: { body: Record<string, unknown> }) => String(body['task_id']);

describe('the price of a video', () => {
  it('is that of its model, whatever its length and resolution', async () => {
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
