/**
 * Addresses of files that work because this site signed them: browsers send no headers for pictures
 * and players.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Clock, nowSeconds } from '../kernel/clock.ts';

export interface SignedLinks {
  /** `sig=…`, which is valid for ever. */
  query(subject: string): string;
  isValid(subject: string, signature: string): boolean;
  /**
   * `exp=…&sig=…`, valid for `life` seconds, and for ten minutes more at most: reads within ten
   * minutes give the same link.
   */
  queryFor(subject: string, life: number): string;
  /**
   * Whether `signature` is that of the subject and `expires` (Unix seconds, as text) and still
   * valid.
   */
  isValidUntil(subject: string, expires: string, signature: string): boolean;
}

export interface SignedLinkDeps {
  /** HMAC-SHA-256 with a key of this site, as hex. */
  readonly sign: (text: string) => string;
  readonly clock: Clock;
}

const step = 600;

export function createSignedLinks({ sign, clock }: SignedLinkDeps): SignedLinks {
  const isValid = (subject: string, signature: string): boolean => {
    const expected = Buffer.from(sign(subject));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
  return {
    query: (subject) => `sig=${sign(subject)}`,
    isValid,
    queryFor: (subject, life) => {
      const expires = String(Math.ceil(nowSeconds(clock) / step) * step + life);
      return `exp=${expires}&sig=${sign(`${subject}:${expires}`)}`;
    },
    isValidUntil: (subject, expires, signature) =>
      /^\d{1,12}$/.test(expires) &&
      Number(expires) >= nowSeconds(clock) &&
      isValid(`${subject}:${expires}`, signature),
  };
}
