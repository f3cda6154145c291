import type { Ledger } from '../billing/ledger.ts';
import {
  type Language,
  type MessageKey,
  type MessageParams,
  translate,
} from '../i18n/translate.ts';
import { decimal, divide, multiply } from '../kernel/decimal.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import { type Quota, toQuota } from '../kernel/quota.ts';
import type { WriteLog } from '../logs/write-log.ts';
import type { RootNotices } from '../notices/notify-root.ts';
import type { Storage, TopUp } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { methodByHand } from '../vocabulary/payment-methods.ts';
import type { ReportedRefund } from './payment-method.ts';
import { isRefunded, refundedNote } from './settle-order.ts';
import { yuanText } from './top-up-price.ts';

export interface RefundOrderDeps {
  readonly storage: Pick<Storage, 'topUps' | 'users' | 'ledger'>;
  readonly ledger: Pick<Ledger, 'post'>;
  readonly writeLog: Pick<WriteLog, 'prepare'>;
  readonly notices: Pick<RootNotices, 'notify' | 'notifyUser'>;
  readonly siteLanguage: () => Language;
  readonly logger: Logger;
}

export interface RefundOrder {
  /**
   * Does what a provider reports of a refund. `owns`: the methods of that provider. Throws AppError
   * order_unknown.
   */
  reported(refund: ReportedRefund, owns: (paymentMethod: string) => boolean): Promise<void>;
  /** The provider says how much of an order was paid back in all, in cents. */
  reportedTotal(order: TopUp, cents: number): Promise<void>;
  /**
   * The provider says that an order which is not credited was paid back; `cents`: how much, where it
   * says so. Throws AppError ledger_conflict where the order changed since it was read.
   */
  beforeCredit(order: TopUp, cents: number | undefined): Promise<void>;
  /**
   * A number for a refund under which nothing was taken back: `name`, or one that begins so. A
   * refund that the provider gave up keeps its number there; `givenUp`: those that nothing was
   * taken for, because the process ended before.
   */
  freeNumber(order: TopUp, name: string, givenUp?: readonly string[]): Promise<string>;
  /**
   * Takes back the quota of `cents`, once for each `refundNo`. False: it was taken back before.
   * Throws AppError order_not_paid, refund_sum_invalid where more would be paid back than was paid.
   */
  take(order: TopUp, cents: number, refundNo: string, adminInfo?: object): Promise<boolean>;
}

const kind = 'payment_refund';

/**
 * Takes quota back for money that was paid back, down to a debt if it is spent
 * (docs/rules/payments.md#refunds). The order's row and the balance change in one transaction.
 */
export function createRefundOrder(deps: RefundOrderDeps): RefundOrder {
  const { storage, notices, siteLanguage } = deps;
  const words = (key: MessageKey, params?: MessageParams) => translate(siteLanguage(), key, params);

  /** `reference`: that of the refund; each has a notice, however many there are. */
  const tell = (reference: string, title: string, text: string) =>
    notices.notify({
      type: `${kind}_${reference}`,
      title,
      content: '{{value}}',
      values: [text],
    });

  const tellFailed = (reference: string, params: MessageParams) =>
    tell(reference, words('notice.refund_failed'), words('notice.refund_failed.content', params));

  const find = async (tradeNo: string): Promise<TopUp> => {
    const order = await storage.topUps.findByTradeNo(tradeNo);
    if (order === null) throw new AppError('order_unknown');
    return order;
  };

  /** `cents`: negative where a refund was closed. False: the reference was posted before. */
  const move = async (
    order: TopUp,
    cents: number,
    reference: string,
    adminInfo?: object,
  ): Promise<boolean> => {
    if (await storage.ledger.findByReference(kind, reference)) return false;
    if (order.status !== 'success') throw new AppError('order_not_paid');
    const after = order.refundedCents + cents;
    if (after < 0 || after > order.moneyCents) {
      const most = yuanText(order.moneyCents - order.refundedCents);
      throw new AppError('refund_sum_invalid', { most });
    }
    const amount = toQuota(quotaOf(order, order.refundedCents) - quotaOf(order, after));
    const { userId, tradeNo } = order;
    const user = await storage.users.find(userId);
    if (user === null) {
      // No quota is left that could be taken back.
      if (await storage.topUps.setRefunded(tradeNo, order.refundedCents, after)) return true;
      throw new AppError('ledger_conflict');
    }
    const log = deps.writeLog.prepare(
      { userId, username: user.username },
      logTypes.topUp,
      cents < 0 ? 'log.refund_reversed' : 'log.payment_refunded',
      { order: tradeNo, money: yuanText(Math.abs(cents)), quota: Math.abs(amount) },
      adminInfo,
    );
    const { posted, balance } = await deps.ledger.post({
      userId,
      kind,
      amount,
      reference,
      log,
      guard: {
        table: 'top_ups',
        id: order.id,
        from: 'success',
        to: 'success',
        unchanged: { refunded: order.refundedCents },
        set: { refunded: after },
      },
    });
    // Another refund of the order was posted since it was read.
    if (!posted) return move(await find(tradeNo), cents, reference, adminInfo);
    const title = words('notice.payment_refund');
    const text = { text: log.content, user: log.username };
    tell(reference, title, balance < 0 ? words('notice.payment_refund.debt', text) : log.content);
    notices.notifyUser(userId, {
      type: kind,
      title,
      content: '{{value}}',
      values: [log.content],
    });
    return true;
  };

  const take: RefundOrder['take'] = (order, cents, refundNo, adminInfo) =>
    move(order, cents, `${order.tradeNo}:${refundNo}`, adminInfo);

  /** Paid back before it was credited: it is not credited any more. */
  const close = async (
    order: TopUp,
    cents: number | undefined,
    reference: string,
  ): Promise<void> => {
    if (isRefunded(order)) return;
    const closed =
      order.status === 'failed'
        ? await storage.topUps.setNote(order, refundedNote)
        : await storage.topUps.fail(order.tradeNo, refundedNote);
    // It was credited or closed since it was read.
    if (!closed) throw new AppError('ledger_conflict');
    const params = {
      order: order.tradeNo,
      ...(cents !== undefined && { money: yuanText(cents) }),
    };
    tell(
      reference,
      words('notice.payment_refund'),
      words('notice.payment_refund.uncredited', params),
    );
  };

  return {
    take,
    reported: async ({ tradeNo, refundNo, cents, state }, owns) => {
      const order = await find(tradeNo);
      if (!owns(order.paymentMethod) && order.paymentMethod !== methodByHand)
        throw new AppError('order_unknown');
      const params = { order: tradeNo, money: yuanText(cents) };
      const reference = `${tradeNo}:${refundNo}`;
      if (state === 'failed') return tellFailed(reference, params);
      const taken = await storage.ledger.findByReference(kind, reference);
      if (state === 'closed') {
        if (taken !== null) await move(order, -cents, `${reference}:closed`);
        // The payer has neither the quota nor the money.
        else if (isRefunded(order)) tellFailed(reference, params);
        return;
      }
      if (order.status !== 'success') return close(order, cents, reference);
      // Without a posting nothing says whether this refund was counted before.
      if ((await storage.users.find(order.userId)) === null)
        return tell(
          reference,
          words('notice.payment_refund'),
          words('notice.payment_refund.without_account', params),
        );
      // An administrator started it here.
      if (taken !== null) return;
      // What was noted by hand before is not taken back twice.
      const left = Math.min(cents, order.moneyCents - order.refundedCents);
      if (left < cents) deps.logger.error(params, 'more was paid back than was paid');
      if (left > 0) await take(order, left, refundNo);
    },
    reportedTotal: async (order, cents) => {
      const more = Math.min(cents, order.moneyCents) - order.refundedCents;
      if (more > 0) await take(order, more, `total-${cents}`);
    },
    beforeCredit: (order, cents) => close(order, cents, `${order.tradeNo}:total-${cents ?? ''}`),
    freeNumber: async (order, name, givenUp = []) => {
      for (let count = 0; ; count += 1) {
        const refundNo = count === 0 ? name : `${name}-${count}`;
        const reference = `${order.tradeNo}:${refundNo}`;
        if (givenUp.includes(refundNo)) continue;
        if (!(await storage.ledger.findByReference(kind, reference))) return refundNo;
      }
    },
  };
}

/** What `cents` of an order stand for: all of them for all of its quota, rounded half up. */
function quotaOf({ quota, moneyCents }: TopUp, cents: number): Quota {
  return toQuota(divide(multiply(decimal(quota), decimal(cents)), decimal(moneyCents), 0).digits);
}
