import { createHash } from 'node:crypto';
import type { Actor } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { User } from '../../storage/storage.ts';
import type { Bindings } from '../bindings.ts';
import type { PreLogins } from '../pre-logins.ts';
import type { FindMethod } from '../sign-in/find-method.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

/** Who visits a provider: the cookie of the browser, and the user who is signed in there. */
export interface Visitor {
  readonly token: string | undefined;
  readonly actor: Actor | null;
}

/** What the provider's redirect carries. */
export interface Callback {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/** Visits of browsers to providers, to sign in or to bind (docs/rules/accounts.md#provider-visits). */
export interface ProviderVisits {
  /** A state for a client that makes the provider's address itself. `token`: of the browser. */
  beginPlain(token: string, actor: Actor | null, affCode: string): Promise<string>;
  /** The provider's address, with a nonce and a PKCE challenge. Throws AppError not_found, sign_in_method_disabled. */
  begin(methodId: string, token: string, actor: Actor | null, affCode: string): Promise<string>;
  /** Ends a visit without a provider's reply. Returns its invite code. Throws AppError oauth_state_invalid. */
  end(visitor: Visitor, state: string | undefined): Promise<{ readonly affCode: string }>;
  /**
   * Binds the account of the provider if a user is signed in, and returns null; else signs its user in. Throws AppError
   * oauth_state_invalid, provider_refused, and those of `SignIn` and `Bindings.bind`.
   */
  finish(methodId: string, visitor: Visitor, callback: Callback): Promise<User | null>;
}

export interface ProviderVisitDeps {
  readonly preLogins: PreLogins;
  readonly findMethod: FindMethod;
  readonly signIn: SignIn;
  readonly bindings: Pick<Bindings, 'bind'>;
  readonly ids: Pick<Ids, 'base64url'>;
}

/** What of a provider's own message is shown, in characters. */
const longestReason = 200;

export function createProviderVisits({ preLogins, findMethod, signIn, bindings, ids }: ProviderVisitDeps): ProviderVisits {
  /** A method that has a page at a provider. */
  const findProvider = (methodId: string) => {
    const { begin } = findMethod(methodId);
    if (begin === undefined) throw new AppError('not_found');
    return begin;
  };

  /** Whoever began as a visitor and is signed in now, or the reverse, begins anew: they meant something else. */
  const endVisit = async ({ token, actor }: Visitor, state = '') => {
    const visit = token === undefined || state === '' ? null : await preLogins.endVisit(token, state);
    if (visit === null || visit.userId !== (actor?.id ?? 0)) throw new AppError('oauth_state_invalid');
    return visit;
  };

  return {
    beginPlain: (token, actor, affCode) =>
      preLogins.beginVisit(token, { userId: actor?.id ?? 0, affCode, nonce: '', verifier: '' }),
    begin: async (methodId, token, actor, affCode) => {
      const begin = findProvider(methodId);
      const [nonce, verifier] = [ids.base64url(32), ids.base64url(32)];
      const state = await preLogins.beginVisit(token, { userId: actor?.id ?? 0, affCode, nonce, verifier });
      return begin({ state, nonce, challenge: createHash('sha256').update(verifier).digest('base64url') });
    },
    end: endVisit,
    finish: async (methodId, visitor, { code = '', state, error = '', error_description: description = '' }) => {
      const { nonce, verifier, affCode } = await endVisit(visitor, state);
      findProvider(methodId);
      if (error !== '') throw new AppError('provider_refused', { reason: (description || error).slice(0, longestReason) });
      const input = { code, nonce, verifier };
      if (visitor.actor === null) return signIn(methodId, input, affCode);
      await bindings.bind(visitor.actor, methodId, input);
      return null;
    },
  };
}
