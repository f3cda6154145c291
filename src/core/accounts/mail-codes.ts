/** Codes that prove who reads the mail of an address (docs/rules/accounts.md#codes). */
import { timingSafeEqual } from 'node:crypto';
import type { Cluster } from '../cluster/cluster.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError, type ErrorCode } from '../kernel/errors.ts';
import type { Storage } from '../storage/storage.ts';

export type CodePurpose = 'email' | 'reset';

export interface MailCodes {
  /** Counts a mail to an address before it is sent. Throws AppError mail_too_soon. */
  countMail(purpose: CodePurpose, address: string): Promise<void>;
  /** Forgets the count after a mail that could not be sent. */
  uncountMail(purpose: CodePurpose, address: string): Promise<void>;
  /** Stores a code for an address, replacing the last one. */
  store(purpose: CodePurpose, address: string, code: string, payload?: string): Promise<void>;
  /** Counts a try and compares. Throws AppError verification_code_invalid or reset_link_invalid. */
  check(purpose: CodePurpose, address: string, code: string): Promise<CheckedCode>;
}

/** A code that was right. */
export interface CheckedCode {
  readonly payload: string;
  /** Uses the code up, in a transaction with what it permits. Throws as `check` if somebody else has used it. */
  consume(inside: Pick<Storage, 'verificationCodes'>): Promise<void>;
}

/** How long codes are valid, and how long nothing more is sent to the same address. */
export const codeMinutes = 10;
const pauseMs = 30_000;
const maxTries = 5;

const errors: Readonly<Record<CodePurpose, ErrorCode>> = {
  email: 'verification_code_invalid',
  reset: 'reset_link_invalid',
};

export interface MailCodesDeps {
  readonly storage: Pick<Storage, 'verificationCodes'>;
  readonly cluster: Pick<Cluster, 'counter'>;
  readonly clock: Clock;
}

export function createMailCodes({ storage, cluster, clock }: MailCodesDeps): MailCodes {
  const mails = cluster.counter('code-mails');
  const codes = storage.verificationCodes;
  const mailKey = (purpose: CodePurpose, address: string) => codes.hash(`mail:${purpose}:${address}`);
  const subjectOf = (purpose: CodePurpose, address: string) => codes.hash(`${purpose}:${address}`);
  const hashOf = (purpose: CodePurpose, address: string, code: string) => codes.hash(`${purpose}:${address}:${code}`);

  return {
    countMail: async (purpose, address) => {
      const { count, remainingMs } = await mails.increment(mailKey(purpose, address), pauseMs);
      if (count > 1) throw new AppError('mail_too_soon', { seconds: Math.ceil(remainingMs / 1000) });
    },
    uncountMail: async (purpose, address) => {
      await mails.reset(mailKey(purpose, address));
    },
    store: async (purpose, address, code, payload = '') => {
      await codes.put({
        purpose,
        subjectHash: subjectOf(purpose, address),
        codeHash: hashOf(purpose, address, code),
        expiresAt: nowSeconds(clock) + codeMinutes * 60,
        payload,
      });
    },
    check: async (purpose, address, code) => {
      const refused = () => new AppError(errors[purpose]);
      const subject = subjectOf(purpose, address);
      const given = hashOf(purpose, address, code.trim());
      // Counted before it is compared, so that parallel guesses count too.
      const stored = await codes.countTry(purpose, subject);
      if (stored === null || stored.tries > maxTries || stored.expiresAt <= nowSeconds(clock)) throw refused();
      if (!timingSafeEqual(Buffer.from(given), Buffer.from(stored.codeHash))) throw refused();
      return {
        payload: stored.payload,
        consume: async (inside) => {
          if (!(await inside.verificationCodes.consume(purpose, subject, given))) throw refused();
        },
      };
    },
  };
}
