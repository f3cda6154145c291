import type { ReceiptEntity, TopUpRecordEntity } from '../contract/top-up.ts';
import { decimal, divide, toNumber } from '../kernel/decimal.ts';
import { localTimeText } from '../kernel/local-time.ts';
import type { Receipt } from './receipt.ts';
import type { TopUpRecord } from './top-up-service.ts';

/** `forAdmin`: with the payer and what only administrators may know. */
export function presentTopUp(order: TopUpRecord, forAdmin: boolean): TopUpRecordEntity {
  return {
    id: order.id,
    trade_no: order.tradeNo,
    goods_name: order.goodsName,
    amount: order.amount,
    quota: order.quota,
    money: presentYuan(order.moneyCents),
    refunded: presentYuan(order.refundedCents),
    status: order.status,
    payment_method: order.paymentMethod,
    create_time: order.createTime,
    create_time_str: timeText(order.createTime),
    finish_time: order.finishTime,
    finish_time_str: timeText(order.finishTime),
    ...(forAdmin && {
      user_id: order.userId,
      username: order.username,
      provider_trade_no: order.providerTradeNo,
      note: order.note,
    }),
  };
}

/** Nothing in it is computed: sums and quota are those of the order's row. */
export function presentReceipt(
  { siteName, payer, order }: Receipt,
  forAdmin: boolean,
): ReceiptEntity {
  return {
    site_name: siteName,
    ...payer,
    username: order.username,
    order: presentTopUp(order, forAdmin),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Yuan as a JSON number with at most two decimals. */
export function presentYuan(cents: number): number {
  return toNumber(divide(decimal(cents), decimal(100), 2));
}

const timeText = (seconds: number): string => (seconds === 0 ? '' : localTimeText(seconds));
