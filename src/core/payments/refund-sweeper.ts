import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Storage } from '../storage/storage.ts';
import type { OneRefund } from './one-refund.ts';
import { isUnreachable } from './order-sweeper.ts';
import type { OrderMethod } from './payment-method.ts';
import type { RefundOrder } from './refund-order.ts';

export interface RefundSweeperDeps {
  readonly storage: Pick<Storage, 'topUps'>;
  readonly methods: readonly OrderMethod[];
  readonly refunds: Pick<RefundOrder, 'reportedTotal'>;
  readonly oneRefund: OneRefund;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds for which a paid order is looked up. */
const span = 30 * 24 * 3600;
const ordersPerRead = 200;

/**
 * Looks up paid orders of providers that send no notices of refunds
 * (docs/rules/payments.md#refunds). A provider that cannot be reached is left until the next run.
 * Rejects at the end where that, or a refund under way, kept orders from being looked up.
 */
export function createRefundSweeper(
  deps: RefundSweeperDeps,
): (signal: AbortSignal) => Promise<void> {
  const { storage, refunds, clock, logger } = deps;

  /** An administrator may be paying the order back, and that part is in `cents` already. */
  const count = (tradeNo: string, cents: number): Promise<void> =>
    deps.oneRefund(tradeNo, async () => {
      const order = await storage.topUps.findByTradeNo(tradeNo);
      if (order !== null) await refunds.reportedTotal(order, cents);
    });

  return async (signal) => {
    const methods = new Set(
      deps.methods.filter((method) => method.hidesRefunds && method.isEnabled()),
    );
    const missed: unknown[] = [];
    let afterId = 0;
    while (methods.size > 0) {
      const since = nowSeconds(clock) - span;
      const orders = await storage.topUps.listPaid(since, afterId, ordersPerRead);
      for (const order of orders) {
        afterId = order.id;
        const method = [...methods].find(({ owns }) => owns(order.paymentMethod));
        if (method === undefined) continue;
        signal.throwIfAborted();
        try {
          const found = await method.query(order, signal);
          if (found.state === 'refunded' && (found.cents ?? 0) > order.refundedCents)
            await count(order.tradeNo, found.cents ?? 0);
        } catch (error) {
          signal.throwIfAborted();
          logger.warn({ error, order: order.tradeNo }, 'a paid order could not be looked up');
          if (isUnreachable(error)) methods.delete(method);
          if (isUnreachable(error) || isBusy(error)) missed.push(error);
        }
      }
      if (orders.length < ordersPerRead) break;
    }
    if (missed.length > 0) throw missed[0];
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === 'refund_busy';
}
