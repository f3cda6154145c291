/** Refunds that an administrator starts: what is allowed, what is sent, what is taken back and noted. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import type { ProviderOrder } from '../../../src/core/payments/payment-method.ts';
import { roles } from '../../../src/core/vocabulary/roles.ts';
import { codeOf } from '../../support/app.ts';
import { admin, openRefundBench, type RefundBench } from './refund-bench.ts';

let site: RefundBench;
let bench: RefundBench['bench'];
let at: RefundBench['at'];
const refund: RefundBench['refund'] = (changes) => site.refund(changes);
const refunded = () => site.refunded();
beforeAll(async () => {
  site = await openRefundBench();
  ({ bench, at } = site);
});
afterAll(() => bench.close());
beforeEach(() => site.reset());

const payer = () => site.payer();

test('all that is left is paid back, taken back, noted and returned with its payer', async () => {
  expect(await refund()).toMatchObject({ refundedCents: 730, username: await payer() });
  expect(at.sent).toEqual([
    {
      order: expect.objectContaining({ tradeNo: at.order.tradeNo }),
      refundNo: `${at.order.tradeNo}R0`,
      cents: 730,
      reason: 'why',
    },
  ]);
  expect(at.recorded).toEqual([
    [
      admin,
      'topup.refund',
      at.order.tradeNo,
      { userId: at.order.userId, money: '7.30', noted: false, reason: 'why' },
    ],
  ]);
  const [log] = await bench.logsOf(at.order);
  expect(JSON.parse(log?.other ?? '')).toMatchObject({
    admin_info: { actor_id: admin.id, actor: 'ann' },
  });
});

test('a part is named in yuan; the next has a number of its own and what is left', async () => {
  await refund({ input: { money: '0.01' } });
  await refund({ input: { money: '1.29' } });
  await refund();
  expect(at.sent.map(({ refundNo, cents }) => [refundNo, cents])).toEqual([
    [`${at.order.tradeNo}R0`, 1],
    [`${at.order.tradeNo}R1`, 129],
    [`${at.order.tradeNo}R130`, 600],
  ]);
  expect(await refunded()).toBe(730);
});

test.each(['0', '0.00', '-1', '7.31', 'x'])('%j cannot be paid back', async (money) => {
  const failed = refund({ input: { money } });
  await expect(failed).rejects.toMatchObject({
    code: 'refund_sum_invalid',
    params: { most: '7.30' },
  });
  expect(at.sent).toEqual([]);
  expect(await refunded()).toBe(0);
});
test('nothing is left after all was paid back', async () => {
  await refund({ input: { money: '7.30' } });
  await expect(refund()).rejects.toMatchObject({ params: { most: '0.00' } });
});

test('what was paid back elsewhere is noted: nothing is sent, each part once', async () => {
  await refund({ input: { noted: true, money: '0.30' }, method: { isEnabled: () => false } });
  await refund({ input: { noted: true } });
  expect(at.sent).toEqual([]);
  expect(await refunded()).toBe(730);
  expect(at.recorded.map((entry) => entry[3])).toMatchObject([
    { noted: true, money: '0.30' },
    { noted: true, money: '7.00' },
  ]);
  expect(bench.toOwner.map(({ type }) => type)).toEqual([
    `payment_refund_${at.order.tradeNo}:noted-0`,
    `payment_refund_${at.order.tradeNo}:noted-30`,
  ]);
});

describe('a provider that sends no notices of refunds', () => {
  const hides = { hidesRefunds: true };

  test('is looked up first: what was paid back there counts', async () => {
    at.state = { state: 'refunded', cents: 230 };
    expect(await refund({ method: hides })).toMatchObject({ refundedCents: 730 });
    expect(at.sent).toMatchObject([{ cents: 500, refundNo: `${at.order.tradeNo}R230` }]);
  });
  test.each<[string, ProviderOrder]>([
    ['is not said', { state: 'refunded' }],
    ['is nothing', { state: 'unpaid' }],
  ])('nothing counts where what was paid back %s', async (_, said) => {
    at.state = said;
    await refund({ method: hides });
    expect(at.sent).toMatchObject([{ cents: 730, refundNo: `${at.order.tradeNo}R0` }]);
  });
  test('one that does is not', async () => {
    at.state = { state: 'refunded', cents: 230 };
    await refund();
    expect(at.sent).toMatchObject([{ cents: 730 }]);
  });
});

describe('refused, with nothing sent or taken', () => {
  afterEach(async () => {
    expect(at.sent).toEqual([]);
    expect(at.recorded).toEqual([]);
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
    at.isEnabled = false;
    expect(await codeOf(refund())).toBe('payment_not_configured');
  });
  test('what the provider refuses; it may be tried again', async () => {
    at.refusal = new AppError('refund_failed', { detail: 'no' });
    expect(await codeOf(refund())).toBe('refund_failed');
    expect(await codeOf(refund())).toBe('refund_failed');
  });
  test('an order of one’s own, or of a user of one’s level', async () => {
    const own = { ...admin, id: at.order.userId };
    expect(await codeOf(refund({ actor: own }))).toBe('own_quota_forbidden');
    const user = { ...admin, role: roles.user };
    expect(await codeOf(refund({ actor: user }))).toBe('user_update_forbidden');
  });
  test('a second refund of the order while one is under way, until it ends', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
    const { promise: gate, reject } = Promise.withResolvers<'accepted'>();
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
    // Another at.order waits for nobody.
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
  expect(at.sent.map(({ refundNo, cents }) => [refundNo, cents])).toEqual([
    [`${tradeNo}R0`, 30],
    [`${tradeNo}R30`, 700],
  ]);
  await expect(refund({ input: { tradeNo } })).rejects.toMatchObject({ params: { most: '0.00' } });
});

test('what cannot be read after it was taken is known', async () => {
  expect(await refund({ input: { money: '0.30' }, failsFrom: 3 })).toMatchObject({
    tradeNo: at.order.tradeNo,
    refundedCents: 30,
    username: await payer(),
  });
});
