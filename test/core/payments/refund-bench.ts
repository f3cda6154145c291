/** Refunds that an administrator starts, over a real ledger and a provider that says what is set. */
import type { Actor } from '../../../src/core/kernel/actor.ts';
import type { AppError } from '../../../src/core/kernel/errors.ts';
import { bindOneRefund } from '../../../src/core/payments/one-refund.ts';
import type {
  OrderMethod,
  ProviderOrder,
  RefundRequest,
} from '../../../src/core/payments/payment-method.ts';
import { createRefundOrder } from '../../../src/core/payments/refund-order.ts';
import { bindRefundTopUp, type RefundInput } from '../../../src/core/payments/refund-service.ts';
import { createSettleOrder } from '../../../src/core/payments/settle-order.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { roles } from '../../../src/core/vocabulary/roles.ts';
import { openOrderBench } from './order-bench.ts';

export const admin: Actor = {
  id: 1_000_000,
  username: 'ann',
  role: roles.admin,
  ip: '',
  group: 'default',
};

interface Changes {
  readonly actor?: Actor;
  readonly method?: Partial<OrderMethod>;
  readonly input?: Partial<RefundInput>;
  /** Reads of the order that fail, counted from the first. */
  readonly failsFrom?: number;
}

/** What a test sees and sets. */
interface Place {
  /** Paid: 7.30 yuan for 500,000 of quota. */
  order: TopUp;
  /** The balance of the payer before the order. */
  start: number;
  /** What the provider was sent. */
  sent: RefundRequest[];
  recorded: unknown[][];
  /** What the provider says of the order, and with what it refuses a refund. */
  state: ProviderOrder;
  refusal: AppError | undefined;
  /** Numbers of refunds that the provider gave up. */
  givenUp: string[];
  isEnabled: boolean;
}

export type RefundBench = Awaited<ReturnType<typeof openRefundBench>>;

export async function openRefundBench() {
  const bench = await openOrderBench();
  const { storage } = bench.deps;
  const at = {} as Place;

  const methodWith = (fields: Partial<OrderMethod> = {}): OrderMethod => ({
    id: 'epay',
    orderSeconds: 1,
    isEnabled: () => at.isEnabled,
    owns: (method) => method === 'zfb',
    query: async () => at.state,
    refund: async (request) => {
      if (at.refusal !== undefined) throw at.refusal;
      at.sent.push(request);
      return at.givenUp.includes(request.refundNo) ? 'given_up' : 'accepted';
    },
    ...fields,
  });

  const refund = ({ actor = admin, method, input, failsFrom = Infinity }: Changes = {}) => {
    let reads = 0;
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
        record: async (...entry: unknown[]) => void at.recorded.push(entry),
      } as never,
      oneRefund: bindOneRefund(bench.app),
    });
    const { tradeNo } = at.order;
    return run(actor, { tradeNo, money: '', noted: false, reason: 'why', ...input });
  };

  return {
    bench,
    at,
    methodWith,
    refund,
    refunded: async () => (await bench.orderOf(at.order.tradeNo)).refundedCents,
    payer: async () => (await storage.users.find(at.order.userId))?.username,
    /** A new order that is paid. */
    reset: async () => {
      const order = await bench.place();
      const start = await bench.balance(order);
      const payment = { tradeNo: order.tradeNo, cents: 730, sum: '7.30', providerTradeNo: 'P1' };
      await createSettleOrder(bench.deps).reported(payment, () => true);
      const fresh = { sent: [], givenUp: [], recorded: [], refusal: undefined, isEnabled: true };
      Object.assign(at, { ...fresh, order, start, state: { state: 'unpaid' } });
    },
  };
}
