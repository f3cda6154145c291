/** Orders as their payers and administrators see them, and those that are completed by hand. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../../src/core/kernel/actor.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { defaultOptions } from '../../../src/core/options/index.ts';
import { createSettleOrder } from '../../../src/core/payments/settle-order.ts';
import {
  createTopUpService,
  type TopUpService,
} from '../../../src/core/payments/top-up-service.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { roles } from '../../../src/core/vocabulary/roles.ts';
import { codeOf } from '../../support/app.ts';
import { type OrderBench, openOrderBench } from './order-bench.ts';

const user: Actor = {
  id: 1_000_000,
  username: 'bob',
  role: roles.user,
  ip: '',
  group: 'default',
};
const admin: Actor = { ...user, id: 1_000_001, username: 'ann', role: roles.admin };
const defaults = defaultOptions();

let bench: OrderBench;
let service: TopUpService;
let recorded: unknown[][];
/** Whether reads of orders fail, once one of them has been credited. */
let losesReads: boolean;

beforeAll(async () => {
  bench = await openOrderBench();
});
afterAll(() => bench.close());
beforeEach(() => {
  recorded = [];
  losesReads = false;
  const { storage } = bench.deps;
  let isCredited = false;
  const settle = createSettleOrder(bench.deps);
  service = createTopUpService({
    ...bench.deps,
    storage: {
      users: storage.users,
      topUps: {
        ...storage.topUps,
        findByTradeNo: async (tradeNo) => {
          if (losesReads && isCredited) throw new Error('the database is gone');
          return storage.topUps.findByTradeNo(tradeNo);
        },
      },
    },
    options: { get: (key) => defaults[key] },
    settle: {
      ...settle,
      byHand: async (...order) => {
        isCredited = await settle.byHand(...order);
        return isCredited;
      },
    },
    audit: { record: async (...entry: unknown[]) => void recorded.push(entry) } as never,
    ids: bench.app.ids,
  });
});

describe('an order', () => {
  test('costs what is shown and has a number of its own', async () => {
    const request = { amount: 10, topUpCode: '' };
    const { moneyCents, quota } = service.price(user, request);
    const order = await service.order(user, request, 'zfb');
    const seconds = bench.clock.now() / 1000;
    expect(order).toMatchObject({
      amount: 10,
      topUpCode: '',
      userId: user.id,
      moneyCents,
      quota,
      status: 'pending',
      paymentMethod: 'zfb',
      createTime: seconds,
    });
    expect(order.tradeNo).toMatch(new RegExp(`^USR${user.id}NO[0-9a-zA-Z]{6}${seconds}$`));
    expect(order.goodsName).toContain((moneyCents / 100).toFixed(2));
  });
  test('that its provider refuses is failed, with the cause', async () => {
    const order = await bench.place();
    await service.refuse(order, 'no such shop');
    expect(await bench.orderOf(order.tradeNo)).toMatchObject({
      status: 'failed',
      note: 'no such shop',
    });
  });
  test('is found by its payer only', async () => {
    const order = await bench.place({ userId: user.id });
    expect(await service.ownOrder(user, order.tradeNo)).toEqual(order);
    expect(await codeOf(service.ownOrder(admin, order.tradeNo))).toBe('order_unknown');
    expect(await codeOf(service.ownOrder(user, 'unknown'))).toBe('order_unknown');
  });
});

describe('whose orders are seen', () => {
  const wanted = { isSelf: false, username: '' };
  test('users see their own, whatever they want', async () => {
    expect(await service.payerFilter(user, { ...wanted, userId: 5 })).toBe(user.id);
    expect(await service.payerFilter(user, { ...wanted, username: 'root' })).toBe(user.id);
  });
  test('administrators see all, those of one user, or their own', async () => {
    expect(await service.payerFilter(admin, wanted)).toBeUndefined();
    expect(await service.payerFilter(admin, { ...wanted, userId: 5 })).toBe(5);
    expect(await service.payerFilter(admin, { ...wanted, userId: 5, username: 'root' })).toBe(5);
    expect(await service.payerFilter(admin, { ...wanted, username: 'root' })).toBe(1);
    expect(await service.payerFilter(admin, { ...wanted, username: 'nobody' })).toBe(0);
    expect(await service.payerFilter(admin, { ...wanted, isSelf: true, userId: 5 })).toBe(admin.id);
  });
  test('each row names its payer; one who is gone has no name', async () => {
    const first = await bench.place();
    const lost = await bench.place({ userId: 987_654_321 });
    const { items, total } = await service.page({}, { offset: 0, limit: 2 });
    expect(items).toEqual([
      { ...lost, username: '' },
      { ...first, username: expect.stringMatching(/^payer\d+$/) },
    ]);
    expect(total).toBeGreaterThanOrEqual(2);
  });
});

test('income is that of the day, the month and the year of the server', async () => {
  const now = new Date(bench.clock.now());
  const at = (...date: [number, number, number]) => new Date(...date).getTime() / 1000;
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()] as const;
  const { userId } = await bench.place();
  const times = [
    [at(year, month, day), 1],
    [at(year, month, day) - 1, 20],
    [at(year, month, 1), 300],
    [at(year, month, 1) - 1, 4000],
    [at(year, 0, 1), 50_000],
    [at(year, 0, 1) - 1, 600_000],
  ] as const;
  for (const [finishTime, moneyCents] of times)
    await bench.place({ userId, moneyCents, finishTime, status: 'success' });
  expect(await service.income(userId)).toEqual({ today: 1, month: 321, year: 54_321 });
  expect(await service.income(user.id)).toEqual({ today: 0, month: 0, year: 0 });
});

describe('completed by hand', () => {
  let order: TopUp;
  beforeEach(async () => {
    order = await bench.place();
  });
  const done = () => ({ status: 'success', finishTime: bench.clock.now() / 1000 });

  test('it is credited once, and noted', async () => {
    const start = await bench.balance(order);
    const completed = await service.complete(admin, order.tradeNo);
    expect(completed).toMatchObject({ ...done(), username: expect.stringMatching(/^payer/) });
    expect((await bench.balance(order)) - start).toBe(toQuota(500_000));
    expect(recorded).toEqual([
      [
        admin,
        'topup.complete',
        order.tradeNo,
        { userId: order.userId, quota: 500_000, money: '7.30', paymentMethod: 'zfb' },
      ],
    ]);
    const [log] = await bench.logsOf(order);
    expect(JSON.parse(log?.other ?? '')).toMatchObject({
      admin_info: { actor_id: admin.id, actor: 'ann' },
    });
    expect(await codeOf(service.complete(admin, order.tradeNo))).toBe('order_already_paid');
    expect((await bench.balance(order)) - start).toBe(toQuota(500_000));
    expect(recorded).toHaveLength(1);
  });
  test('what cannot be read afterwards is known', async () => {
    losesReads = true;
    expect(await service.complete(admin, order.tradeNo)).toEqual({
      ...order,
      ...done(),
      username: expect.stringMatching(/^payer/),
    });
  });
  test('not for oneself, nor for a user of one’s level', async () => {
    const own = { ...admin, id: order.userId };
    expect(await codeOf(service.complete(own, order.tradeNo))).toBe('own_quota_forbidden');
    expect(await codeOf(service.complete(user, order.tradeNo))).toBe('user_update_forbidden');
    expect(await codeOf(service.complete(admin, 'unknown'))).toBe('order_unknown');
    const lost = await bench.place({ userId: 987_654_321 });
    expect(await codeOf(service.complete(admin, lost.tradeNo))).toBe('not_found');
    expect(await bench.orderOf(order.tradeNo)).toEqual(order);
  });
});
