import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Storage } from '../storage/storage.ts';
import { isUnreachable } from './order-sweeper.ts';
import type { OrderMethod } from './payment-method.ts';
import type { RefundOrder } from './refund-order.ts';

export interface RefundSweeperDeps {
  readonly storage: Pick<Storage, 'topUps'>;
  readonly methods: readonly OrderMethod[];
  readonly refunds: RefundOrder;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds for which a paid order is looked up. */
const span = 30 * 24 * 3600;
const ordersPerRead = 200;

/**
 * Looks up paid orders of providers that send no notices of refunds
 * (docs/rules/payments.md#refunds). A provider that cannot be reached is left until the next run.
 */
export function createRefundSweeper(
  deps: RefundSweeperDeps,
): (signal: AbortSignal) => Promise<void> {
  const { storage, refunds, clock, logger } = deps;
  return async (signal) => {
    const methods = new Set(
      deps.methods.filter((method) => method.hidesRefunds && method.isEnabled()),
    );
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
          if (found.state === 'refunded' && found.cents !== undefined)
            await refunds.reportedTotal(order, found.cents);
        } catch (error) {
          signal.throwIfAborted();
          logger.warn({ error, order: order.tradeNo }, 'a paid order could not be looked up');
          if (isUnreachable(error)) methods.delete(method);
        }
      }
      if (orders.length < ordersPerRead) return;
    }
  };
}
