import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { bindApplyLookup } from '../../../src/core/payments/apply-lookup.ts';
import { createOrderSweeper } from '../../../src/core/payments/order-sweeper.ts';
import type { OrderMethod, ProviderOrder } from '../../../src/core/payments/payment-method.ts';
import { createRefundSweeper } from '../../../src/core/payments/refund-sweeper.ts';
import { createSettleOrder } from '../../../src/core/payments/settle-order.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { createTestClock } from '../../support/app.ts';
import { openOrderBench } from './order-bench.ts';

const clock = createTestClock();
const createTime = clock.now() / 1000 - 600;

const order = (id: number): TopUp => ({
  id,
  userId: 1,
  amount: 1,
  moneyCents: 730,
  quota: toQuota(500_000),
  tradeNo: `T${id}`,
  status: 'pending',
  createTime,
  paymentMethod: 'alipay',
  goodsName: '',
  finishTime: 0,
  providerTradeNo: '',
  topUpCode: '',
  note: '',
  refundedCents: 0,
});

const method: OrderMethod = {
  id: 'epay',
  orderSeconds: 86_400,
  isEnabled: () => true,
  owns: () => true,
  query: () => Promise.reject(new Error('not called')),
};

const orders = { listPending: async () => [1, 2, 3].map(order) };
const paid = { listPaid: async () => [1, 2, 3].map(order) };
const cases: readonly (readonly [ErrorCode, number])[] = [
  ['do_request_failed', 1],
  ['upstream_timeout', 1],
  // The provider answers, so the next order may be another matter.
  ['bad_response_body', 3],
];

test.each(cases)(
  'three orders whose lookup ends with %s are %i lookups',
  async (code, expected) => {
    let lookups = 0;
    const sweep = createOrderSweeper({
      storage: { topUps: orders as never },
      methods: [method],
      applyLookup: () => {
        lookups += 1;
        return Promise.reject(new AppError(code));
      },
      clock,
      logger: silentLogger,
    });
    await sweep(new AbortController().signal);
    expect(lookups).toBe(expected);
  },
);

test.each(cases)(
  'so are three paid orders that are looked up for refunds: %s',
  async (code, expected) => {
    let lookups = 0;
    const sweep = createRefundSweeper({
      storage: { topUps: paid as never },
      methods: [
        {
          ...method,
          hidesRefunds: true,
          query: () => {
            lookups += 1;
            return Promise.reject(new AppError(code));
          },
        },
      ],
      refunds: { reportedTotal: () => Promise.reject(new Error('not called')) },
      oneRefund: (_, work) => work(),
      clock,
      logger: silentLogger,
    });
    // Tried again within an hour, unless the provider answers.
    const swept = sweep(new AbortController().signal);
    await (expected === 1 ? expect(swept).rejects.toMatchObject({ code }) : swept);
    expect(lookups).toBe(expected);
  },
);

const never = new AbortController().signal;
const now = clock.now() / 1000;

/** Orders in pages, and what became of them. */
function openSweep(list: readonly TopUp[], methods: readonly OrderMethod[], isPaid = false) {
  const failed: (readonly [string, string])[] = [];
  const lookups: string[] = [];
  const warned: unknown[] = [];
  const reads: (readonly [number, number])[] = [];
  const page = async (time: number, after: number, limit: number) => {
    reads.push([time, after]);
    return list.filter(({ id }) => id > after).slice(0, limit);
  };
  const deps = {
    storage: {
      topUps: {
        listPending: page,
        listPaid: page,
        findByTradeNo: async (tradeNo: string) =>
          list.find((found) => found.tradeNo === tradeNo) ?? null,
        fail: async (tradeNo: string, note: string) => void failed.push([tradeNo, note]),
      } as never,
    },
    methods,
    clock,
    logger: { ...silentLogger, warn: (...words: unknown[]) => void warned.push(words) },
  };
  const refunds: unknown[] = [];
  const reportedTotal = async (...refund: unknown[]) => void refunds.push(refund);
  return {
    failed,
    lookups,
    warned,
    reads,
    refunds,
    sweepRefunds: createRefundSweeper({
      ...deps,
      refunds: { reportedTotal },
      oneRefund: (_, work) => work(),
    }),
    sweep: createOrderSweeper({
      ...deps,
      applyLookup: async ({ tradeNo }) => {
        lookups.push(tradeNo);
        return isPaid;
      },
    }),
  };
}

const many = Array.from({ length: 400 }, (_, at) => order(at + 1));

describe('an unpaid order', () => {
  const aged = (seconds: number, more: Partial<TopUp> = {}) => ({
    ...order(1),
    createTime: now - seconds,
    ...more,
  });

  test.each([
    [60, ['T1'], []],
    [7200, ['T1'], []],
    [7201, [], []],
    [86_399, [], []],
    [86_400, ['T1'], [['T1', 'expired']]],
  ])('of %i seconds', async (seconds, lookups, failed) => {
    const run = openSweep([aged(seconds)], [method]);
    await run.sweep(never);
    expect([run.lookups, run.failed]).toEqual([lookups, failed]);
    expect(run.reads).toEqual([[now - 60, 0]]);
  });

  test('that was paid is not closed at its provider', async () => {
    const closing: OrderMethod = { ...method, close: () => Promise.reject(new Error('closed')) };
    const run = openSweep([aged(90_000)], [closing], true);
    await run.sweep(never);
    expect([run.lookups, run.warned]).toEqual([['T1'], []]);
  });

  test('keeps its note, and is closed unasked where its method is switched off', async () => {
    const off: OrderMethod = { ...method, isEnabled: () => false, close: () => Promise.reject() };
    const run = openSweep([aged(90_000, { note: 'other sum' })], [off]);
    await run.sweep(never);
    expect([run.lookups, run.failed]).toEqual([[], [['T1', 'other sum']]]);
  });

  test('is closed at its provider first; one that was paid meanwhile is credited instead', async () => {
    const closed: unknown[] = [];
    const closing = { ...method, close: async (...given: unknown[]) => void closed.push(given) };
    const run = openSweep([aged(90_000)], [closing]);
    await run.sweep(never);
    expect(closed).toEqual([[aged(90_000), never]]);
    expect(run.failed).toHaveLength(1);

    const error = new Error('paid');
    for (const isPaid of [true, false]) {
      let isClosing = false;
      const refusing: OrderMethod = {
        ...method,
        close: () => {
          isClosing = true;
          return Promise.reject(error);
        },
      };
      const { failed, warned } = openSweep([], []);
      const logger = { ...silentLogger, warn: (...words: unknown[]) => void warned.push(words) };
      const topUps = {
        listPending: async () => [aged(90_000)],
        findByTradeNo: async () => aged(90_000),
        fail: async () => void failed.push(['', '']),
      };
      await createOrderSweeper({
        storage: { topUps: topUps as never },
        methods: [refusing],
        applyLookup: async () => isClosing && isPaid,
        clock,
        logger,
      })(never);
      expect(failed).toEqual([]);
      expect(warned).toEqual(
        isPaid ? [] : [[{ error, order: 'T1' }, 'an unpaid order could not be looked up']],
      );
    }
  });

  test.each(['', 'TRADE_SUCCESS'])(
    'paid with another sum is closed with its note when it expires; note before: %j',
    async (note) => {
      const bench = await openOrderBench();
      try {
        const { topUps } = bench.deps.storage;
        const createTime = bench.clock.now() / 1000 - 90_000;
        const { tradeNo } = await bench.place({ createTime, note });
        let lookups = 0;
        const paying: OrderMethod = {
          ...method,
          query: async () => {
            lookups += 1;
            const payment = { tradeNo, cents: 729, sum: '7.29', providerTradeNo: 'P1' };
            return { state: 'paid', payment };
          },
        };
        const sweep = createOrderSweeper({
          ...bench.deps,
          methods: [paying],
          applyLookup: bindApplyLookup({
            ...bench.deps,
            settle: createSettleOrder(bench.deps),
            refunds: { beforeCredit: () => Promise.reject(new Error('not called')) },
          }),
        });
        await sweep(never);
        await sweep(never);
        const closed = await bench.orderOf(tradeNo);
        expect([closed.status, lookups]).toEqual(['failed', 1]);
        expect(closed.note).toContain('7.29 yuan were paid');
        expect(bench.toOwner).toHaveLength(1);
        // An administrator may still credit it.
        expect(await createSettleOrder(bench.deps).byHand(closed, {})).toBe(true);
        expect(await topUps.listPending(bench.clock.now() / 1000, 0, 10)).toEqual([]);
      } finally {
        await bench.close();
      }
    },
  );

  test('of a method that is gone is left alone, and all pages are read', async () => {
    const other: OrderMethod = { ...method, owns: (name) => name === 'wechat' };
    const list = many.map((one) => (one.id === 400 ? { ...one, paymentMethod: 'wechat' } : one));
    const run = openSweep(list, [other]);
    await run.sweep(never);
    expect(run.lookups).toEqual(['T400']);
    expect(run.reads.map(([, after]) => after)).toEqual([0, 200, 400]);
  });
});

describe('a paid order', () => {
  const answer = { state: 'refunded', cents: 30 } as ProviderOrder;
  const hiding = (found: ProviderOrder, more: Partial<OrderMethod> = {}): OrderMethod => ({
    ...method,
    hidesRefunds: true,
    query: async () => found,
    ...more,
  });

  test('is looked up for thirty days, and what was paid back is taken', async () => {
    const run = openSweep([order(1)], [hiding(answer)]);
    await run.sweepRefunds(never);
    expect(run.refunds).toEqual([[order(1), 30]]);
    expect(run.reads).toEqual([[now - 30 * 86_400, 0]]);
  });

  test.each<ProviderOrder>([
    { state: 'refunded' },
    { state: 'unpaid' },
    { state: 'paid', payment: {}, cents: 30 } as never,
  ])('of which nothing was paid back stays: %o', async (found) => {
    const run = openSweep([order(1)], [hiding(found)]);
    await run.sweepRefunds(never);
    expect([run.refunds, run.warned]).toEqual([[], []]);
  });

  test('is not looked up where its provider reports refunds, is switched off or is another one', async () => {
    for (const other of [
      hiding(answer, { hidesRefunds: false }),
      hiding(answer, { isEnabled: () => false }),
      hiding(answer, { owns: () => false }),
    ]) {
      const run = openSweep([order(1)], [other]);
      await run.sweepRefunds(never);
      expect([run.refunds, run.warned]).toEqual([[], []]);
    }
  });

  test('is named where its lookup fails; the others are looked up, page by page', async () => {
    const error = new Error('not now');
    const failing = hiding(answer, {
      query: async ({ id }) => (id === 1 ? Promise.reject(error) : answer),
    });
    const run = openSweep(many, [failing]);
    await run.sweepRefunds(never);
    expect(run.warned).toEqual([[{ error, order: 'T1' }, 'a paid order could not be looked up']]);
    expect(run.refunds).toHaveLength(399);
    expect(run.reads.map(([, after]) => after)).toEqual([0, 200, 400]);
  });
});

test.each(['sweep', 'sweepRefunds'] as const)('%s ends when it is told to', async (kind) => {
  for (const isDuring of [true, false]) {
    const stop = new AbortController();
    let lookups = 0;
    const stopping: OrderMethod = {
      ...method,
      hidesRefunds: true,
      query: async () => {
        lookups += 1;
        stop.abort(new Error('stopped'));
        if (isDuring) throw new Error('interrupted');
        return { state: 'unpaid' };
      },
    };
    const run = openSweep(many, [stopping]);
    const ordersSweep = createOrderSweeper({
      storage: { topUps: { listPending: async () => many } as never },
      methods: [stopping],
      applyLookup: async (one) => (await stopping.query(one)).state === 'paid',
      clock,
      logger: silentLogger,
    });
    const work = kind === 'sweep' ? ordersSweep : run.sweepRefunds;
    await expect(work(stop.signal)).rejects.toThrow('stopped');
    expect([lookups, run.warned]).toEqual([1, []]);
  }
});
