import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';

/** Ten failures in 15 minutes lock an account for 15 minutes (spec, accounts-and-payments 4). */
export interface LoginGuard {
  /** Counts an attempt before it is checked, so that parallel guesses count too. Throws AppError account_locked. */
  begin(account: string): void;
  /** The attempt was right: nothing of it remains. */
  succeed(account: string): void;
}

const maxFailures = 10;
const windowMs = 15 * 60_000;
const maxAccounts = 10_000;

interface Record {
  count: number;
  /** End of the window, or of the lock once `count` is used up. */
  until: number;
}

export function createLoginGuard(clock: Clock): LoginGuard {
  const records = new Map<string, Record>();
  const forgetOldest = (now: number) => {
    for (const [account, record] of records) {
      if (record.until <= now || records.size > maxAccounts) records.delete(account);
      else break;
    }
  };
  return {
    begin: (account) => {
      const now = clock.now();
      const known = records.get(account);
      if (known === undefined || known.until <= now) {
        records.delete(account);
        forgetOldest(now);
        records.set(account, { count: 1, until: now + windowMs });
        return;
      }
      if (known.count >= maxFailures) {
        throw new AppError('account_locked', { minutes: Math.ceil((known.until - now) / 60_000) });
      }
      known.count += 1;
      if (known.count === maxFailures) known.until = now + windowMs;
    },
    succeed: (account) => {
      records.delete(account);
    },
  };
}
