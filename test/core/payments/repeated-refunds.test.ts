/** Refunds that are called again, given up, or counted by a sweep at the same time: each is paid and taken once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bindOneRefund } from '../../../src/core/payments/one-refund.ts';
import type { RefundRequest } from '../../../src/core/payments/payment-method.ts';
import { createRefundOrder } from '../../../src/core/payments/refund-order.ts';
import { createRefundSweeper } from '../../../src/core/payments/refund-sweeper.ts';
import { codeOf } from '../../support/app.ts';
import { openRefundBench, type RefundBench } from './refund-bench.ts';

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

test('a refund that the provider gave up has its number for good; the next one is sent and taken', async () => {
  const refunds = createRefundOrder(bench.deps);
  const giveUp = (refundNo: string) =>
    refunds.reported(
      { tradeNo: at.order.tradeNo, refundNo, cents: 730, state: 'closed' },
      () => true,
    );
  await refund();
  await giveUp(`${at.order.tradeNo}R0`);
  expect(await refunded()).toBe(0);
  await refund();
  await giveUp(`${at.order.tradeNo}R0-1`);
  await refund();
  expect(at.sent.map(({ refundNo }) => refundNo)).toEqual(
    ['R0', 'R0-1', 'R0-2'].map((name) => `${at.order.tradeNo}${name}`),
  );
  expect(await refunded()).toBe(730);
  expect(await bench.balance(at.order)).toBe(at.start);
});

test('one that was given up after the process ended, before it was counted, makes way for another number', async () => {
  at.givenUp = [`${at.order.tradeNo}R0`];
  expect(await refund({ input: { money: '3.65' } })).toMatchObject({ refundedCents: 365 });
  expect(at.sent.map(({ refundNo }) => refundNo)).toEqual(
    ['R0', 'R0-1'].map((name) => `${at.order.tradeNo}${name}`),
  );
  expect(await bench.balance(at.order)).toBe(at.start + 250_000);
});

test('a provider that gives up every number ends the call, and nothing is taken', async () => {
  at.givenUp = ['', '-1', '-2', '-3', '-4', '-5'].map((end) => `${at.order.tradeNo}R0${end}`);
  await expect(refund()).rejects.toMatchObject({ code: 'refund_failed' });
  expect(at.sent).toHaveLength(5);
  expect(await refunded()).toBe(0);
});

describe('a call that is repeated from what its caller saw', () => {
  const again = { money: '3.65', refunded: '0.00' };

  test('pays nothing where a notice has counted the refund meanwhile', async () => {
    await refund({ input: again });
    expect(await refund({ input: again })).toMatchObject({ refundedCents: 365 });
    expect(await refund({ input: { ...again, noted: true } })).toMatchObject({
      refundedCents: 365,
    });
    expect(at.sent).toHaveLength(1);
  });
  test('pays the rest where the sum is a larger one, and all that was left then', async () => {
    await refund({ input: again });
    await refund({ input: { ...again, money: '5.00' } });
    await refund({ input: { ...again, money: '' } });
    expect(at.sent.map(({ cents }) => cents)).toEqual([365, 135, 230]);
    await expect(refund({ input: { ...again, money: '7.31' } })).rejects.toMatchObject({
      params: { most: '7.30' },
    });
  });
  test('is a new one where the caller has seen the first', async () => {
    await refund({ input: again });
    await refund({ input: { money: '3.65', refunded: '3.65' } });
    expect(await refunded()).toBe(730);
  });
  test('counts from what is now where less is paid back than was seen', async () => {
    await refund({ input: { money: '1.00', refunded: '3.65' } });
    expect(at.sent).toMatchObject([{ cents: 100 }]);
  });
  test.each(['x', '-1', '0.001'])('names a sum that cannot be read: %s', async (text) => {
    const failed = refund({ input: { money: '1.00', refunded: text } });
    await expect(failed).rejects.toMatchObject({
      code: 'invalid_parameter',
      params: { field: 'refunded' },
    });
    expect(at.sent).toEqual([]);
  });
});

describe('a provider that sends no notices of refunds', () => {
  const hides = { hidesRefunds: true };

  test('a repeated call pays only what is not paid back yet of its sum', async () => {
    // The gateway paid 2.00 back, and the process ended before they were counted.
    at.state = { state: 'refunded', cents: 200 };
    const again = { method: hides, input: { money: '2.00' } };
    expect(await refund(again)).toMatchObject({ refundedCents: 200 });
    expect(at.sent).toEqual([]);
    expect(at.recorded.map((entry) => entry[3])).toMatchObject([{ money: '2.00' }]);
    at.state = { state: 'refunded', cents: 250 };
    expect(await refund(again)).toMatchObject({ refundedCents: 400 });
    expect(at.sent).toMatchObject([{ cents: 150 }]);
  });
  test('is counted once, also where all are looked up while it is paid back', async () => {
    const { storage } = bench.deps;
    const warned: unknown[] = [];
    const sweep = createRefundSweeper({
      storage: { topUps: { ...storage.topUps, listPaid: async () => [at.order] } },
      methods: [site.methodWith(hides)],
      refunds: createRefundOrder(bench.deps),
      oneRefund: bindOneRefund(bench.app),
      clock: bench.clock,
      logger: { ...bench.app.logger, warn: (...words: unknown[]) => void warned.push(words) },
    });
    const pays = async (request: RefundRequest) => {
      at.sent.push(request);
      at.state = { state: 'refunded', cents: 200 };
      expect(await codeOf(sweep(new AbortController().signal))).toBe('refund_busy');
      return 'accepted' as const;
    };
    await refund({ method: { ...hides, refund: pays }, input: { money: '2.00' } });
    expect(await refunded()).toBe(200);
    // The row that the sweep has read is from before.
    await sweep(new AbortController().signal);
    expect(await refunded()).toBe(200);
    at.state = { state: 'refunded', cents: 300 };
    await sweep(new AbortController().signal);
    expect(await refunded()).toBe(300);
    expect(warned).toMatchObject([[{ error: { code: 'refund_busy' } }, expect.any(String)]]);
  });
});
