import { AppError } from '../kernel/errors.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { TopUp } from '../storage/storage.ts';
import type { ResponseHeaders } from '../upstream/exchange.ts';
import type {
  PaymentMethod,
  ProviderOrder,
  ReportedPayment,
  ReportedRefund,
} from './payment-method.ts';
import { yuanText } from './top-up-price.ts';
import { readResource, type WechatPayClient, type WechatPayReply } from './wechat-pay-client.ts';
import { decryptResource } from './wechat-pay-crypto.ts';

export interface WechatPayNotice {
  readonly headers: ResponseHeaders;
  /** The bytes as received, which are what is signed. */
  readonly body: Buffer;
}

export interface WechatPayDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly client: WechatPayClient;
  readonly baseUrl: () => string;
}

type Json = Readonly<Record<string, unknown>>;

const orderSeconds = 2 * 3600;
const ordersPath = '/v3/pay/transactions/out-trade-no';
const needed = ['MchID', 'AppID', 'CertSerialNumber', 'PrivateKey', 'APIv3Key'] as const;

/** Events of refunds (https://pay.weixin.qq.com/docs/merchant/apis/native-payment/refund-result-notice.html). */
const refundStates: ReadonlyMap<string, ReportedRefund['state']> = new Map([
  ['REFUND.SUCCESS', 'refunded'],
  ['REFUND.ABNORMAL', 'failed'],
  ['REFUND.CLOSED', 'closed'],
]);

/** WeChat Pay, API v3, Native: the payer scans a QR code (docs/rules/payments.md#wechat-pay). */
export function createWechatPayMethod({
  options,
  client,
  baseUrl,
}: WechatPayDeps): PaymentMethod<WechatPayNotice, { readonly codeUrl: string }> {
  const mchid = () => options.get('WechatPay.MchID');
  const isEnabled = () => needed.every((name) => options.get(`WechatPay.${name}`) !== '');
  const orderPath = (order: TopUp, rest = '') =>
    `${ordersPath}/${encodeURIComponent(order.tradeNo)}${rest}`;

  /**
   * Throws AppError payment_notice_invalid for a transaction of another merchant or app, or in
   * another currency.
   */
  const readPayment = (transaction: Json): ReportedPayment => {
    const { out_trade_no: tradeNo, transaction_id: providerTradeNo, amount } = transaction;
    const cents = isObject(amount) && amount['currency'] === 'CNY' ? amount['total'] : undefined;
    const isOurs =
      transaction['mchid'] === mchid() && transaction['appid'] === options.get('WechatPay.AppID');
    if (!isOurs || typeof tradeNo !== 'string' || !Number.isSafeInteger(cents))
      throw new AppError('payment_notice_invalid');
    return {
      tradeNo,
      cents: cents as number,
      sum: yuanText(cents as number),
      providerTradeNo: String(providerTradeNo ?? ''),
    };
  };

  /**
   * Throws AppError payment_notice_invalid for a refund of another merchant, or one without numbers
   * and sum.
   */
  const readRefund = (refund: Json, state: ReportedRefund['state']): ReportedRefund => {
    const { out_trade_no: tradeNo, out_refund_no: refundNo, amount } = refund;
    const cents = isObject(amount) ? amount['refund'] : undefined;
    const isOurs = refund['mchid'] === mchid();
    if (!isOurs || typeof tradeNo !== 'string' || typeof refundNo !== 'string' || !isSum(cents))
      throw new AppError('payment_notice_invalid');
    return { tradeNo, refundNo, cents, state };
  };

  const noticeUrl = () =>
    options.get('WechatPay.NotifyUrl') ||
    `${options.get('CustomCallbackAddress') || baseUrl()}/api/user/wechatpay/notify`;

  return {
    id: 'wechatpay',
    orderSeconds,
    isEnabled,
    owns: (paymentMethod) => paymentMethod === 'wechatpay',
    createOrder: async (order) => {
      const reply = await client.call('POST', '/v3/pay/transactions/native', {
        appid: options.get('WechatPay.AppID'),
        mchid: mchid(),
        description: order.goodsName,
        out_trade_no: order.tradeNo,
        time_expire: new Date((order.createTime + orderSeconds) * 1000)
          .toISOString()
          .replace('.000Z', '+00:00'),
        notify_url: noticeUrl(),
        amount: { total: order.moneyCents, currency: 'CNY' },
      });
      const codeUrl = reply.json['code_url'];
      if (reply.status !== 200 || typeof codeUrl !== 'string') throw refused(reply);
      return { codeUrl };
    },
    verifyNotice: async ({ headers, body }) => {
      if (!isEnabled()) throw new AppError('payment_not_configured');
      await client.verify(headers, body);
      const event = parseJson(body.toString('utf8'));
      if (!isObject(event)) throw new AppError('payment_notice_invalid');
      const { event_type: type, resource } = event;
      const refundState = refundStates.get(String(type));
      if (type !== 'TRANSACTION.SUCCESS' && refundState === undefined) return null;
      if (!isObject(resource)) throw new AppError('payment_notice_invalid');
      const about = parseJson(
        decryptResource(readResource(resource), options.get('WechatPay.APIv3Key')),
      );
      if (!isObject(about)) throw new AppError('payment_notice_invalid');
      if (refundState !== undefined) return { refund: readRefund(about, refundState) };
      return about['trade_state'] === 'SUCCESS' ? { payment: readPayment(about) } : null;
    },
    query: async (order, signal) => {
      const query = `?mchid=${encodeURIComponent(mchid())}`;
      const reply = await client.call('GET', orderPath(order, query), undefined, signal);
      // The order never arrived at the provider.
      if (reply.status === 404) return { state: 'unpaid' };
      if (reply.status !== 200) throw refused(reply);
      return readState(reply.json, order, readPayment);
    },
    close: async (order, signal) => {
      const reply = await client.call(
        'POST',
        orderPath(order, '/close'),
        { mchid: mchid() },
        signal,
      );
      if (reply.status !== 204 && reply.status !== 404) throw refused(reply);
    },
    refund: async ({ order, refundNo, cents, reason }) => {
      const reply = await client.call('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: order.tradeNo,
        out_refund_no: refundNo,
        ...(reason !== '' && { reason }),
        notify_url: noticeUrl(),
        amount: { refund: cents, total: order.moneyCents, currency: 'CNY' },
      });
      const { status } = reply.json;
      if (reply.status === 200 && (status === 'SUCCESS' || status === 'PROCESSING'))
        return 'accepted';
      if (reply.status === 200 && status === 'CLOSED') return 'given_up';
      const { code = status, message = '' } = reply.json;
      throw new AppError('refund_failed', { detail: `${String(code)} ${String(message)}`.trim() });
    },
  };
}

function isSum(cents: unknown): cents is number {
  return Number.isSafeInteger(cents) && (cents as number) > 0;
}

function readState(
  transaction: Json,
  order: TopUp,
  readPayment: (transaction: Json) => ReportedPayment,
): ProviderOrder {
  switch (transaction['trade_state']) {
    case 'SUCCESS': {
      const payment = readPayment(transaction);
      if (payment.tradeNo !== order.tradeNo) throw new AppError('bad_response_body');
      return { state: 'paid', payment };
    }
    case 'REFUND':
      return { state: 'refunded' };
    case 'CLOSED':
    case 'REVOKED':
    case 'PAYERROR':
      return { state: 'closed' };
    default:
      return { state: 'unpaid' };
  }
}

function refused({ status, json }: WechatPayReply): AppError {
  return new AppError('payment_failed', {
    detail: `${status} ${String(json['code'] ?? '')} ${String(json['message'] ?? '')}`,
  });
}
