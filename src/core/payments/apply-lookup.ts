import type { Storage, TopUp } from '../storage/storage.ts';
import type { OrderMethod } from './payment-method.ts';
import type { RefundOrder } from './refund-order.ts';
import type { SettleOrder } from './settle-order.ts';

/**
 * Looks an order up at its provider and credits or closes it accordingly. False: it is still
 * unpaid. Throws AppError if the provider does not say.
 */
export type ApplyLookup = (
  order: TopUp,
  method: OrderMethod,
  signal?: AbortSignal,
) => Promise<boolean>;

export function bindApplyLookup({
  storage,
  settle,
  refunds,
}: {
  storage: Pick<Storage, 'topUps'>;
  settle: SettleOrder;
  refunds: Pick<RefundOrder, 'beforeCredit'>;
}): ApplyLookup {
  return async (order, method, signal) => {
    const found = await method.query(order, signal);
    if (found.state === 'unpaid') return false;
    if (found.state === 'paid') await settle.reported(found.payment, method.owns);
    else if (found.state === 'refunded') await refunds.beforeCredit(order, found.cents);
    // The note of a mismatch says more than that the order was closed.
    else await storage.topUps.fail(order.tradeNo, order.note || found.state);
    return true;
  };
}
