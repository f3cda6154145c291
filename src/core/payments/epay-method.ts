import { AppError } from '../kernel/errors.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { TopUp } from '../storage/storage.ts';
import type { WireRequest } from '../upstream/exchange.ts';
import type { Upstream } from '../upstream/send.ts';
import { type PaymentMethodId, paymentMethods } from '../vocabulary/payment-methods.ts';
import { type EpayFields, hasEpaySignature, signEpay } from './epay-signature.ts';
import type { PaymentMethod, ReportedPayment } from './payment-method.ts';
import { readCents, yuanText } from './top-up-price.ts';

/** The form that the payer's browser posts to the payment page. */
export interface EpayForm {
  readonly url: string;
  readonly data: EpayFields;
}

export interface EpayDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly upstream: Pick<Upstream, 'collect'>;
  readonly baseUrl: () => string;
}

const epayMethods = paymentMethods.filter(({ provider }) => provider === 'epay');

/**
 * The payment type for a client's `payment_method`, such as `alipay` for `zfb`; undefined if there
 * is none.
 */
export function epayTypeOf(name: string): PaymentMethodId | undefined {
  return epayMethods.find(
    ({ id, aliases }) => id === name || (aliases as readonly string[]).includes(name),
  )?.id;
}

const isEpayType = (name: string): boolean => epayMethods.some(({ id }) => id === name);

const queryTimeout = 10_000;
const maxReplyBytes = 64 * 1024;
/** Of an unreadable sum, for the note. */
const mostSumCharacters = 40;
/** Of an order that is looked up; gateways that refund in part say `refundmoney`. */
const statuses = { paid: '1', refunded: '2' } as const;

/**
 * Epay, the form interface that many Chinese payment gateways share (docs/rules/payments.md#epay).
 */
export function createEpayMethod({
  options,
  upstream,
  baseUrl,
}: EpayDeps): PaymentMethod<EpayFields, EpayForm> {
  const pid = () => options.get('EpayId').trim();
  const key = () => options.get('EpayKey').trim();
  const page = (name: string) => `${options.get('PayAddress').replace(/\/+$/, '')}/${name}`;
  const isEnabled = () => options.get('PayAddress') !== '' && pid() !== '' && key() !== '';

  const readPayment = (fields: EpayFields): ReportedPayment => {
    const {
      out_trade_no: tradeNo = '',
      trade_no: providerTradeNo = '',
      money = '',
      type = '',
    } = fields;
    if (tradeNo === '') throw new AppError('payment_notice_invalid');
    return {
      tradeNo,
      providerTradeNo,
      cents: readCents(money),
      sum: money.slice(0, mostSumCharacters) || '—',
      ...(isEpayType(type) && { paymentMethod: type }),
    };
  };

  /** The gateway's reply to a call with the merchant key, as texts. */
  const call = async (
    request: Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'>,
    signal?: AbortSignal,
  ) => {
    const reply = await upstream.collect(
      {
        ...request,
        firstByteTimeout: queryTimeout,
        idleTimeout: queryTimeout,
        totalTimeout: queryTimeout,
      },
      maxReplyBytes,
      signal,
    );
    if (reply.status !== 200)
      throw new AppError('bad_response_status_code', { status: reply.status });
    return readReply(reply.bytes.toString('utf8'));
  };

  return {
    id: 'epay',
    orderSeconds: 24 * 3600,
    isEnabled,
    owns: isEpayType,
    createOrder: async (order) => {
      const fields = {
        pid: pid(),
        type: order.paymentMethod,
        out_trade_no: order.tradeNo,
        notify_url: `${options.get('CustomCallbackAddress') || baseUrl()}/api/user/epay/notify`,
        return_url: `${baseUrl()}/topup/history`,
        name: order.goodsName,
        money: yuanText(order.moneyCents),
        device: 'pc',
        sign_type: 'MD5',
      };
      return { url: page('submit.php'), data: { ...fields, sign: signEpay(fields, key()) } };
    },
    verifyNotice: async (fields) => {
      if (!isEnabled()) throw new AppError('payment_not_configured');
      if (!hasEpaySignature(fields, key())) throw new AppError('payment_signature_invalid');
      if (fields['pid'] !== pid()) throw new AppError('payment_notice_invalid');
      return fields['trade_status'] === 'TRADE_SUCCESS' ? { payment: readPayment(fields) } : null;
    },
    query: async (order, signal) => {
      const url = new URL(page('api.php'));
      // The request holds the merchant key, and the reply is not signed.
      if (!isProtected(url)) return { state: 'unpaid' };
      url.search = new URLSearchParams({
        act: 'order',
        pid: pid(),
        key: key(),
        out_trade_no: order.tradeNo,
      }).toString();
      const found = await call({ method: 'GET', url: url.href, headers: {} }, signal);
      const { code, status, refundmoney = '', money = '' } = found;
      if (code !== '1' || (status !== statuses.paid && status !== statuses.refunded))
        return { state: 'unpaid' };
      if (!isAbout(found, order, pid())) throw new AppError('bad_response_body');
      const refunded = readCents(refundmoney) ?? 0;
      if (status === statuses.paid && refunded === 0)
        return { state: 'paid', payment: readPayment(found) };
      const cents = refunded || readCents(money);
      return { state: 'refunded', ...(cents !== undefined && { cents }) };
    },
    hidesRefunds: true,
    refund: async ({ order, cents }) => {
      const url = new URL(page('api.php?act=refund'));
      if (!isProtected(url)) throw new AppError('refund_not_offered');
      const form = { pid: pid(), key: key(), out_trade_no: order.tradeNo, money: yuanText(cents) };
      const { code, msg = '' } = await call({
        method: 'POST',
        url: url.href,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
      if (code !== '1') throw new AppError('refund_failed', { detail: msg });
      return 'accepted';
    },
  };
}

/** Whether nobody on the way can read or change what is sent. */
function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Gateways write numbers as numbers or as texts. */
function readReply(text: string): EpayFields {
  const reply = parseJson(text);
  if (!isObject(reply)) throw new AppError('bad_response_body');
  return Object.fromEntries(
    Object.entries(reply).map(([name, value]) => [name, value === null ? '' : String(value)]),
  );
}

function isAbout(found: EpayFields, order: TopUp, pid: string): boolean {
  return found['out_trade_no'] === order.tradeNo && found['pid'] === pid;
}
