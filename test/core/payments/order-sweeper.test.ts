import { expect, test } from 'vitest';
import { AppError, type ErrorCode } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createOrderSweeper } from '../../../src/core/payments/order-sweeper.ts';
import type { OrderMethod } from '../../../src/core/payments/payment-method.ts';
import { createRefundSweeper } from '../../../src/core/payments/refund-sweeper.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { createTestClock } from '../../support/app.ts';

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
      refunds: { reportedTotal: () => Promise.reject(new Error('not called')) } as never,
      clock,
      logger: silentLogger,
    });
    await sweep(new AbortController().signal);
    expect(lookups).toBe(expected);
  },
);
