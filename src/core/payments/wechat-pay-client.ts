import type { KeyObject } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import { readPrivateKey, readPublicKey } from '../site/key-options.ts';
import type { OptionStore } from '../site/option-store.ts';
import { headerText, type ResponseHeaders } from '../upstream/exchange.ts';
import type { Upstream } from '../upstream/send.ts';
import { decryptResource, isSigned, signLines } from './wechat-pay-crypto.ts';

export interface WechatPayClientDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly upstream: Pick<Upstream, 'collect'>;
  /** Base address of the API. */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'hex'>;
}

export interface WechatPayReply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface WechatPayClient {
  /**
   * A signed call whose reply is verified. Throws AppError payment_signature_invalid and those of
   * `Upstream.collect`.
   */
  call(
    method: 'GET' | 'POST',
    path: string,
    body: object | undefined,
    signal?: AbortSignal,
  ): Promise<WechatPayReply>;
  /**
   * Verifies what WeChat Pay sends: replies and notices. Throws AppError payment_signature_invalid.
   */
  verify(headers: ResponseHeaders, body: Buffer): Promise<void>;
}

const timeout = 10_000;
const maxReplyBytes = 256 * 1024;
/** Seconds by which the time of a signature may differ from ours. */
const maxClockDifference = 300;
const certificatesMs = 12 * 3_600_000;
/**
 * Certificates are downloaded at most this often, because anybody can send a notice with an unknown
 * serial number.
 */
const minDownloadMs = 60_000;

export function createWechatPayClient({
  options,
  upstream,
  endpoint,
  clock,
  ids,
}: WechatPayClientDeps): WechatPayClient {
  let certificates: ReadonlyMap<string, KeyObject> = new Map();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  const authorization = (method: string, path: string, body: string): string => {
    const timestamp = String(nowSeconds(clock));
    const nonce = ids.hex(16);
    const key = readPrivateKey(options.get('WechatPay.PrivateKey'));
    const fields = {
      mchid: options.get('WechatPay.MchID'),
      nonce_str: nonce,
      timestamp,
      serial_no: options.get('WechatPay.CertSerialNumber'),
      signature: signLines([method, path, timestamp, nonce, body], key),
    };
    const list = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
    return `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`;
  };

  const send = async (
    method: 'GET' | 'POST',
    path: string,
    body: object | undefined,
    signal?: AbortSignal,
  ) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const keyId = options.get('WechatPay.PublicKeyID');
    return upstream.collect(
      {
        method,
        url: endpoint + path,
        headers: {
          authorization: authorization(method, path, text),
          accept: 'application/json',
          'content-type': 'application/json',
          'user-agent': 'turnpike',
          ...(keyId !== '' && { 'wechatpay-serial': keyId }),
        },
        ...(body !== undefined && { body: text }),
        firstByteTimeout: timeout,
        idleTimeout: timeout,
        totalTimeout: timeout,
      },
      maxReplyBytes,
      signal,
    );
  };

  const signed = (
    headers: ResponseHeaders,
    body: Buffer,
    keyFor: (serial: string) => KeyObject | undefined,
  ): boolean => {
    const [timestamp, nonce, signature, serial] = ['timestamp', 'nonce', 'signature', 'serial'].map(
      (name) => headerText(headers, `wechatpay-${name}`),
    ) as [string, string, string, string];
    const isRecent = Math.abs(nowSeconds(clock) - Number(timestamp)) <= maxClockDifference;
    const key = /^\d+$/.test(timestamp) && isRecent ? keyFor(serial) : undefined;
    return key !== undefined && isSigned([timestamp, nonce], body, signature, key);
  };

  const configuredKey = (serial: string): KeyObject | undefined => {
    const text = options.get('WechatPay.PublicKey');
    return serial !== '' && serial === options.get('WechatPay.PublicKeyID') && text !== ''
      ? readPublicKey(text)
      : undefined;
  };

  /**
   * The certificates are encrypted with the APIv3 key, so they prove themselves; one of them also
   * signs the reply.
   */
  const download = async (): Promise<void> => {
    triedAt = clock.now();
    const reply = await send('GET', '/v3/certificates', undefined);
    const json = parseJson(reply.bytes.toString('utf8'));
    const entries = isObject(json) && Array.isArray(json['data']) ? json['data'] : [];
    const found = new Map<string, KeyObject>();
    for (const entry of entries) {
      const resource =
        isObject(entry) && isObject(entry['encrypt_certificate'])
          ? entry['encrypt_certificate']
          : {};
      const pem = decryptResource(readResource(resource), options.get('WechatPay.APIv3Key'));
      found.set(String((entry as Record<string, unknown>)['serial_no'] ?? ''), readPublicKey(pem));
    }
    const isGenuine = signed(
      reply.headers,
      reply.bytes,
      (serial) => found.get(serial) ?? configuredKey(serial),
    );
    if (!isGenuine) throw new AppError('payment_signature_invalid');
    certificates = found;
    loadedAt = clock.now();
  };

  const findKey = async (serial: string): Promise<KeyObject | undefined> => {
    const configured = configuredKey(serial);
    if (configured !== undefined) return configured;
    // A clock that is set back counts as time that has passed: it may have been far ahead.
    const since = (time: number) => Math.abs(clock.now() - time);
    const isKnown = certificates.has(serial) && since(loadedAt) < certificatesMs;
    if (!isKnown && (loading !== undefined || since(triedAt) >= minDownloadMs)) {
      loading ??= download().finally(() => {
        loading = undefined;
      });
      try {
        await loading;
      } catch (error) {
        // A known certificate outlives a failed refresh.
        if (!certificates.has(serial)) throw error;
      }
    }
    return certificates.get(serial);
  };

  const verify: WechatPayClient['verify'] = async (headers, body) => {
    const key = await findKey(headerText(headers, 'wechatpay-serial'));
    if (!signed(headers, body, () => key)) throw new AppError('payment_signature_invalid');
  };

  return {
    verify,
    call: async (method, path, body, signal) => {
      const reply = await send(method, path, body, signal);
      // Errors are not always signed, and nothing is credited because of one.
      if (reply.status < 300) await verify(reply.headers, reply.bytes);
      const json = parseJson(reply.bytes.toString('utf8'));
      return { status: reply.status, json: isObject(json) ? json : {} };
    },
  };
}

/** The fields of an encrypted resource; missing ones are empty, so that decryption fails. */
export function readResource(resource: Readonly<Record<string, unknown>>) {
  const text = (name: string): string => {
    const value = resource[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    ciphertext: text('ciphertext'),
    nonce: text('nonce'),
    associatedData: text('associated_data'),
  };
}
