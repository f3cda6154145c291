/**
 * Time-based one-time passwords (RFC 6238, over HOTP of RFC 4226), as authenticator apps make them.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds that a code is shown. */
export const totpPeriod = 30;
const digits = 6;
/** How many steps an app's clock may be behind or ahead. */
const drift = 1;
const secretBytes = 20;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret, as apps take it: base32 without padding (RFC 4648). */
export function newTotpSecret(): string {
  return base32(randomBytes(secretBytes));
}

/** The code of a time step. `length`: number of digits. */
export function totpCode(secret: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** length).padStart(length, '0');
}

/**
 * The time step whose code this is, now or one step before or after; null: none. Takes the same
 * time for each code.
 */
export function findTotpStep(secret: string, code: string, nowSeconds: number): number | null {
  const key = fromBase32(secret);
  const current = Math.floor(nowSeconds / totpPeriod);
  const given = Buffer.from(code.padEnd(digits).slice(0, digits));
  let found: number | null = null;
  for (let step = current - drift; step <= current + drift; step += 1) {
    if (timingSafeEqual(given, Buffer.from(totpCode(key, step)))) found = step;
  }
  return code.length === digits ? found : null;
}

/** What the QR code holds (Key URI format of Google Authenticator). */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${totpPeriod}`;
  return `otpauth://totp/${label}?${query}`;
}

export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)])
    .join('');
}

export function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
