import { AppError } from '../kernel/errors.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { TopUp } from '../storage/storage.ts';
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
    const cents = readCents(money);
    if (tradeNo === '' || cents === undefined) throw new AppError('payment_notice_invalid');
    return { tradeNo, providerTradeNo, cents, ...(isEpayType(type) && { paymentMethod: type }) };
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
      return fields['trade_status'] === 'TRADE_SUCCESS' ? readPayment(fields) : null;
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
      const times = {
        firstByteTimeout: queryTimeout,
        idleTimeout: queryTimeout,
        totalTimeout: queryTimeout,
      };
      const reply = await upstream.collect(
        { method: 'GET', url: url.href, headers: {}, ...times },
        maxReplyBytes,
        signal,
      );
      if (reply.status !== 200)
        throw new AppError('bad_response_status_code', { status: reply.status });
      const found = readReply(reply.bytes.toString('utf8'));
      if (found['code'] !== '1' || found['status'] !== '1') return { state: 'unpaid' };
      if (!isAbout(found, order, pid())) throw new AppError('bad_response_body');
      return { state: 'paid', payment: readPayment(found) };
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
