import type { Audit } from '../audit/audit-log.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
import type { Storage, TopUp } from '../storage/storage.ts';
import type { OneRefund } from './one-refund.ts';
import type { OrderMethod } from './payment-method.ts';
import type { RefundOrder } from './refund-order.ts';
import { readCents, yuanText } from './top-up-price.ts';
import type { TopUpRecord } from './top-up-service.ts';

export interface RefundInput {
  readonly tradeNo: string;
  /** Yuan; empty: all that is left. */
  readonly money: string;
  /** Yuan that were paid back when the caller looked; empty: what is now. */
  readonly refunded?: string;
  /** The money was paid back elsewhere: only the quota is taken back. */
  readonly noted: boolean;
  readonly reason: string;
}

/**
 * Pays an order back, in part or in full, and takes its quota back
 * (docs/rules/payments.md#refunds). Throws AppError order_unknown, order_not_paid,
 * refund_sum_invalid, refund_not_offered, refund_failed, refund_busy, and for an order of one's own
 * or of a user of one's level own_quota_forbidden, user_update_forbidden.
 */
export type RefundTopUp = (actor: Actor, input: RefundInput) => Promise<TopUpRecord>;

export interface RefundServiceDeps {
  readonly storage: Pick<Storage, 'topUps' | 'users'>;
  readonly methods: readonly OrderMethod[];
  readonly refunds: RefundOrder;
  readonly audit: Audit;
  readonly oneRefund: OneRefund;
}

/** Numbers that one call tries; a provider that gives up every one ends it. */
const mostNumbers = 5;

export function bindRefundTopUp(deps: RefundServiceDeps): RefundTopUp {
  const { storage, refunds } = deps;

  const findPaid = async (tradeNo: string): Promise<TopUp> => {
    const order = await storage.topUps.findByTradeNo(tradeNo);
    if (order === null) throw new AppError('order_unknown');
    if (order.status !== 'success') throw new AppError('order_not_paid');
    return order;
  };

  const methodOf = (order: TopUp): OrderMethod => {
    const method = deps.methods.find(({ owns }) => owns(order.paymentMethod));
    if (method?.refund === undefined) throw new AppError('refund_not_offered');
    if (!method.isEnabled()) throw new AppError('payment_not_configured');
    return method;
  };

  /**
   * What is already paid back there counts first, so that a repeated call pays nothing twice: it is
   * a part of the sum of the call.
   */
  const catchUp = async (order: TopUp, method: OrderMethod): Promise<TopUp> => {
    if (!method.hidesRefunds) return order;
    const found = await method.query(order);
    if (found.state !== 'refunded' || found.cents === undefined) return order;
    await refunds.reportedTotal(order, found.cents);
    return findPaid(order.tradeNo);
  };

  /** Returns the number of the refund. */
  const pay = async (
    order: TopUp,
    { noted, cents, reason }: Pick<RefundInput, 'noted' | 'reason'> & { readonly cents: number },
    method: OrderMethod | undefined,
  ): Promise<string> => {
    // The same number until something is paid back: the provider pays it once.
    const name = noted ? `noted-${order.refundedCents}` : `${order.tradeNo}R${order.refundedCents}`;
    const givenUp: string[] = [];
    while (givenUp.length < mostNumbers) {
      const refundNo = await refunds.freeNumber(order, name, givenUp);
      const paid = await method?.refund?.({ order, refundNo, cents, reason });
      if (paid !== 'given_up') return refundNo;
      givenUp.push(refundNo);
    }
    throw new AppError('refund_failed', { detail: 'CLOSED' });
  };

  const run = async (actor: Actor, input: RefundInput): Promise<TopUp> => {
    const { tradeNo, noted, reason } = input;
    const found = await findPaid(tradeNo);
    const method = noted ? undefined : methodOf(found);
    const seen = input.refunded ? readCents(input.refunded) : found.refundedCents;
    if (seen === undefined) throw new AppError('invalid_parameter', { field: 'refunded' });
    const base = Math.min(seen, found.refundedCents);
    const most = found.moneyCents - base;
    const requested = input.money === '' ? most : readCents(input.money);
    if (requested === undefined || requested < 1 || requested > most)
      throw new AppError('refund_sum_invalid', { most: yuanText(most) });
    const order = method === undefined ? found : await catchUp(found, method);
    const cents = requested - (order.refundedCents - base);
    if (cents > 0) {
      const refundNo = await pay(order, { ...input, cents }, method);
      await refunds.take(order, cents, refundNo, { actor_id: actor.id, actor: actor.username });
    }
    await deps.audit.record(actor, 'topup.refund', tradeNo, {
      userId: order.userId,
      money: yuanText(requested),
      noted,
      reason,
    });
    // It is taken: what cannot be read now is known.
    return findPaid(tradeNo).catch(() => ({
      ...order,
      refundedCents: order.refundedCents + Math.max(0, cents),
    }));
  };

  return async (actor, input) => {
    const { userId } = await findPaid(input.tradeNo);
    const target = await storage.users.find(userId);
    if (target !== null) requireAllowed('credit-order', { actor, target });
    const order = await deps.oneRefund(input.tradeNo, () => run(actor, input));
    return { ...order, username: target?.username ?? '' };
  };
}
