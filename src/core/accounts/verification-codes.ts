/** Codes that prove who reads an address or holds a phone (docs/rules/accounts.md#codes). */
import { timingSafeEqual } from 'node:crypto';
import type { Cluster } from '../cluster/cluster.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError, type ErrorCode } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Storage } from '../storage/storage.ts';
import type { AttemptOrigin, LoginGuard } from './sign-in/login-guard.ts';

export type MailPurpose = 'email' | 'reset';
/**
 * `phone`: a number's own code, for login and binding; `second-step`: the code after a password.
 */
export type CodePurpose = MailPurpose | 'phone' | 'second-step';

/** `subject`: the address or the phone number that a code is sent to. */
export interface VerificationCodes {
  /** Counts a mail to an address before it is sent. Throws AppError mail_too_soon. */
  countMail(purpose: MailPurpose, address: string): Promise<void>;
  /** Forgets the count after a mail that could not be sent. */
  uncountMail(purpose: MailPurpose, address: string): Promise<void>;
  /** Stores a code for a subject, replacing the last one. */
  store(purpose: CodePurpose, subject: string, code: string, payload?: string): Promise<void>;
  /**
   * Counts a try and compares. Throws AppError verification_code_invalid or reset_link_invalid, and
   * account_locked, before a try is counted, so that strangers do not use the tries of a code up.
   */
  check(
    purpose: CodePurpose,
    subject: string,
    code: string,
    from: CodeOrigin,
  ): Promise<CheckedCode>;
}

/** Who enters a code. `userId`: the account that it is for, where there is one. */
export interface CodeOrigin extends AttemptOrigin {
  readonly userId?: number | undefined;
}

/** A code that was right. */
export interface CheckedCode {
  readonly payload: string;
  /**
   * Uses the code up, in a transaction with what it permits. Throws as `check` if somebody else has
   * used it.
   */
  consume(inside: Pick<Storage, 'verificationCodes'>): Promise<void>;
}

/**
 * How long mailed codes and links are valid, and how long nothing more is mailed to the same
 * address.
 */
export const codeMinutes = 10;
const pauseMs = 30_000;
/** How long codes sent to a phone are valid. */
export const phoneCodeMinutes = 5;
const maxTries = 5;

const rules: Readonly<
  Record<CodePurpose, { readonly minutes: number; readonly error: ErrorCode }>
> = {
  email: { minutes: codeMinutes, error: 'verification_code_invalid' },
  reset: { minutes: codeMinutes, error: 'reset_link_invalid' },
  phone: { minutes: phoneCodeMinutes, error: 'verification_code_invalid' },
  'second-step': { minutes: phoneCodeMinutes, error: 'verification_code_invalid' },
};

export interface VerificationCodesDeps {
  readonly storage: Pick<Storage, 'verificationCodes'>;
  readonly cluster: Pick<Cluster, 'counter'>;
  readonly guard: Pick<LoginGuard, 'begin'>;
  readonly clock: Clock;
}

export function createVerificationCodes({
  storage,
  cluster,
  guard,
  clock,
}: VerificationCodesDeps): VerificationCodes {
  const mails = cluster.counter('code-mails');
  const codes = storage.verificationCodes;
  const mailKey = (purpose: MailPurpose, address: string) =>
    codes.hash(`mail:${purpose}:${address}`);
  const subjectHash = (purpose: CodePurpose, subject: string) =>
    codes.hash(`${purpose}:${subject}`);
  const codeHash = (purpose: CodePurpose, subject: string, code: string) =>
    codes.hash(`${purpose}:${subject}:${code}`);

  return {
    countMail: async (purpose, address) => {
      const { count, remainingMs } = await mails.increment(mailKey(purpose, address), pauseMs);
      if (count > 1)
        throw new AppError('mail_too_soon', { seconds: Math.ceil(remainingMs / 1000) });
    },
    uncountMail: async (purpose, address) => {
      await mails.reset(mailKey(purpose, address));
    },
    store: async (purpose, subject, code, payload = '') => {
      await codes.put({
        purpose,
        subjectHash: subjectHash(purpose, subject),
        codeHash: codeHash(purpose, subject, code),
        expiresAt: nowSeconds(clock) + rules[purpose].minutes * 60,
        payload,
      });
    },
    check: async (purpose, subject, code, { userId, ...from }) => {
      const refused = () => new AppError(rules[purpose].error);
      const key = subjectHash(purpose, subject);
      const given = codeHash(purpose, subject, code.trim());
      const attempt = await guard.begin({ kind: 'code', name: key, userId }, from);
      // Counted before it is compared, so that parallel guesses count too.
      const stored = await codes.countTry(purpose, key);
      if (stored === null || stored.tries > maxTries || stored.expiresAt <= nowSeconds(clock))
        throw refused();
      if (!timingSafeEqual(Buffer.from(given), Buffer.from(stored.codeHash))) throw refused();
      await attempt.succeed();
      return {
        payload: stored.payload,
        consume: async (inside) => {
          if (!(await inside.verificationCodes.consume(purpose, key, given))) throw refused();
        },
      };
    },
  };
}

/** Uniform to one part in 10^8. */
export function sixDigits(ids: Pick<Ids, 'hex'>): string {
  return String(Number.parseInt(ids.hex(6), 16) % 1_000_000).padStart(6, '0');
}
