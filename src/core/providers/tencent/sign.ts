/** Tencent Cloud's signature TC3-HMAC-SHA256 (docs/rules/providers.md#tencent-sign). */
import { createHash, createHmac } from 'node:crypto';

interface Tc3Request {
  readonly secretId: string;
  readonly secretKey: string;
  /** The product's name in the scope: `hunyuan`, `sms`. */
  readonly service: string;
  /** As in the `host` header, port included. */
  readonly host: string;
  readonly action: string;
  /** The bytes of the body as they are sent, with `content-type: application/json`. */
  readonly payload: Uint8Array;
  /** Unix seconds; also the value of `x-tc-timestamp`. */
  readonly timestamp: number;
}

const algorithm = 'TC3-HMAC-SHA256';
const signedHeaders = 'content-type;host;x-tc-action';

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** The value of the `authorization` header. */
export function signTc3({
  secretId,
  secretKey,
  service,
  host,
  action,
  payload,
  timestamp,
}: Tc3Request): string {
  const canonical = [
    'POST',
    '/',
    '',
    'content-type:application/json',
    `host:${host}`,
    `x-tc-action:${action.toLowerCase()}`,
    '',
    signedHeaders,
    sha256(payload),
  ].join('\n');
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), service), 'tc3_request');
  const signature = hmac(key, [algorithm, timestamp, scope, sha256(canonical)].join('\n')).toString(
    'hex',
  );
  return `${algorithm} Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}
