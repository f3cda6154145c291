import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { User } from '../../storage/storage.ts';
import type { Bindings } from '../bindings.ts';
import type { AccountGate } from '../gate/account-gate.ts';
import type { Caller } from '../gate/caller.ts';
import type { PreLogins } from '../pre-logins.ts';
import type { FindMethod } from '../sign-in/find-method.ts';
import type { SignIn } from '../sign-in/sign-in.ts';

/**
 * Who visits a provider: the cookie of the browser, and the user who is signed in there, or null.
 */
export interface Visitor {
  readonly token: string | undefined;
  readonly caller: Caller | null;
}

/** What the provider's redirect carries. */
export interface Callback {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/**
 * Visits of browsers to providers, to sign in or to bind (docs/rules/accounts.md#provider-visits).
 */
export interface ProviderVisits {
  /**
   * A state for a client that makes the provider's address itself. `token`: of the browser. A user,
   * who will bind something, passes the gate before the visit: throws what {@link
   * AccountGate.enter} throws.
   */
  beginPlain(token: string, caller: Caller | null, affCode: string): Promise<string>;
  /**
   * The provider's address, with a nonce and a PKCE challenge. Throws AppError not_found,
   * sign_in_method_disabled, too.
   */
  begin(methodId: string, token: string, caller: Caller | null, affCode: string): Promise<string>;
  /**
   * Ends a visit without a provider's reply. Returns its invite code. Throws AppError
   * oauth_state_invalid.
   */
  end(visitor: Visitor, state: string | undefined): Promise<{ readonly affCode: string }>;
  /** As {@link end}, for a binding: the user passes the gate before the state is used up. */
  endBinding(visitor: Visitor, state: string | undefined): Promise<void>;
  /**
   * Binds the account of the provider if a user is signed in, and returns null; else signs its user
   * in. Throws AppError oauth_state_invalid, provider_refused, and those of `SignIn` and
   * `Bindings.bind`.
   */
  finish(methodId: string, visitor: Visitor, callback: Callback): Promise<User | null>;
}

export interface ProviderVisitDeps {
  readonly preLogins: PreLogins;
  readonly findMethod: FindMethod;
  readonly signIn: SignIn;
  readonly bindings: Pick<Bindings, 'bind'>;
  readonly gate: Pick<AccountGate, 'enter'>;
  readonly ids: Pick<Ids, 'base64url'>;
}

/** What of a provider's own message is shown, in characters. */
const longestReason = 200;

export function createProviderVisits(deps: ProviderVisitDeps): ProviderVisits {
  const { preLogins, findMethod, signIn, bindings, ids } = deps;
  /** A method that has a page at a provider. */
  const findProvider = (methodId: string) => {
    const { begin } = findMethod(methodId);
    if (begin === undefined) throw new AppError('not_found');
    return begin;
  };

  /**
   * A user who began as a visitor and is signed in now, or the reverse, begins anew: they meant
   * something else.
   */
  const endVisit = async ({ token, caller }: Visitor, state = '') => {
    const visit =
      token === undefined || state === '' ? null : await preLogins.endVisit(token, state);
    if (visit === null || visit.userId !== (caller?.actor.id ?? 0))
      throw new AppError('oauth_state_invalid');
    return visit;
  };

  /** Returns who visits: 0 for a visitor. */
  const enter = async (caller: Caller | null): Promise<number> => {
    if (caller !== null) await deps.gate.enter(caller, 'identity');
    return caller?.actor.id ?? 0;
  };

  return {
    beginPlain: async (token, caller, affCode) =>
      preLogins.beginVisit(token, {
        userId: await enter(caller),
        affCode,
        nonce: '',
        verifier: '',
      }),
    begin: async (methodId, token, caller, affCode) => {
      const begin = findProvider(methodId);
      const nonce = ids.base64url(32);
      const verifier = ids.base64url(32);
      const state = await preLogins.beginVisit(token, {
        userId: await enter(caller),
        affCode,
        nonce,
        verifier,
      });
      return begin({
        state,
        nonce,
        challenge: createHash('sha256').update(verifier).digest('base64url'),
      });
    },
    end: endVisit,
    endBinding: async (visitor, state) => {
      await enter(visitor.caller);
      await endVisit(visitor, state);
    },
    finish: async (
      methodId,
      visitor,
      { code = '', state, error = '', error_description: description = '' },
    ) => {
      // Before the state is used up, so that the call can be made again with a proof.
      await enter(visitor.caller);
      const { nonce, verifier, affCode } = await endVisit(visitor, state);
      findProvider(methodId);
      if (error !== '')
        throw new AppError('provider_refused', {
          reason: (description || error).slice(0, longestReason),
        });
      const input = { code, nonce, verifier };
      if (visitor.caller === null) return signIn(methodId, input, affCode);
      await bindings.bind(visitor.caller, methodId, input);
      return null;
    },
  };
}
