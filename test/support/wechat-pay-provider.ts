/** A small WeChat Pay, API v3: checks the merchant's signatures, signs its replies and notices. */
import {
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import type { Client } from '../../src/core/contract/client.ts';
import { makeCertificate } from './certificate.ts';
import { type Lifetime, startProvider } from './provider-server.ts';

export const merchant = {
  mchid: '1900000001',
  appid: 'wx-test-app',
  serial: 'MERCHANT01',
  apiKey: '0123456789abcdef0123456789abcdef',
} as const;
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const platform = { serial: 'PLATFORM01', ...makeCertificate('rsa') };
/** A key that WeChat Pay does not own. */
export const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
export const publicKeyId = 'PUB_KEY_ID_0001';

export interface SentNotice {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** What differs from the genuine notice of a paid order. */
export interface NoticeChanges {
  readonly transaction?: object;
  readonly event?: object;
  readonly resource?: object;
  readonly apiKey?: string;
  readonly signedBy?: KeyObject | string;
  readonly serial?: string;
  /** Seconds that the time of the signature lies ahead. */
  readonly ahead?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WechatPayProvider {
  readonly url: string;
  /** Methods and paths of the calls, in order. */
  readonly calls: string[];
  /** Orders as the merchant created them. */
  readonly orders: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** What a lookup shows: changes of the order's transaction. */
  setState(tradeNo: string, state: string, changes?: object): void;
  notice(tradeNo: string, changes?: NoticeChanges): SentNotice;
  /** The notice of a refund with its number, sum in cents and event. */
  refundNotice(tradeNo: string, refundNo: string, cents: number, event?: string): SentNotice;
  /** Refunds by their numbers, as the merchant asked for them. */
  readonly refunds: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The next replies are signed by this key, or refused with this status. */
  misbehave(how: { signedBy?: KeyObject; refuse?: number }): void;
  /** Called before each order is closed. */
  beforeClose(hook: (tradeNo: string) => void): void;
  /**
   * Called when an order has arrived, before the merchant gets the reply; a rejection breaks the
   * connection.
   */
  beforeReply(hook: (tradeNo: string) => Promise<void>): void;
}

export async function startWechatPay(
  now: () => number,
  lifetime: Lifetime = 'test',
): Promise<WechatPayProvider> {
  const orders = new Map<string, Record<string, unknown>>();
  const states = new Map<string, object>();
  const calls: string[] = [];
  const refunds = new Map<string, Record<string, unknown>>();
  let trouble: { signedBy?: KeyObject; refuse?: number } = {};
  let hook: (tradeNo: string) => void = () => {};
  let replyHook: (tradeNo: string) => Promise<void> = async () => {};

  const seconds = () => Math.floor(now() / 1000);
  const signature = (body: string, key: KeyObject | string, time: number) => {
    const nonce = randomBytes(16).toString('hex');
    const text = sign('sha256', Buffer.from(`${time}\n${nonce}\n${body}\n`), key).toString(
      'base64',
    );
    return {
      'wechatpay-timestamp': String(time),
      'wechatpay-nonce': nonce,
      'wechatpay-signature': text,
    };
  };
  const encrypt = (text: string, data: string, key: string = merchant.apiKey) => {
    const nonce = randomBytes(6).toString('hex');
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(data));
    const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return {
      algorithm: 'AEAD_AES_256_GCM',
      nonce,
      associated_data: data,
      ciphertext: bytes.toString('base64'),
    };
  };
  const transaction = (tradeNo: string) => {
    const { amount } = orders.get(tradeNo) ?? {};
    const { mchid, appid } = merchant;
    const state = { trade_state: 'NOTPAY', ...states.get(tradeNo) };
    return { mchid, appid, out_trade_no: tradeNo, transaction_id: `W${tradeNo}`, amount, ...state };
  };
  const isAuthorized = (header: string, method: string, path: string, body: string): boolean => {
    const field = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(header)?.[1] ?? '';
    const message = `${[method, path, field('timestamp'), field('nonce_str'), body].join('\n')}\n`;
    const isKnown = field('mchid') === merchant.mchid && field('serial_no') === merchant.serial;
    const bytes = Buffer.from(field('signature'), 'base64');
    return (
      isKnown &&
      header.startsWith('WECHATPAY2-') &&
      verify('sha256', Buffer.from(message), keys.publicKey, bytes)
    );
  };
  const answer = async (url: URL, body: string): Promise<{ status: number; json?: object }> => {
    if (trouble.refuse !== undefined)
      return { status: trouble.refuse, json: { code: 'PARAM_ERROR', message: 'secret reason' } };
    if (url.pathname === '/v3/certificates') {
      const certificate = {
        serial_no: platform.serial,
        encrypt_certificate: encrypt(platform.cert, 'certificate'),
      };
      return { status: 200, json: { data: [certificate] } };
    }
    if (url.pathname === '/v3/pay/transactions/native') {
      const order = JSON.parse(body) as Record<string, unknown>;
      orders.set(String(order['out_trade_no']), order);
      await replyHook(String(order['out_trade_no']));
      return {
        status: 200,
        json: { code_url: `weixin://wxpay/bizpayurl?pr=${String(order['out_trade_no'])}` },
      };
    }
    if (url.pathname === '/v3/refund/domestic/refunds') {
      const refund = JSON.parse(body) as Record<string, unknown>;
      refunds.set(String(refund['out_refund_no']), refund);
      return { status: 200, json: { ...refund, refund_id: 'R1', status: 'PROCESSING' } };
    }
    const [, tradeNo = '', close] = /out-trade-no\/([^/]+)(\/close)?$/.exec(url.pathname) ?? [];
    if (close !== undefined) hook(tradeNo);
    if (!orders.has(tradeNo))
      return { status: 404, json: { code: 'ORDER_NOT_EXIST', message: 'no such order' } };
    if (close === undefined) return { status: 200, json: transaction(tradeNo) };
    if (transaction(tradeNo).trade_state === 'SUCCESS')
      return { status: 400, json: { code: 'ORDERPAID', message: 'paid' } };
    states.set(tradeNo, { trade_state: 'CLOSED' });
    return { status: 204 };
  };

  const url = await startProvider(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const path = request.url ?? '';
    calls.push(`${request.method} ${path.replace(/\?.*/, '')}`);
    const authorized = isAuthorized(
      request.headers.authorization ?? '',
      request.method ?? '',
      path,
      body,
    );
    const refusal = { status: 401, json: { code: 'SIGN_ERROR', message: 'wrong signature' } };
    const reply = await (authorized
      ? answer(new URL(path, 'http://wechat'), body).catch(() => undefined)
      : refusal);
    if (reply === undefined) return response.destroy();
    const { status, json } = reply;
    const text = json === undefined ? '' : JSON.stringify(json);
    const serial = request.headers['wechatpay-serial'] ?? platform.serial;
    const signed = signature(text, trouble.signedBy ?? platform.key, seconds());
    response.writeHead(status, { 'wechatpay-serial': String(serial), ...signed }).end(text);
  }, lifetime);

  const seal = (text: string, type: string, changes: NoticeChanges): SentNotice => {
    const resource = {
      ...encrypt(text, type, changes.apiKey),
      original_type: type,
    };
    const event = {
      id: 'e1',
      event_type: 'TRANSACTION.SUCCESS',
      resource: { ...resource, ...changes.resource },
      ...changes.event,
    };
    const body = JSON.stringify(event);
    const signed = signature(
      body,
      changes.signedBy ?? platform.key,
      seconds() + (changes.ahead ?? 0),
    );
    return {
      body,
      headers: {
        'wechatpay-serial': changes.serial ?? platform.serial,
        ...signed,
        ...changes.headers,
      },
    };
  };

  return {
    url,
    calls,
    orders,
    refunds,
    setState: (tradeNo, state, changes = {}) =>
      void states.set(tradeNo, { trade_state: state, ...changes }),
    notice: (tradeNo, changes = {}) => {
      const paid = { ...transaction(tradeNo), trade_state: 'SUCCESS', ...changes.transaction };
      return seal(JSON.stringify(paid), 'transaction', changes);
    },
    refundNotice: (tradeNo, refundNo, cents, event = 'REFUND.SUCCESS') => {
      const { total } = { total: 0, ...(orders.get(tradeNo)?.['amount'] as object) };
      const refund = {
        mchid: merchant.mchid,
        out_trade_no: tradeNo,
        transaction_id: `W${tradeNo}`,
        out_refund_no: refundNo,
        refund_id: `I${refundNo}`,
        amount: { total, refund: cents, payer_total: total, payer_refund: cents },
      };
      return seal(JSON.stringify(refund), 'refund', { event: { event_type: event } });
    },
    misbehave: (how) => {
      trouble = how;
    },
    beforeClose: (next) => {
      hook = next;
    },
    beforeReply: (next) => {
      replyHook = next;
    },
  };
}

/**
 * The options of a site with this merchant account. `withPublicKey`: it verifies with the
 * platform's public key.
 */
export function wechatPayOptions(
  withPublicKey = false,
  serverAddress = 'https://gw.example',
): Record<string, string> {
  return {
    ServerAddress: serverAddress,
    'WechatPay.MchID': merchant.mchid,
    'WechatPay.AppID': merchant.appid,
    'WechatPay.CertSerialNumber': merchant.serial,
    'WechatPay.PrivateKey': keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'WechatPay.APIv3Key': merchant.apiKey,
    ...(withPublicKey && {
      'WechatPay.PublicKeyID': publicKeyId,
      'WechatPay.PublicKey': createPublicKey(platform.cert)
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    }),
  };
}

/** Sets what a site needs to know of its merchant account. */
export async function configureWechatPay(operator: Client, withPublicKey = false): Promise<void> {
  for (const [key, value] of Object.entries(wechatPayOptions(withPublicKey)))
    await operator.option.set({ key, value });
}
