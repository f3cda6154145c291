/** A paid order is credited once, or not at all, whatever is reported of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Credit } from '../../../src/core/payments/credit-wallet.ts';
import type { ReportedPayment } from '../../../src/core/payments/payment-method.ts';
import {
  createSettleOrder,
  isRefunded,
  type SettleOrder,
  type SettleOrderDeps,
} from '../../../src/core/payments/settle-order.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { methodByHand } from '../../../src/core/vocabulary/payment-methods.ts';
import { codeOf } from '../../support/app.ts';
import { type OrderBench, openOrderBench } from './order-bench.ts';

let bench: OrderBench;
let settle: SettleOrder;
let order: TopUp;
let start: number;
beforeAll(async () => {
  bench = await openOrderBench();
  settle = createSettleOrder(bench.deps);
});
afterAll(() => bench.close());

const place = async (fields: Partial<TopUp> = {}) => {
  order = await bench.place(fields);
  start = await bench.balance(order);
};
beforeEach(() => place());

const owns = (method: string) => method === 'zfb';
const report = (fields: Partial<ReportedPayment> = {}) =>
  settle.reported(
    { tradeNo: order.tradeNo, cents: 730, sum: '7.30', providerTradeNo: 'P1', ...fields },
    owns,
  );
const credited = async () => (await bench.balance(order)) - start;
const row = () => bench.orderOf(order.tradeNo);

test.each(['pending', 'failed'] as const)('credits an order that is %s, once', async (status) => {
  await place({ status });
  expect(await report({ paymentMethod: 'wx' })).toBe('credited');
  expect(await credited()).toBe(500_000);
  expect(await row()).toMatchObject({
    status: 'success',
    paymentMethod: 'wx',
    providerTradeNo: 'P1',
    finishTime: bench.clock.now() / 1000,
  });
  const logs = await bench.logsOf(order);
  const { username } = (await bench.deps.storage.users.find(order.userId)) ?? {};
  expect(logs[0]).toMatchObject({ username, type: 1 });
  expect(logs[0]?.content).toMatch(/1\.00.*7\.30 yuan|7\.30 yuan.*1\.00/);
  // In each language, for its readers.
  expect(JSON.parse(logs[0]?.other ?? '')).toEqual({
    texts: {
      en: logs[0]?.content,
      zh: expect.stringMatching(/^在线充值 .*1\.00.*，支付 7\.30 元$/),
    },
  });
  expect(bench.toOwner).toEqual([]);
});

test('says that it was credited before', async () => {
  await report();
  expect(await report()).toBe('already_credited');
  expect(await report({ cents: 729, sum: '7.29' })).toBe('already_credited');
  expect(await row()).toMatchObject({ paymentMethod: 'zfb', note: '' });
  expect(await credited()).toBe(500_000);
});

test('credits an order that was closed between the read and the posting, and one that was credited then only once', async () => {
  const { storage } = bench.deps;
  /** Reads the order, after which `happens`. */
  const after = (happens: () => Promise<unknown>) => {
    let isFirst = true;
    const users = {
      ...storage.users,
      find: async (id: number) => {
        if (isFirst) {
          isFirst = false;
          await happens();
        }
        return storage.users.find(id);
      },
    };
    return createSettleOrder({ ...bench.deps, storage: { topUps: storage.topUps, users } });
  };
  const payment = () => ({
    tradeNo: order.tradeNo,
    cents: 730,
    sum: '7.30',
    providerTradeNo: 'P1',
  });
  const closed = after(() => storage.topUps.fail(order.tradeNo, 'closed'));
  expect(await closed.reported(payment(), owns)).toBe('credited');
  expect([await credited(), (await row()).status]).toEqual([500_000, 'success']);

  await place();
  const twice = after(() => report());
  expect(await twice.reported(payment(), owns)).toBe('already_credited');
  expect(await credited()).toBe(500_000);

  await place();
  const paidBack = after(() => storage.topUps.fail(order.tradeNo, 'refunded'));
  expect(await paidBack.reported(payment(), owns)).toBe('already_credited');
  expect(await credited()).toBe(0);
});

test.each([
  ['less', { cents: 729, sum: '7.29' }],
  ['more', { cents: 731, sum: '7.31' }],
  ['what cannot be read', { cents: undefined, sum: 'x' }],
] as const)('credits nothing where %s was paid, and tells the owner once', async (_, paid) => {
  expect(await report(paid)).toBe('mismatch');
  expect(bench.toOwner).toHaveLength(1);
  expect(await report(paid)).toBe('mismatch');
  expect(await credited()).toBe(0);
  const text = `Order ${order.tradeNo}: ${paid.sum} yuan were paid, 7.30 yuan are due. This notice credited nothing`;
  expect(await row()).toMatchObject({ status: 'pending', note: text });
  expect(bench.toOwner).toEqual([
    {
      type: 'payment_mismatch',
      subject: order.tradeNo,
      title: 'A payment differs from its order',
      content: '{{value}}',
      values: [text],
    },
  ]);
  const params = { order: order.tradeNo, paid: paid.sum, due: '7.30' };
  const said = [params, 'the sum paid differs from the order; nothing was credited'];
  expect(bench.errors).toEqual([said, said]);
  // The right sum is still credited.
  expect(await report()).toBe('credited');
});

test('a sum that cannot be read is a mismatch of a credited order, too', async () => {
  await report();
  expect(await report({ cents: undefined, sum: 'x' })).toBe('mismatch');
  expect(await credited()).toBe(500_000);
  expect(await row()).toMatchObject({ status: 'success' });
});

test('an order whose payment was paid back is credited by an administrator alone', async () => {
  await bench.deps.storage.topUps.fail(order.tradeNo, 'refunded');
  expect(await report()).toBe('refunded');
  expect(await credited()).toBe(0);
  expect(await settle.byHand(await row(), { admin: 'root' })).toBe(true);
  expect(await credited()).toBe(500_000);
  expect(await row()).toMatchObject({ status: 'success', paymentMethod: methodByHand });
  expect(JSON.parse((await bench.logsOf(order))[0]?.other ?? '')).toMatchObject({
    admin_info: { admin: 'root' },
  });
  expect(await settle.byHand(await row(), { admin: 'root' })).toBe(false);
});

test('an order whose payment was paid back stays so, whatever else is reported of it', async () => {
  await bench.deps.storage.topUps.fail(order.tradeNo, 'refunded');
  expect(await report({ cents: undefined, sum: '-7.30' })).toBe('mismatch');
  expect(bench.toOwner).toHaveLength(1);
  expect(await row()).toMatchObject({ status: 'failed', note: 'refunded' });
  expect(await report()).toBe('refunded');
  expect(await credited()).toBe(0);
});

test('a closed order that is paid back between the read and the posting is not credited', async () => {
  await place({ status: 'failed', note: 'expired' });
  const { storage } = bench.deps;
  const users = {
    ...storage.users,
    find: async (id: number) => {
      await storage.topUps.setNote(order, 'refunded');
      return storage.users.find(id);
    },
  };
  settle = createSettleOrder({ ...bench.deps, storage: { topUps: storage.topUps, users } });
  expect(await report()).toBe('already_credited');
  settle = createSettleOrder(bench.deps);
  expect(await credited()).toBe(0);
  expect(await row()).toMatchObject({ status: 'failed', note: 'refunded' });
});

test('a mismatch of an order that was paid back meanwhile is reported again, and its note stays', async () => {
  const { storage } = bench.deps;
  const topUps = {
    ...storage.topUps,
    findByTradeNo: async (tradeNo: string) => {
      const found = await storage.topUps.findByTradeNo(tradeNo);
      await storage.topUps.fail(tradeNo, 'refunded');
      return found;
    },
  };
  settle = createSettleOrder({ ...bench.deps, storage: { topUps, users: storage.users } });
  const failed = await codeOf(report({ cents: undefined, sum: '-7.30' }));
  settle = createSettleOrder(bench.deps);
  expect(failed).toBe('ledger_conflict');
  expect(await row()).toMatchObject({ note: 'refunded' });
  expect(bench.toOwner).toEqual([]);
});

test('an order that was closed for another reason is credited when its payment arrives late', async () => {
  await bench.deps.storage.topUps.fail(order.tradeNo, 'closed');
  expect(await report()).toBe('credited');
});

test('an order of another provider is unknown; one that was completed by hand belongs to each', async () => {
  expect(await codeOf(report({ tradeNo: 'none' }))).toBe('order_unknown');
  await place({ paymentMethod: 'wechat' });
  expect(await codeOf(report())).toBe('order_unknown');
  await place({ paymentMethod: methodByHand });
  expect(await codeOf(report())).toBe('order_unknown');
  await place({ paymentMethod: 'wechat', status: 'success' });
  expect(await codeOf(report())).toBe('order_unknown');
  await place({ paymentMethod: methodByHand, status: 'success' });
  expect(await report()).toBe('already_credited');
});

test('a payment for an account that was deleted credits nothing, and the owner is told once', async () => {
  order = await bench.place({ userId: 987_654_321 });
  expect(await report()).toBe('mismatch');
  expect(await report()).toBe('mismatch');
  expect(await row()).toMatchObject({
    status: 'pending',
    note: expect.stringMatching(/^Order N\d+: 7\.30 yuan were paid, but its account was deleted/),
  });
  expect(bench.toOwner).toEqual([
    {
      type: 'payment_without_account',
      subject: order.tradeNo,
      title: 'A payment has no account',
      content: '{{value}}',
      values: [(await row()).note],
    },
  ]);
});

describe('an order that changes while it is credited', () => {
  /** `found`: the order as it is after each posting that was not written; null: it is gone. */
  const race = (found: readonly (Partial<TopUp> | null)[], posts: readonly boolean[]) => {
    const from: string[] = [];
    const given: unknown[] = [];
    const [left, answers] = [[...found], [...posts]];
    const settleNow = createSettleOrder({
      ...bench.deps,
      storage: {
        users: { find: async () => null },
        topUps: {
          findByTradeNo: async () => {
            const next = left.shift();
            return next === null || next === undefined ? null : { ...order, ...next };
          },
        },
      },
      creditWallet: async ({ guard, payer, adminInfo }: Credit) => {
        from.push(String(guard.from));
        given.push([payer, adminInfo]);
        return answers.shift() ?? false;
      },
    } as unknown as SettleOrderDeps);
    return { from, given, byHand: () => settleNow.byHand(order, { actor: 'ann' }) };
  };

  test('is credited as it is then', async () => {
    const { from, given, byHand } = race([{ status: 'failed' }], [false, true]);
    expect(await byHand()).toBe(true);
    expect(from).toEqual(['pending', 'failed']);
    const payer = { userId: order.userId, username: '' };
    expect(given).toEqual([1, 2].map(() => [payer, { actor: 'ann' }]));
  });
  test.each<[string, Partial<TopUp> | null]>([
    ['was credited meanwhile', { status: 'success' }],
    ['did not change', {}],
    ['is gone', null],
  ])('is not where it %s', async (_, found) => {
    const { from, byHand } = race([found], [false]);
    expect(await byHand()).toBe(false);
    expect(from).toEqual(['pending']);
  });
});

test.each<[TopUp['status'], string, boolean]>([
  ['failed', 'refunded', true],
  ['failed', 'expired', false],
  ['success', 'refunded', false],
])(
  'an order that is %s with note %s was paid back before it was credited: %s',
  (status, note, is) => {
    expect(isRefunded({ status, note })).toBe(is);
  },
);
