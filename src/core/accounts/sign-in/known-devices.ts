/**
 * Browsers in which somebody has signed in before, by a cookie of their own
 * (docs/rules/accounts.md#known-browsers).
 */
import { timingSafeEqual } from 'node:crypto';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Storage } from '../../storage/storage.ts';

export interface KnownDevices {
  /** Lifetime of the cookie in seconds, from the last sign-in. */
  readonly maxAge: number;
  /**
   * The value of the cookie after a sign-in: the accounts that the browser is known for, this one
   * first.
   */
  note(cookie: string | undefined, userId: number): string;
  /**
   * What stands for the browser where this account is concerned; undefined: nobody has signed in to
   * it there.
   */
  find(cookie: string | undefined, userId: number): string | undefined;
}

const maxAge = 365 * 24 * 3600;
/** Of one browser; the account that was used longest ago is dropped. */
const mostAccounts = 5;
const nonceBytes = 16;
const signatureLength = 32;
const entry = /^([1-9]\d{0,14})\.([\w-]{22})\.(\d{1,11})\.([0-9a-f]{32})$/;

export interface KnownDeviceDeps {
  /** Its HMAC signs the cookie, so that all processes know it. */
  readonly storage: Pick<Storage, 'verificationCodes'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'base64url'>;
}

export function createKnownDevices({ storage, clock, ids }: KnownDeviceDeps): KnownDevices {
  const sign = (userId: string, nonce: string, at: string) =>
    storage.verificationCodes.hash(`device:${userId}:${nonce}:${at}`).slice(0, signatureLength);

  /** The entries that are ours and not too old. */
  const read = (
    cookie = '',
  ): readonly { readonly userId: number; readonly nonce: string; readonly text: string }[] =>
    cookie
      .split('~')
      .slice(0, mostAccounts)
      .flatMap((text) => {
        const [, userId = '', nonce = '', at = '', signature = ''] = entry.exec(text) ?? [];
        // What is no entry has no time either, and is too old.
        if (nowSeconds(clock) - Number(at) > maxAge) return [];
        const isOurs = timingSafeEqual(
          Buffer.from(signature),
          Buffer.from(sign(userId, nonce, at)),
        );
        return isOurs ? [{ userId: Number(userId), nonce, text }] : [];
      });

  return {
    maxAge,
    note: (cookie, userId) => {
      const known = read(cookie);
      const nonce = known.find((one) => one.userId === userId)?.nonce ?? ids.base64url(nonceBytes);
      const at = String(nowSeconds(clock));
      const own = `${userId}.${nonce}.${at}.${sign(String(userId), nonce, at)}`;
      const others = known.filter((one) => one.userId !== userId).map(({ text }) => text);
      return [own, ...others].slice(0, mostAccounts).join('~');
    },
    find: (cookie, userId) => read(cookie).find((one) => one.userId === userId)?.nonce,
  };
}
