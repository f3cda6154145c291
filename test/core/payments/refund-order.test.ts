/** What providers report of refunds, and what it does to order, balance and notices. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createRefundOrder, type RefundOrder } from '../../../src/core/payments/refund-order.ts';
import { createSettleOrder } from '../../../src/core/payments/settle-order.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { methodByHand } from '../../../src/core/vocabulary/payment-methods.ts';
import { codeOf } from '../../support/app.ts';
import { type OrderBench, openOrderBench } from './order-bench.ts';

let bench: OrderBench;
let refunds: RefundOrder;
let order: TopUp;
/** Of the payer before the order is credited. */
let start: number;
beforeAll(async () => {
  bench = await openOrderBench();
  refunds = createRefundOrder(bench.deps);
});
afterAll(() => bench.close());
beforeEach(async () => {
  order = await bench.place();
  start = await bench.balance(order);
});

const owns = (method: string) => method === 'zfb';
const pay = async () => {
  const settle = createSettleOrder(bench.deps);
  const { tradeNo } = order;
  const payment = { tradeNo, cents: 730, sum: '7.30', providerTradeNo: 'P1' };
  expect(await settle.reported(payment, owns)).toBe('credited');
  order = await bench.orderOf(tradeNo);
};
const report = (
  cents: number,
  refundNo = 'r1',
  state: 'refunded' | 'failed' | 'closed' = 'refunded',
) => refunds.reported({ tradeNo: order.tradeNo, refundNo, cents, state }, owns);
const credited = async () => (await bench.balance(order)) - start;
const refunded = async () => (await bench.orderOf(order.tradeNo)).refundedCents;

describe('a refund of a credited order', () => {
  beforeEach(pay);

  test('takes back its share of the quota, rounded half up, and says so in the log', async () => {
    await report(100);
    // 500,000 × 100 ÷ 730 = 68,493.15
    expect(await credited()).toBe(500_000 - 68_493);
    expect(await refunded()).toBe(100);
    const [log] = await bench.logsOf(order);
    expect(log).toMatchObject({
      userId: order.userId,
      type: 1,
      username: expect.stringMatching(/^payer/),
      content: expect.stringMatching(
        new RegExp(`^Order ${order.tradeNo}: 1.00 yuan were paid back, .*0.136986.* taken back$`),
      ),
    });
  });

  test('parts add up to the whole, whatever their rounding', async () => {
    await report(1, 'r1');
    await report(364, 'r2');
    await report(365, 'r3');
    expect(await credited()).toBe(0);
    expect(await refunded()).toBe(730);
  });

  test('is told to the owner, by its number, and to the payer', async () => {
    await report(100);
    const content = (await bench.logsOf(order))[0]?.content;
    const notice = { title: 'A top-up was paid back', content: '{{value}}', values: [content] };
    expect(bench.toOwner).toEqual([{ ...notice, type: `payment_refund_${order.tradeNo}:r1` }]);
    expect(bench.toUsers).toEqual([[order.userId, { ...notice, type: 'payment_refund' }]]);
  });

  test('of quota that is spent leaves a debt, which the owner is told of; an empty balance is none', async () => {
    await bench.deps.ledger.post({
      userId: order.userId,
      kind: 'adjustment',
      reference: `spent-${order.tradeNo}`,
      amount: toQuota(-(start + 250_000)),
    });
    await report(365, 'r1');
    expect(await bench.balance(order)).toBe(0);
    expect(bench.toOwner[0]?.values).toEqual([expect.stringMatching(/taken back$/)]);
    await report(365, 'r2');
    expect(await bench.balance(order)).toBe(-250_000);
    const { username } = (await bench.logsOf(order))[0] ?? { username: '' };
    expect(bench.toOwner[1]?.values).toEqual([
      expect.stringMatching(`taken back. The balance of ${username} is now a debt$`),
    ]);
  });

  test('is taken once, however often it is reported', async () => {
    await report(100);
    await report(100);
    expect(await refunds.take(order, 100, 'r1')).toBe(false);
    expect(await refunded()).toBe(100);
    expect(bench.toOwner).toHaveLength(1);
  });

  test('that an administrator has taken is no payment too much when it is reported', async () => {
    expect(await refunds.take(order, 730, 'r1')).toBe(true);
    await report(730);
    expect(bench.errors).toEqual([]);
    expect(await refunded()).toBe(730);
  });

  test('is taken from an order that was read before another refund of it', async () => {
    await report(100);
    expect(await refunds.take(order, 30, 'r2')).toBe(true);
    expect(await refunded()).toBe(130);
  });

  test('of more than is left is refused where somebody enters it, and cut where it is reported', async () => {
    await report(700, 'r1');
    const current = await bench.orderOf(order.tradeNo);
    await expect(refunds.take(current, 31, 'r2')).rejects.toMatchObject({
      code: 'refund_sum_invalid',
      params: { most: '0.30' },
    });
    expect(await codeOf(refunds.take(current, -701, 'r2'))).toBe('refund_sum_invalid');
    expect(bench.errors).toEqual([]);
    await report(31, 'r3');
    expect(await refunded()).toBe(730);
    expect(bench.errors).toEqual([
      [{ order: order.tradeNo, money: '0.31' }, 'more was paid back than was paid'],
    ]);
    // Nothing is left: nothing is posted.
    await report(5, 'r4');
    expect(bench.toOwner).toHaveLength(2);
  });

  test('that the provider gives up later is given back, once', async () => {
    await report(100, 'r1', 'closed');
    expect(await credited()).toBe(500_000);
    await report(100, 'r1');
    await report(100, 'r1', 'closed');
    await report(100, 'r1', 'closed');
    expect(await credited()).toBe(500_000);
    expect(await refunded()).toBe(0);
    const [log] = await bench.logsOf(order);
    expect(log?.content).toMatch(
      /: the refund of 1.00 yuan was closed at the provider, .*0.136986.* given back$/,
    );
    expect(bench.toOwner).toHaveLength(2);
  });

  test('that does not reach the payer is told to the owner alone', async () => {
    await report(100, 'r1', 'failed');
    expect(await credited()).toBe(500_000);
    expect(bench.toUsers).toEqual([]);
    expect(bench.toOwner).toEqual([
      {
        type: `payment_refund_${order.tradeNo}:r1`,
        title: 'A refund failed at the provider',
        content: '{{value}}',
        values: [
          `Order ${order.tradeNo}: the refund of 1.00 yuan did not reach the payer. Finish it at the provider`,
        ],
      },
    ]);
  });

  test('by an administrator says who, for administrators', async () => {
    expect(await refunds.take(order, 100, 'by-hand', { admin: 'root' })).toBe(true);
    expect(JSON.parse((await bench.logsOf(order))[0]?.other ?? '')).toMatchObject({
      admin_info: { admin: 'root' },
    });
  });
});

describe('a total that the provider names', () => {
  beforeEach(pay);

  test('takes back what is new in it, at most all', async () => {
    await refunds.reportedTotal(order, 100);
    expect(await refunded()).toBe(100);
    await refunds.reportedTotal(await bench.orderOf(order.tradeNo), 100);
    await refunds.reportedTotal(await bench.orderOf(order.tradeNo), 40);
    expect(await refunded()).toBe(100);
    expect(bench.toOwner.map(({ type }) => type)).toEqual([
      `payment_refund_${order.tradeNo}:total-100`,
    ]);
    await refunds.reportedTotal(await bench.orderOf(order.tradeNo), 9999);
    expect(await refunded()).toBe(730);
    expect(await credited()).toBe(0);
  });
});

describe('a refund of an order that is not credited', () => {
  test.each(['pending', 'failed'] as const)('closes it: %s', async (status) => {
    order = await bench.place({ status });
    await report(730);
    expect(await bench.orderOf(order.tradeNo)).toMatchObject({
      status: 'failed',
      note: 'refunded',
    });
    expect(bench.toOwner).toEqual([
      {
        type: `payment_refund_${order.tradeNo}:r1`,
        title: 'A top-up was paid back',
        content: '{{value}}',
        values: [
          `Order ${order.tradeNo} was paid back (7.30 yuan) before it was credited; it is closed`,
        ],
      },
    ]);
    await report(730, 'r2');
    expect(bench.toOwner).toHaveLength(1);
    expect(await codeOf(refunds.take(order, 100, 'r3'))).toBe('order_not_paid');
  });

  test('that a lookup finds closes it and is told once, with the sum where it is known', async () => {
    await refunds.beforeCredit(order, undefined);
    await refunds.beforeCredit(await bench.orderOf(order.tradeNo), 730);
    await report(730);
    expect(await bench.orderOf(order.tradeNo)).toMatchObject({
      status: 'failed',
      note: 'refunded',
    });
    expect(bench.toOwner.map(({ values }) => values)).toEqual([
      [`Order ${order.tradeNo} was paid back before it was credited; it is closed`],
    ]);
    order = await bench.place();
    await refunds.beforeCredit(order, 100);
    expect(bench.toOwner).toMatchObject([{ values: [expect.stringContaining('(1.00 yuan)')] }]);
  });

  test('that the provider gives up later is told: the payer has neither quota nor money', async () => {
    await report(730, 'r1', 'closed');
    expect(bench.toOwner).toEqual([]);
    await report(730, 'r1');
    await report(730, 'r1', 'closed');
    expect(bench.toOwner.map(({ title }) => title)).toEqual([
      'A top-up was paid back',
      'A refund failed at the provider',
    ]);
    expect(await credited()).toBe(0);
  });

  test('is tried again where the order, closed before, was credited since it was read', async () => {
    order = await bench.place({ status: 'failed', note: 'expired' });
    const late = order;
    await pay();
    expect(await codeOf(refunds.beforeCredit(late, 730))).toBe('ledger_conflict');
    expect(await bench.orderOf(order.tradeNo)).toMatchObject({ status: 'success' });
    expect(bench.toOwner).toEqual([]);
    await report(730);
    expect(await credited()).toBe(0);
  });

  test('is tried again where the order was credited since it was read', async () => {
    const { topUps } = bench.deps.storage;
    const stale = createRefundOrder({
      ...bench.deps,
      storage: { ...bench.deps.storage, topUps: { ...topUps, fail: async () => false } },
    });
    const notice = { tradeNo: order.tradeNo, refundNo: 'r1', cents: 1, state: 'refunded' } as const;
    expect(await codeOf(stale.reported(notice, owns))).toBe('ledger_conflict');
    expect(bench.toOwner).toEqual([]);
  });
});

test('an order of another provider is unknown; one that was completed by hand belongs to each', async () => {
  const unknown = { tradeNo: 'none', refundNo: 'r1', cents: 1, state: 'refunded' } as const;
  expect(await codeOf(refunds.reported(unknown, owns))).toBe('order_unknown');
  order = await bench.place({ paymentMethod: 'wechat' });
  expect(await codeOf(report(100))).toBe('order_unknown');
  order = await bench.place({ paymentMethod: methodByHand, status: 'success' });
  await report(100);
  expect(await refunded()).toBe(100);
});

test('of an account that was deleted: what a provider reports is told, in all or by part, and takes nothing', async () => {
  order = await bench.place({ userId: 987_654_321, status: 'success' });
  await report(100);
  expect(await refunded()).toBe(0);
  expect(bench.toOwner).toMatchObject([
    { type: `payment_refund_${order.tradeNo}:r1`, values: [expect.stringMatching(/1\.00 yuan/)] },
  ]);
  await refunds.reportedTotal(order, 300);
  expect(await refunded()).toBe(300);
  await refunds.reportedTotal(await bench.orderOf(order.tradeNo), 300);
  expect(await refunded()).toBe(300);
  // Two at a time: the later one has read what is no longer so.
  expect(await codeOf(refunds.take(order, 400, 'r2'))).toBe('ledger_conflict');
});
