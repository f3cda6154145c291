import type { Audit } from '../audit/audit-log.ts';
import type { Changes } from '../cluster/changes.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Storage, UserIdentity } from '../storage/storage.ts';
import type { EmailVerification } from './email-verification.ts';
import type { FindMethod } from './sign-in/find-method.ts';
import { lockUser, type RemoveMethod } from './sign-in/remaining-method.ts';
import type { SignInMethod } from './sign-in/sign-in-method.ts';

/** What users bind to their own account (docs/rules/accounts.md#bindings). */
export interface Bindings {
  /** Oldest first. */
  list(userId: number): Promise<readonly BoundIdentity[]>;
  /**
   * Binds the account that a method proves, in place of another one of the same provider. Throws AppError identity_taken if it
   * belongs to another user, also a deactivated one, and what {@link FindMethod} and the method throw.
   */
  bind(actor: Actor, methodId: string, input: Readonly<Record<string, string>>): Promise<void>;
  /** Throws AppError not_found if there is none, and last_sign_in_method if the user could not sign in any more. */
  unbind(actor: Actor, methodId: string): Promise<void>;
  /** Throws AppError email_taken, and those of `EmailVerification.check`. */
  bindEmail(actor: Actor, email: string, code: string): Promise<void>;
}

export interface BoundIdentity extends Pick<UserIdentity, 'subject' | 'createdAt'> {
  /** The method by which it signs in. */
  readonly method: string;
}

export interface BindingDeps {
  readonly storage: Pick<Storage, 'userIdentities' | 'transaction'>;
  readonly methods: readonly SignInMethod[];
  readonly findMethod: FindMethod;
  readonly removeMethod: RemoveMethod;
  readonly verification: Pick<EmailVerification, 'check'>;
  readonly changes: Changes;
  readonly audit: Audit;
  readonly clock: Clock;
}

export function createBindings(deps: BindingDeps): Bindings {
  const { storage, methods, findMethod, changes, audit, clock } = deps;

  const report = async (actor: Actor, action: 'user.bind' | 'user.unbind', method: string): Promise<void> => {
    await changes.announce('user', actor.id);
    await audit.record(actor, action, actor.id, { method });
  };

  return {
    list: async (userId) => {
      const rows = await storage.userIdentities.listByUsers([userId]);
      return rows
        .flatMap(({ provider, subject, createdAt }) => {
          const method = methods.find((one) => one.provider === provider);
          return method === undefined ? [] : [{ method: method.id, subject, createdAt }];
        })
        .sort((a, b) => a.createdAt - b.createdAt);
    },
    bind: async (actor, methodId, input) => {
      const method = findMethod(methodId);
      const proof = await method.complete(input);
      if ('user' in proof) throw new AppError('not_found');
      const { provider, subject } = proof.identity;
      try {
        await storage.transaction(async (inside) => {
          const owner = await inside.userIdentities.findUserId(provider, subject);
          if (owner === actor.id) return;
          if (owner !== null) throw new AppError('conflict', { field: 'subject' });
          await lockUser(inside, actor.id);
          await inside.userIdentities.delete(actor.id, provider);
          await inside.userIdentities.insert({ userId: actor.id, provider, subject, createdAt: nowSeconds(clock) });
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        throw new AppError('identity_taken', { provider: method.label ?? provider }, { cause: error });
      }
      await report(actor, 'user.bind', methodId);
    },
    unbind: async (actor, methodId) => {
      const provider = methods.find(({ id }) => id === methodId)?.provider;
      if (provider === undefined) throw new AppError('not_found');
      await deps.removeMethod(actor.id, async (inside) => {
        if (!(await inside.userIdentities.delete(actor.id, provider))) throw new AppError('not_found');
      });
      await report(actor, 'user.unbind', methodId);
    },
    bindEmail: async (actor, email, code) => {
      const { address, consume } = await deps.verification.check(email, code);
      try {
        await storage.transaction(async (inside) => {
          await consume(inside);
          await inside.users.update(actor.id, { email: address, emailVerified: true });
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        throw new AppError('email_taken', { field: 'email' }, { cause: error });
      }
      await report(actor, 'user.bind', 'email');
    },
  };
}
