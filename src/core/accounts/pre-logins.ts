/**
 * What is remembered of a browser before its user has signed in
 * (docs/rules/accounts.md#pre-login-record).
 */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { parseObject } from '../kernel/json.ts';
import type { Storage } from '../storage/storage.ts';

/** A sign-in or a binding that sends the browser to a provider. */
export interface ProviderVisit {
  /** The user who binds an account of the provider; 0: a visitor who signs in. */
  readonly userId: number;
  /** The invite code of the link that the visitor followed, or ''. */
  readonly affCode: string;
  /** What the provider repeats in its id_token; '' where the browser was sent without one. */
  readonly nonce: string;
  /** The PKCE verifier (RFC 7636); '' where the browser was sent without a challenge. */
  readonly verifier: string;
}

/**
 * Rows of `verification_codes`, so that all processes see them. `token`: the value of the browser's
 * cookie.
 */
export interface PreLogins {
  /** Lifetime of the cookie in seconds. */
  readonly maxAge: number;
  /** A value for the cookie of a browser that has none. */
  newToken(): string;
  /** Whether a cookie's value may be one that `newToken` made. */
  isToken(text: string): boolean;
  /**
   * Notes a visit and returns its state, which is valid for ten minutes. Several visits of a
   * browser can be open at once.
   */
  beginVisit(token: string, visit: ProviderVisit): Promise<string>;
  /**
   * Ends a visit. Null if this browser has no such visit: of several callers with one state exactly
   * one gets it.
   */
  endVisit(token: string, state: string): Promise<ProviderVisit | null>;
  /**
   * Notes that a human check was passed. It serves five calls within ten minutes; a new one
   * replaces it.
   */
  grantPass(token: string): Promise<void>;
  /**
   * Uses the pass for one call. False: there is none left. Parallel calls together use no more than
   * are left.
   */
  usePass(token: string): Promise<boolean>;
}

/** How many calls one passed human check serves. */
const passUses = 5;
const cookieSeconds = 15 * 60;
const rowSeconds = 10 * 60;
const tokenBytes = 32;

export function createPreLogins({
  storage,
  clock,
  ids,
}: {
  readonly storage: Pick<Storage, 'verificationCodes'>;
  readonly clock: Clock;
  readonly ids: Ids;
}): PreLogins {
  const rows = storage.verificationCodes;
  const visitKey = (token: string, state: string) => rows.hash(`visit:${token}:${state}`);
  const passKey = (token: string) => rows.hash(`human:${token}`);
  const put = (purpose: string, key: string, payload = '') =>
    rows.put({
      purpose,
      subjectHash: key,
      codeHash: key,
      expiresAt: nowSeconds(clock) + rowSeconds,
      payload,
    });

  return {
    maxAge: cookieSeconds,
    newToken: () => ids.base64url(tokenBytes),
    isToken: (text) => /^[\w-]{43}$/.test(text),
    beginVisit: async (token, visit) => {
      const state = ids.base64url(tokenBytes);
      await put('visit', visitKey(token, state), JSON.stringify(visit));
      return state;
    },
    endVisit: async (token, state) => {
      const key = visitKey(token, state);
      const row = await rows.find('visit', key);
      if (row === null || !(await rows.consume('visit', key, key))) return null;
      return row.expiresAt <= nowSeconds(clock) ? null : readVisit(row.payload);
    },
    grantPass: (token) => put('human', passKey(token)),
    usePass: async (token) => {
      const row = await rows.countTry('human', passKey(token));
      return row !== null && row.tries <= passUses && row.expiresAt > nowSeconds(clock);
    },
  };
}

function readVisit(payload: string): ProviderVisit {
  const { userId, affCode, nonce, verifier } = parseObject(payload) ?? {};
  return {
    userId: Number(userId),
    affCode: String(affCode),
    nonce: String(nonce),
    verifier: String(verifier),
  };
}
