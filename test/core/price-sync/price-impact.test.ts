/** Who would have paid what (docs/rules/pricing.md#price-impact). */
import { expect, it } from 'vitest';
import { decimal } from '../../../src/core/kernel/decimal.ts';
import { priceImpact } from '../../../src/core/price-sync/price-impact.ts';
import { buildPriceTables } from '../../../src/core/pricing/tables.ts';
import type { UsageLog } from '../../../src/core/storage/storage.ts';
import { noPrices } from '../pricing/default-tables.ts';

const call = { model_price: 0.02, model_ratio: 0, group_ratio: 1, user_group_ratio: -1 };

/** What the rows cost, and would at a price per call of 0.04 and a ratio of 0.2. */
async function impactOf(
  model: 'call' | 'video',
  rows: readonly { quota: number; other: object }[],
) {
  const logs = rows.map(({ quota, other }) => ({
    userId: 1,
    username: 'ann',
    modelName: model,
    promptTokens: 0,
    completionTokens: 0,
    quota,
    other: JSON.stringify(other),
  }));
  const tables = buildPriceTables({
    ...noPrices,
    ModelPrice: { call: 0.04 },
    ModelRatio: { video: 0.2 },
  });
  const unit = decimal(500_000);
  const listBefore = async () => logs as unknown as UsageLog[];
  const { models } = await priceImpact({ listBefore }, new Set([model]), tables, unit, 0);
  return models.get(model);
}

it('what was not charged for want of an answer would not be either', async () => {
  expect(
    await impactOf('call', [
      { quota: 10_000, other: call },
      { quota: 0, other: { ...call, ended: 'upstream_cut' } },
    ]),
  ).toEqual({ requests: 2, paid: 10_000, wouldPay: 20_000 });
});

it('what was free would be charged', async () => {
  const free = { ...call, model_price: 0 };
  expect(await impactOf('call', [{ quota: 0, other: free }])).toMatchObject({ wouldPay: 20_000 });
});

it('a task of a model with a ratio costs half of it', async () => {
  expect(
    await impactOf('video', [
      { quota: 10_000, other: { ...call, task_id: 't' } },
      {
        quota: 50_000,
        other: { ...call, task_id: 't', ratios: { seconds: 5, resolution: 1 } },
      },
    ]),
  ).toEqual({ requests: 2, paid: 60_000, wouldPay: 50_000 + 5 * 50_000 });
});
