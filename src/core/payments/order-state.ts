import type { Cluster } from '../cluster/cluster.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { TopUp } from '../storage/storage.ts';
import type { ApplyLookup } from './apply-lookup.ts';
import type { OrderMethod } from './payment-method.ts';
import { isRefunded } from './settle-order.ts';
import type { TopUpService } from './top-up-service.ts';

/** The states of orders in the words of WeChat Pay, for clients that poll. */
export type OrderState = 'SUCCESS' | 'NOTPAY' | 'CLOSED' | 'REFUND';

export interface OrderStateDeps {
  readonly topUps: Pick<TopUpService, 'ownOrder'>;
  /** The method whose unpaid orders are looked up while a client polls. */
  readonly method: OrderMethod;
  readonly applyLookup: ApplyLookup;
  readonly cluster: Pick<Cluster, 'leases'>;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly logger: Logger;
}

/** An order is looked up at most this often, over all processes. */
const lookupMs = 2500;

/** The state of an own order (docs/rules/payments.md#orders). Throws AppError order_unknown. */
export function bindOrderState(
  deps: OrderStateDeps,
): (actor: Actor, tradeNo: string) => Promise<OrderState> {
  const { topUps, method, cluster, ids, logger } = deps;
  return async (actor, tradeNo) => {
    const order = await topUps.ownOrder(actor, tradeNo);
    if (order.status !== 'pending' || !method.owns(order.paymentMethod) || !method.isEnabled())
      return stateOf(order);
    if (!(await cluster.leases.acquire(`order.${tradeNo}`, ids.uuid(), lookupMs)))
      return stateOf(order);
    try {
      await deps.applyLookup(order, method);
    } catch (error) {
      logger.warn({ error, order: tradeNo }, 'an unpaid order could not be looked up');
    }
    return stateOf(await topUps.ownOrder(actor, tradeNo));
  };
}

function stateOf(order: TopUp): OrderState {
  if (order.status === 'pending') return 'NOTPAY';
  if (order.status === 'success')
    return order.refundedCents > 0 && order.refundedCents >= order.moneyCents
      ? 'REFUND'
      : 'SUCCESS';
  return isRefunded(order) ? 'REFUND' : 'CLOSED';
}
