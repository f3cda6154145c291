import { createHash, timingSafeEqual } from 'node:crypto';

export type EpayFields = Readonly<Record<string, string>>;

/**
 * The signature of Epay's form interface: MD5 over the non-empty fields except `sign` and
 * `sign_type`, sorted by name and joined as `name=value&…`, with the merchant key appended.
 */
export function signEpay(fields: EpayFields, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return createHash('md5')
    .update(text + key)
    .digest('hex');
}

/** Takes the same time wherever the signatures differ. */
export function hasEpaySignature(fields: EpayFields, key: string): boolean {
  const expected = Buffer.from(signEpay(fields, key));
  const actual = Buffer.from((fields['sign'] ?? '').toLowerCase());
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
