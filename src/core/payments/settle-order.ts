import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { RootNotices } from '../notices/notify-root.ts';
import type { Storage, TopUp, User } from '../storage/storage.ts';
import { methodByHand } from '../vocabulary/payment-methods.ts';
import type { CreditWallet } from './credit-wallet.ts';
import type { ReportedPayment } from './payment-method.ts';
import { yuanText } from './top-up-price.ts';

export interface SettleOrderDeps {
  readonly storage: Pick<Storage, 'topUps' | 'users'>;
  readonly creditWallet: CreditWallet;
  readonly notices: Pick<RootNotices, 'notify'>;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * `mismatch`: another sum was paid than ordered, or the account no longer exists; `refunded`: the
 * payment was paid back before. With both, nothing was credited.
 */
export type Settlement = 'credited' | 'already_credited' | 'mismatch' | 'refunded';

/** The note of an order whose payment was paid back before it was credited. */
export const refundedNote = 'refunded';

export function isRefunded({ status, note }: Pick<TopUp, 'status' | 'note'>): boolean {
  return status === 'failed' && note === refundedNote;
}

const reasons = {
  mismatch: 'the sum paid differs from the order',
  without_account: 'the account of the order was deleted',
} as const;

export interface SettleOrder {
  /**
   * Credits an order that a provider reports as paid. `owns`: the methods of that provider. Throws
   * AppError order_unknown, ledger_conflict where the order changed meanwhile.
   */
  reported(payment: ReportedPayment, owns: (paymentMethod: string) => boolean): Promise<Settlement>;
  /** Credits an order that an administrator confirms. False: it was credited before. */
  byHand(order: TopUp, adminInfo: object): Promise<boolean>;
}

/**
 * Credits paid orders, each exactly once (docs/rules/payments.md#orders). An order that was closed
 * unpaid is credited as well when its payment arrives late; one that was paid back only by an
 * administrator.
 */
export function createSettleOrder(deps: SettleOrderDeps): SettleOrder {
  const { storage, clock, siteLanguage } = deps;

  const credit = async (
    order: TopUp,
    payer: Pick<User, 'username'> | null,
    paid: Pick<TopUp, 'paymentMethod' | 'providerTradeNo'>,
    adminInfo?: object,
  ): Promise<boolean> => {
    if (order.status === 'success' || (adminInfo === undefined && isRefunded(order))) return false;
    const posted = await deps.creditWallet({
      payer: { userId: order.userId, username: payer?.username ?? '' },
      kind: 'top_up',
      amount: order.quota,
      reference: order.tradeNo,
      guard: {
        table: 'top_ups',
        id: order.id,
        from: order.status,
        to: 'success',
        // The note says whether the payment was paid back.
        unchanged: { note: order.note },
        set: {
          finish_time: nowSeconds(clock),
          provider_trade_no: paid.providerTradeNo,
          payment_method: paid.paymentMethod,
        },
      },
      log: {
        sentence: 'log.topped_up',
        params: { quota: order.quota, money: yuanText(order.moneyCents) },
      },
      ...(adminInfo !== undefined && { adminInfo }),
    });
    if (posted) return true;
    const current = await storage.topUps.findByTradeNo(order.tradeNo);
    // The order was closed or noted between the read and the posting: it is judged as it is now.
    return current !== null && (current.status !== order.status || current.note !== order.note)
      ? credit(current, payer, paid, adminInfo)
      : false;
  };

  /**
   * Sets the note of an order that cannot be credited, and tells root. The note of a payment that
   * was paid back stays: without it a late notice would be credited.
   */
  const reportMismatch = async (
    order: TopUp,
    payment: ReportedPayment,
    cause: keyof typeof reasons = 'mismatch',
  ): Promise<void> => {
    const params = {
      order: order.tradeNo,
      paid: payment.sum,
      due: yuanText(order.moneyCents),
    };
    deps.logger.error(params, `${reasons[cause]}; nothing was credited`);
    const text = translate(siteLanguage(), `notice.payment_${cause}.content`, params);
    if (order.note === text) return;
    if (!isRefunded(order) && !(await storage.topUps.setNote(order, text)))
      throw new AppError('ledger_conflict');
    const title = translate(siteLanguage(), `notice.payment_${cause}`);
    deps.notices.notify({
      type: `payment_${cause}`,
      // Each order has a notice, however many there are.
      subject: order.tradeNo,
      title,
      content: '{{value}}',
      values: [text],
    });
  };

  return {
    reported: async (payment, owns) => {
      const order = await storage.topUps.findByTradeNo(payment.tradeNo);
      if (order === null) throw new AppError('order_unknown');
      const isCompletedByHand = order.status === 'success' && order.paymentMethod === methodByHand;
      if (!owns(order.paymentMethod) && !isCompletedByHand) throw new AppError('order_unknown');
      if (payment.cents === undefined) {
        await reportMismatch(order, payment);
        return 'mismatch';
      }
      if (order.status === 'success') return 'already_credited';
      if (isRefunded(order)) return 'refunded';
      if (payment.cents !== order.moneyCents) {
        await reportMismatch(order, payment);
        return 'mismatch';
      }
      const payer = await storage.users.find(order.userId);
      if (payer === null) {
        await reportMismatch(order, payment, 'without_account');
        return 'mismatch';
      }
      const { paymentMethod = order.paymentMethod, providerTradeNo } = payment;
      return (await credit(order, payer, { paymentMethod, providerTradeNo }))
        ? 'credited'
        : 'already_credited';
    },
    byHand: async (order, adminInfo) =>
      credit(
        order,
        await storage.users.find(order.userId),
        { paymentMethod: methodByHand, providerTradeNo: order.providerTradeNo },
        adminInfo,
      ),
  };
}
