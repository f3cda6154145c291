import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { isObject } from '../../kernel/json.ts';
import type { Storage } from '../../storage/storage.ts';

/** What a token is for. One of another purpose is unknown. */
export type TokenPurpose =
  | 'second-factor'
  | 'passkey-register'
  | 'passkey-sign-in'
  | 'passkey-second-factor'
  | 'passkey-step-up';

/**
 * Random tokens of 256 bits that live five minutes and are used once. Every node knows them; only
 * their hash is stored.
 */
export interface OneTimeTokens {
  issue(purpose: TokenPurpose, payload: Readonly<Record<string, unknown>>): Promise<string>;
  /** Counts a try. Null: unknown, expired, or tried too often. */
  open(purpose: TokenPurpose, token: string): Promise<Readonly<Record<string, unknown>> | null>;
  /** Of several concurrent callers exactly one gets true. */
  use(purpose: TokenPurpose, token: string): Promise<boolean>;
}

export const tokenSeconds = 300;
const maxTries = 10;

export interface OneTimeTokensDeps {
  readonly storage: Pick<Storage, 'verificationCodes'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'base64url'>;
}

export function createOneTimeTokens({ storage, clock, ids }: OneTimeTokensDeps): OneTimeTokens {
  const codes = storage.verificationCodes;
  const hashOf = (purpose: TokenPurpose, token: string) => codes.hash(`${purpose}:${token}`);
  return {
    issue: async (purpose, payload) => {
      const token = ids.base64url(32);
      const hash = hashOf(purpose, token);
      const expiresAt = nowSeconds(clock) + tokenSeconds;
      await codes.put({
        purpose,
        subjectHash: hash,
        codeHash: hash,
        expiresAt,
        payload: JSON.stringify(payload),
      });
      return token;
    },
    open: async (purpose, token) => {
      const stored = await codes.countTry(purpose, hashOf(purpose, token));
      if (stored === null || stored.tries > maxTries || stored.expiresAt <= nowSeconds(clock))
        return null;
      const payload: unknown = JSON.parse(stored.payload);
      return isObject(payload) ? payload : null;
    },
    use: (purpose, token) => codes.consume(purpose, hashOf(purpose, token), hashOf(purpose, token)),
  };
}
