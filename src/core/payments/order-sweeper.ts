import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError, type ErrorCode } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Storage, TopUp } from '../storage/storage.ts';
import type { ApplyLookup } from './apply-lookup.ts';
import type { OrderMethod } from './payment-method.ts';

export interface OrderSweeperDeps {
  readonly storage: Pick<Storage, 'topUps'>;
  readonly methods: readonly OrderMethod[];
  readonly applyLookup: ApplyLookup;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds. A younger order may still be on its way to the provider. */
const minAge = 60;
/** Seconds after which an order is looked up only once more, when it expires. */
const busyAge = 2 * 3600;
const ordersPerRead = 200;

const unreachable: readonly ErrorCode[] = ['do_request_failed', 'upstream_timeout'];

/** Whether a lookup failed because its provider cannot be reached, and others will fail, too. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && unreachable.includes(error.code);
}

/**
 * Looks up unpaid orders whose notice may have been lost, credits the paid ones and closes the
 * expired ones (docs/rules/payments.md#sweeper). An expired order stays open while its provider
 * cannot be reached.
 */
export function createOrderSweeper(deps: OrderSweeperDeps): (signal: AbortSignal) => Promise<void> {
  const { clock, applyLookup, storage, logger } = deps;

  /** Does nothing to an order that was credited. One that is paid later is credited then. */
  const giveUp = async ({ tradeNo }: TopUp): Promise<void> => {
    const order = await storage.topUps.findByTradeNo(tradeNo);
    await storage.topUps.fail(tradeNo, order?.note || 'expired');
  };

  const close = async (order: TopUp, method: OrderMethod, signal: AbortSignal): Promise<void> => {
    if (method.isEnabled() && method.close !== undefined) {
      try {
        await method.close(order, signal);
      } catch (error) {
        // Paid since the lookup.
        if (await applyLookup(order, method, signal)) return;
        throw error;
      }
    }
    await giveUp(order);
  };

  const sweep = async (order: TopUp, method: OrderMethod, signal: AbortSignal): Promise<void> => {
    const age = nowSeconds(clock) - order.createTime;
    const isExpired = age >= method.orderSeconds;
    if (!isExpired && age > busyAge) return;
    const isKnown = method.isEnabled() && (await applyLookup(order, method, signal));
    if (!isExpired) return;
    // What is known and still open was paid with another sum: root was notified.
    if (isKnown) await giveUp(order);
    else await close(order, method, signal);
  };

  return async (signal) => {
    const skipped = new Set<OrderMethod>();
    let afterId = 0;
    for (;;) {
      const orders = await storage.topUps.listPending(
        nowSeconds(clock) - minAge,
        afterId,
        ordersPerRead,
      );
      for (const order of orders) {
        afterId = order.id;
        const method = deps.methods.find(({ owns }) => owns(order.paymentMethod));
        if (method === undefined || skipped.has(method)) continue;
        signal.throwIfAborted();
        try {
          await sweep(order, method, signal);
        } catch (error) {
          signal.throwIfAborted();
          logger.warn({ error, order: order.tradeNo }, 'an unpaid order could not be looked up');
          if (isUnreachable(error)) skipped.add(method);
        }
      }
      if (orders.length < ordersPerRead) return;
    }
  };
}
