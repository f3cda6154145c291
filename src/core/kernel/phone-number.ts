/** Phone numbers as they are typed, stored and shown (docs/rules/accounts.md#phone-numbers). */

/** The country code of numbers that are written without one. */
export const homePrefix = '+86';
const mainlandMobile = /^1[3-9]\d{9}$/;
/** E.164: at most 15 digits. Fewer than seven are no subscriber's number. */
const international = /^\+[1-9]\d{6,14}$/;

/**
 * A number in E.164, or undefined. `13800000000`, `86 138 0000 0000`, `0086…` and `+86…` are the
 * same number; numbers of other countries need their `+` or `00`.
 */
export function toE164(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s().-]/g, '')
    .replace(/^00/, '+');
  const local = /^(?:\+?86)?(\d{11})$/.exec(plain)?.[1];
  if (local !== undefined && mainlandMobile.test(local)) return homePrefix + local;
  return international.test(plain) && !plain.startsWith(homePrefix) ? plain : undefined;
}

/** `+8613812345678` → `+86138****5678`. */
export function maskPhone(phone: string): string {
  return phone === '' ? '' : `${phone.slice(0, -8)}****${phone.slice(-4)}`;
}
