/** What clients that poll an order are told, and when the provider is asked for it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../../src/core/kernel/actor.ts';
import { bindOrderState, type OrderStateDeps } from '../../../src/core/payments/order-state.ts';
import type { OrderMethod } from '../../../src/core/payments/payment-method.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { type OrderBench, openOrderBench } from './order-bench.ts';

let bench: OrderBench;
beforeAll(async () => {
  bench = await openOrderBench();
});
afterAll(() => bench.close());

const actor = { id: 1 } as Actor;
const usual: OrderMethod = {
  id: 'wechatpay',
  orderSeconds: 7200,
  isEnabled: () => true,
  owns: (method) => method === 'wechat',
  query: () => Promise.reject(new Error('not called')),
};

/** How the state of `order` is found; `lookUp` does what a lookup does to its row. */
function ask(
  order: TopUp,
  lookUp: (order: TopUp) => Partial<TopUp> = () => ({}),
  {
    method = usual,
    leases = bench.app.cluster.leases,
  }: Partial<OrderStateDeps> & { leases?: OrderStateDeps['cluster']['leases'] } = {},
) {
  let row = order;
  const seen = { lookups: 0, warnings: [] as unknown[] };
  const state = bindOrderState({
    method,
    cluster: { leases },
    ids: bench.app.ids,
    topUps: { ownOrder: async () => row },
    applyLookup: async (found) => {
      seen.lookups += 1;
      row = { ...row, ...lookUp(found) };
      return true;
    },
    logger: { ...bench.app.logger, warn: (...words: unknown[]) => void seen.warnings.push(words) },
  });
  return { seen, state: () => state(actor, order.tradeNo) };
}

const wechat = (fields: Partial<TopUp> = {}) => bench.place({ paymentMethod: 'wechat', ...fields });

test.each<[string, Partial<TopUp>]>([
  ['SUCCESS', { status: 'success' }],
  ['SUCCESS', { status: 'success', refundedCents: 729 }],
  ['REFUND', { status: 'success', refundedCents: 730 }],
  // An order of nothing was not paid back.
  ['SUCCESS', { status: 'success', moneyCents: 0 }],
  ['CLOSED', { status: 'failed', note: 'closed' }],
  ['REFUND', { status: 'failed', note: 'refunded' }],
])('%s: an order that is over is not looked up', async (expected, fields) => {
  const { seen, state } = ask({ ...(await wechat()), ...fields });
  expect([await state(), seen.lookups]).toEqual([expected, 0]);
});

test('a pending order is looked up, and its state is that of afterwards', async () => {
  const paid = ask(await wechat(), () => ({ status: 'success' }));
  expect([await paid.state(), paid.seen.lookups]).toEqual(['SUCCESS', 1]);
  const unpaid = ask(await wechat());
  expect([await unpaid.state(), unpaid.seen.lookups]).toEqual(['NOTPAY', 1]);
});

test('not where its method is another one, or switched off', async () => {
  const other = ask(await bench.place({ paymentMethod: 'zfb' }), () => ({ status: 'success' }));
  expect([await other.state(), other.seen.lookups]).toEqual(['NOTPAY', 0]);
  const method = { ...usual, isEnabled: () => false };
  const off = ask(await wechat(), () => ({ status: 'success' }), { method });
  expect([await off.state(), off.seen.lookups]).toEqual(['NOTPAY', 0]);
});

test('once in two and a half seconds, for each order by itself', async () => {
  const leases: string[] = [];
  const kept = {
    ...bench.app.cluster.leases,
    acquire: async (name: string, owner: string, ms: number) => {
      if (leases.includes(name)) return false;
      expect([owner.length > 0, ms]).toEqual([true, 2500]);
      leases.push(name);
      return true;
    },
  };
  const first = await wechat();
  const second = await wechat();
  const { seen, state } = ask(first, undefined, { leases: kept });
  await state();
  await state();
  const other = ask(second, undefined, { leases: kept });
  await other.state();
  expect([seen.lookups, other.seen.lookups]).toEqual([1, 1]);
  expect(leases).toEqual([`order.${first.tradeNo}`, `order.${second.tradeNo}`]);
});

test('a lookup that fails is a warning, and the order stays as it is known', async () => {
  const failed = new Error('down');
  const order = await wechat();
  const { seen, state } = ask(order, () => {
    throw failed;
  });
  expect(await state()).toBe('NOTPAY');
  expect(seen.warnings).toEqual([
    [{ error: failed, order: order.tradeNo }, 'an unpaid order could not be looked up'],
  ]);
});
