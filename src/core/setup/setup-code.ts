import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';

/**
 * The one-time code printed in the terminal, so that nobody on the network can claim a fresh
 * instance (docs/rules/accounts.md#setup-code). It exists only in the memory of the process.
 */
export interface SetupCode {
  /** The code as it is shown: `7KQ 2MF`. */
  readonly shown: string;
  /**
   * Ignores case, spaces and dashes. Throws AppError rate_limited after 10 failures, for a minute.
   */
  matches(given: string): boolean;
}

/** Without 0/O and 1/I/L, which are easily confused. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const codeLength = 6;
const maxFailures = 10;
const lockMs = 60_000;

/** `own`: SETUP_TOKEN, which replaces the generated code; '' when unset. */
export function createSetupCode(
  own: string,
  { ids, clock }: { ids: Pick<Ids, 'chance'>; clock: Clock },
): SetupCode {
  const generated = Array.from(
    { length: codeLength },
    () => alphabet[Math.floor(ids.chance() * alphabet.length)],
  ).join('');
  const expected = digest(own === '' ? generated : own);
  let failures = 0;
  let lockedUntil = 0;
  return {
    shown: own === '' ? `${generated.slice(0, 3)} ${generated.slice(3)}` : own,
    matches: (given) => {
      const now = clock.now();
      if (now < lockedUntil)
        throw new AppError('rate_limited', { seconds: Math.ceil((lockedUntil - now) / 1000) });
      if (timingSafeEqual(digest(given), expected)) {
        failures = 0;
        return true;
      }
      failures += 1;
      if (failures >= maxFailures) {
        failures = 0;
        lockedUntil = now + lockMs;
      }
      return false;
    },
  };
}

function digest(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest();
}
