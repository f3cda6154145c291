import type { Cluster } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';

/** Ten failures in 15 minutes lock an account for 15 minutes (docs/rules/accounts.md#login-lock). */
export interface LoginGuard {
  /** Counts an attempt before it is checked, so that parallel guesses count too. Throws AppError account_locked. */
  begin(account: string): Promise<void>;
  /** Resets the account's count after a successful attempt. */
  succeed(account: string): Promise<void>;
}

/** Under which key attempts on an account are counted. */
export const attemptKey = ({ id }: { readonly id: number }): string => `user:${id}`;

const maxFailures = 10;
const windowMs = 15 * 60_000;

export function createLoginGuard(cluster: Pick<Cluster, 'counter'>): LoginGuard {
  const attempts = cluster.counter('sign-in');
  return {
    begin: async (account) => {
      const { count, remainingMs } = await attempts.increment(account, windowMs);
      if (count > maxFailures) throw new AppError('account_locked', { minutes: Math.ceil(remainingMs / 60_000) });
      if (count === maxFailures) await attempts.extend(account, windowMs);
    },
    succeed: async (account) => {
      await attempts.reset(account);
    },
  };
}
