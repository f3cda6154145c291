/** Refunds that an administrator starts: what is allowed, what is sent, what is taken back and noted. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../../src/core/kernel/actor.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { bindOneRefund } from '../../../src/core/payments/one-refund.ts';
import type {
  OrderMethod,
  ProviderOrder,
  RefundRequest,
} from '../../../src/core/payments/payment-method.ts';
import { createRefundOrder } from '../../../src/core/payments/refund-order.ts';
import { bindRefundTopUp, type RefundInput } from '../../../src/core/payments/refund-service.ts';
import { createRefundSweeper } from '../../../src/core/payments/refund-sweeper.ts';
import { createSettleOrder } from '../../../src/core/payments/settle-order.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { roles } from '../../../src/core/vocabulary/roles.ts';
import { codeOf } from '../../support/app.ts';
import { type OrderBench, openOrderBench } from './order-bench.ts';

const admin: Actor = {
  id: 1_000_000,
  username: 'ann',
  role: roles.admin,
  ip: '',
  group: 'default',
};

let bench: OrderBench;
let order: TopUp;
/** The balance of the payer before the order. */
let start: number;
/** What the provider was sent. */
let sent: RefundRequest[];
let recorded: unknown[][];
/** What the provider says of the order, and with what it refuses a refund. */
let state: ProviderOrder;
let refusal: AppError | undefined;
let isEnabled: boolean;

beforeAll(async () => {
  bench = await openOrderBench();
});
afterAll(() => bench.close());
beforeEach(async () => {
  [sent, recorded, refusal, isEnabled] = [[], [], undefined, true];
  state = { state: 'unpaid' };
  order = await bench.place();
  start = await bench.balance(order);
  const payment = { tradeNo: order.tradeNo, cents: 730, sum: '7.30', providerTradeNo: 'P1' };
  await createSettleOrder(bench.deps).reported(payment, () => true);
});

function methodWith(fields: Partial<OrderMethod> = {}): OrderMethod {
  return {
    id: 'epay',
    orderSeconds: 1,
    isEnabled: () => isEnabled,
    owns: (method) => method === 'zfb',
    query: async () => state,
    refund: async (request) => {
      if (refusal !== undefined) throw refusal;
      sent.push(request);
    },
    ...fields,
  };
}

interface Changes {
  readonly actor?: Actor;
  readonly method?: Partial<OrderMethod>;
  readonly input?: Partial<RefundInput>;
  /** Reads of the order that fail, counted from the first. */
  readonly failsFrom?: number;
}

function refund({ actor = admin, method, input, failsFrom = Infinity }: Changes = {}) {
  let reads = 0;
  const { storage } = bench.deps;
  const topUps = {
    ...storage.topUps,
    findByTradeNo: async (tradeNo: string) => {
      reads += 1;
      if (reads >= failsFrom) throw new Error('the database is gone');
      return storage.topUps.findByTradeNo(tradeNo);
    },
  };
  const run = bindRefundTopUp({
    storage: { users: storage.users, topUps },
    methods: [
      methodWith({ id: 'other', owns: () => false, refund: undefined }),
      methodWith(method),
    ],
    refunds: createRefundOrder(bench.deps),
    audit: {
      record: async (...entry: unknown[]) => void recorded.push(entry),
    } as never,
    oneRefund: bindOneRefund(bench.app),
  });
  return run(actor, { tradeNo: order.tradeNo, money: '', noted: false, reason: 'why', ...input });
}
const refunded = async () => (await bench.orderOf(order.tradeNo)).refundedCents;
const payer = async () => (await bench.deps.storage.users.find(order.userId))?.username;

test('all that is left is paid back, taken back, noted and returned with its payer', async () => {
  expect(await refund()).toMatchObject({ refundedCents: 730, username: await payer() });
  expect(sent).toEqual([
    {
      order: expect.objectContaining({ tradeNo: order.tradeNo }),
      refundNo: `${order.tradeNo}R0`,
      cents: 730,
      reason: 'why',
    },
  ]);
  expect(recorded).toEqual([
    [
      admin,
      'topup.refund',
      order.tradeNo,
      { userId: order.userId, money: '7.30', noted: false, reason: 'why' },
    ],
  ]);
  const [log] = await bench.logsOf(order);
  expect(JSON.parse(log?.other ?? '')).toMatchObject({
    admin_info: { actor_id: admin.id, actor: 'ann' },
  });
});

test('a part is named in yuan; the next has a number of its own and what is left', async () => {
  await refund({ input: { money: '0.01' } });
  await refund({ input: { money: '1.29' } });
  await refund();
  expect(sent.map(({ refundNo, cents }) => [refundNo, cents])).toEqual([
    [`${order.tradeNo}R0`, 1],
    [`${order.tradeNo}R1`, 129],
    [`${order.tradeNo}R130`, 600],
  ]);
  expect(await refunded()).toBe(730);
});

test('a refund that the provider gave up has its number for good; the next one is sent and taken', async () => {
  const refunds = createRefundOrder(bench.deps);
  const giveUp = (refundNo: string) =>
    refunds.reported({ tradeNo: order.tradeNo, refundNo, cents: 730, state: 'closed' }, () => true);
  await refund();
  await giveUp(`${order.tradeNo}R0`);
  expect(await refunded()).toBe(0);
  await refund();
  await giveUp(`${order.tradeNo}R0-1`);
  await refund();
  expect(sent.map(({ refundNo }) => refundNo)).toEqual(
    ['R0', 'R0-1', 'R0-2'].map((name) => `${order.tradeNo}${name}`),
  );
  expect(await refunded()).toBe(730);
  expect(await bench.balance(order)).toBe(start);
});

test.each(['0', '0.00', '-1', '7.31', 'x'])('%j cannot be paid back', async (money) => {
  const failed = refund({ input: { money } });
  await expect(failed).rejects.toMatchObject({
    code: 'refund_sum_invalid',
    params: { most: '7.30' },
  });
  expect(sent).toEqual([]);
  expect(await refunded()).toBe(0);
});
test('nothing is left after all was paid back', async () => {
  await refund({ input: { money: '7.30' } });
  await expect(refund()).rejects.toMatchObject({ params: { most: '0.00' } });
});

test('what was paid back elsewhere is noted: nothing is sent, each part once', async () => {
  await refund({ input: { noted: true, money: '0.30' }, method: { isEnabled: () => false } });
  await refund({ input: { noted: true } });
  expect(sent).toEqual([]);
  expect(await refunded()).toBe(730);
  expect(recorded.map((entry) => entry[3])).toMatchObject([
    { noted: true, money: '0.30' },
    { noted: true, money: '7.00' },
  ]);
  expect(bench.toOwner.map(({ type }) => type)).toEqual([
    `payment_refund_${order.tradeNo}:noted-0`,
    `payment_refund_${order.tradeNo}:noted-30`,
  ]);
});

describe('a provider that sends no notices of refunds', () => {
  const hides = { hidesRefunds: true };

  test('is looked up first: what was paid back there counts', async () => {
    state = { state: 'refunded', cents: 230 };
    expect(await refund({ method: hides })).toMatchObject({ refundedCents: 730 });
    expect(sent).toMatchObject([{ cents: 500, refundNo: `${order.tradeNo}R230` }]);
  });
  test('a repeated call pays only what is not paid back yet of its sum', async () => {
    // The gateway paid 2.00 back, and the process ended before they were counted.
    state = { state: 'refunded', cents: 200 };
    const again = { method: hides, input: { money: '2.00' } };
    expect(await refund(again)).toMatchObject({ refundedCents: 200 });
    expect(sent).toEqual([]);
    expect(recorded.map((entry) => entry[3])).toMatchObject([{ money: '2.00' }]);
    state = { state: 'refunded', cents: 250 };
    expect(await refund(again)).toMatchObject({ refundedCents: 400 });
    expect(sent).toMatchObject([{ cents: 150 }]);
  });
  test('is counted once, also where all are looked up while it is paid back', async () => {
    const { storage } = bench.deps;
    const warned: unknown[] = [];
    const sweep = createRefundSweeper({
      storage: { topUps: { ...storage.topUps, listPaid: async () => [order] } },
      methods: [methodWith(hides)],
      refunds: createRefundOrder(bench.deps),
      oneRefund: bindOneRefund(bench.app),
      clock: bench.clock,
      logger: { ...bench.app.logger, warn: (...words: unknown[]) => void warned.push(words) },
    });
    const pays = async (request: RefundRequest) => {
      sent.push(request);
      state = { state: 'refunded', cents: 200 };
      expect(await codeOf(sweep(new AbortController().signal))).toBe('refund_busy');
    };
    await refund({ method: { ...hides, refund: pays }, input: { money: '2.00' } });
    expect(await refunded()).toBe(200);
    // The row that the sweep has read is from before.
    await sweep(new AbortController().signal);
    expect(await refunded()).toBe(200);
    state = { state: 'refunded', cents: 300 };
    await sweep(new AbortController().signal);
    expect(await refunded()).toBe(300);
    expect(warned).toMatchObject([[{ error: { code: 'refund_busy' } }, expect.any(String)]]);
  });
  test.each<[string, ProviderOrder]>([
    ['is not said', { state: 'refunded' }],
    ['is nothing', { state: 'unpaid' }],
  ])('nothing counts where what was paid back %s', async (_, said) => {
    state = said;
    await refund({ method: hides });
    expect(sent).toMatchObject([{ cents: 730, refundNo: `${order.tradeNo}R0` }]);
  });
  test('one that does is not', async () => {
    state = { state: 'refunded', cents: 230 };
    await refund();
    expect(sent).toMatchObject([{ cents: 730 }]);
  });
});

describe('refused, with nothing sent or taken', () => {
  afterEach(async () => {
    expect(sent).toEqual([]);
    expect(recorded).toEqual([]);
    expect(await refunded()).toBe(0);
  });

  test('an order that is not known, or not paid', async () => {
    expect(await codeOf(refund({ input: { tradeNo: 'unknown' } }))).toBe('order_unknown');
    const unpaid = await bench.place();
    expect(await codeOf(refund({ input: { tradeNo: unpaid.tradeNo } }))).toBe('order_not_paid');
  });
  test('a method without refunds, or without its secrets', async () => {
    expect(await codeOf(refund({ method: { refund: undefined } }))).toBe('refund_not_offered');
    expect(await codeOf(refund({ method: { owns: () => false } }))).toBe('refund_not_offered');
    isEnabled = false;
    expect(await codeOf(refund())).toBe('payment_not_configured');
  });
  test('what the provider refuses; it may be tried again', async () => {
    refusal = new AppError('refund_failed', { detail: 'no' });
    expect(await codeOf(refund())).toBe('refund_failed');
    expect(await codeOf(refund())).toBe('refund_failed');
  });
  test('an order of one’s own, or of a user of one’s level', async () => {
    const own = { ...admin, id: order.userId };
    expect(await codeOf(refund({ actor: own }))).toBe('own_quota_forbidden');
    const user = { ...admin, role: roles.user };
    expect(await codeOf(refund({ actor: user }))).toBe('user_update_forbidden');
  });
  test('a second refund of the order while one is under way, until it ends', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const { promise: gate, reject } = Promise.withResolvers<void>();
    const first = refund({
      method: {
        refund: () => {
          enter();
          return gate;
        },
      },
    });
    await entered;
    expect(await codeOf(refund())).toBe('refund_busy');
    // Another order waits for nobody.
    const { tradeNo } = await bench.place({ status: 'success' });
    expect(await codeOf(refund({ input: { tradeNo, money: '0' } }))).toBe('refund_sum_invalid');
    reject(new AppError('refund_failed', { detail: 'no' }));
    expect(await codeOf(first)).toBe('refund_failed');
    expect(await codeOf(refund({ input: { money: '0' } }))).toBe('refund_sum_invalid');
  });
});

test('an order whose account was deleted is paid back; nothing is taken', async () => {
  const { tradeNo } = await bench.place({ userId: 987_654_321, status: 'success' });
  expect(await refund({ input: { tradeNo, money: '0.30' } })).toMatchObject({
    refundedCents: 30,
    username: '',
  });
  expect(await refund({ input: { tradeNo } })).toMatchObject({ refundedCents: 730 });
  expect(sent.map(({ refundNo, cents }) => [refundNo, cents])).toEqual([
    [`${tradeNo}R0`, 30],
    [`${tradeNo}R30`, 700],
  ]);
  await expect(refund({ input: { tradeNo } })).rejects.toMatchObject({ params: { most: '0.00' } });
});

test('what cannot be read after it was taken is known', async () => {
  expect(await refund({ input: { money: '0.30' }, failsFrom: 3 })).toMatchObject({
    tradeNo: order.tradeNo,
    refundedCents: 30,
    username: await payer(),
  });
});
