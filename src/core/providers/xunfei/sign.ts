/** The signature in a socket's address (docs/rules/providers.md#spark-sign). */
import { createHmac } from 'node:crypto';

interface SparkKey {
  readonly APISecret: string;
  readonly APIKey: string;
}

/** `date` is an HTTP date; the upstream takes 300 seconds of difference. */
export function sparkSignature(secret: string, host: string, date: string, path: string): string {
  const text = `host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`;
  return createHmac('sha256', secret).update(text).digest('base64');
}

/** The address with what proves the key. */
export function signAddress(address: string, { APISecret, APIKey }: SparkKey, now: Date): string {
  const url = new URL(address);
  const date = now.toUTCString();
  const signature = sparkSignature(APISecret, url.host, date, url.pathname);
  const origin =
    `api_key="${APIKey}", algorithm="hmac-sha256", headers="host date request-line", ` +
    `signature="${signature}"`;
  url.search = new URLSearchParams({
    authorization: Buffer.from(origin).toString('base64'),
    date,
    host: url.host,
  }).toString();
  return url.href;
}
