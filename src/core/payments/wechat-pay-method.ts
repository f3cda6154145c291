import { AppError } from '../kernel/errors.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { TopUp } from '../storage/storage.ts';
import type { ResponseHeaders } from '../upstream/exchange.ts';
import type { PaymentMethod, ProviderOrder, ReportedPayment } from './payment-method.ts';
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
    return { tradeNo, cents: cents as number, providerTradeNo: String(providerTradeNo ?? '') };
  };

  return {
    id: 'wechatpay',
    orderSeconds,
    isEnabled,
    owns: (paymentMethod) => paymentMethod === 'wechatpay',
    createOrder: async (order) => {
      const callbackBase = options.get('CustomCallbackAddress') || baseUrl();
      const reply = await client.call('POST', '/v3/pay/transactions/native', {
        appid: options.get('WechatPay.AppID'),
        mchid: mchid(),
        description: order.goodsName,
        out_trade_no: order.tradeNo,
        time_expire: new Date((order.createTime + orderSeconds) * 1000)
          .toISOString()
          .replace('.000Z', '+00:00'),
        notify_url:
          options.get('WechatPay.NotifyUrl') || `${callbackBase}/api/user/wechatpay/notify`,
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
      if (event['event_type'] !== 'TRANSACTION.SUCCESS') return null;
      const { resource } = event;
      if (!isObject(resource)) throw new AppError('payment_notice_invalid');
      const transaction = parseJson(
        decryptResource(readResource(resource), options.get('WechatPay.APIv3Key')),
      );
      if (!isObject(transaction)) throw new AppError('payment_notice_invalid');
      return transaction['trade_state'] === 'SUCCESS' ? readPayment(transaction) : null;
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
  };
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
