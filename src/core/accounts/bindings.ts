import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Storage, UserIdentity } from '../storage/storage.ts';
import type { EmailVerification } from './email-verification.ts';
import type { AccountGate } from './gate/account-gate.ts';
import { type Caller, originOf } from './gate/caller.ts';
import type { FindMethod } from './sign-in/find-method.ts';
import { lockUser, type RemoveMethod } from './sign-in/remaining-method.ts';
import type { SignInMethod } from './sign-in/sign-in-method.ts';

/**
 * What users bind to their own account (docs/rules/accounts.md#bindings). Changes throw what {@link
 * AccountGate.enter} throws, too.
 */
export interface Bindings {
  /** Oldest first. */
  list(userId: number): Promise<readonly BoundIdentity[]>;
  /**
   * Binds the account that a method proves, in place of another one of the same provider. Throws
   * AppError identity_taken if it belongs to another user, also a deactivated one, and what {@link
   * FindMethod} and the method throw.
   */
  bind(caller: Caller, methodId: string, input: Readonly<Record<string, string>>): Promise<void>;
  /**
   * Throws AppError not_found if there is none, and last_sign_in_method if the user could not sign
   * in any more.
   */
  unbind(caller: Caller, methodId: string): Promise<void>;
  /** Throws AppError email_taken, and those of `EmailVerification.check`. */
  bindEmail(caller: Caller, email: string, code: string): Promise<void>;
}

export interface BoundIdentity extends Pick<UserIdentity, 'subject' | 'createdAt'> {
  /** The method by which it signs in. */
  readonly method: string;
}

export interface BindingDeps {
  readonly storage: Pick<Storage, 'userIdentities'>;
  readonly methods: readonly SignInMethod[];
  readonly findMethod: FindMethod;
  readonly removeMethod: RemoveMethod;
  readonly verification: Pick<EmailVerification, 'check'>;
  readonly gate: AccountGate;
  readonly clock: Clock;
}

export function createBindings(deps: BindingDeps): Bindings {
  const { storage, methods, findMethod, gate, clock } = deps;

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
    bind: async (caller, methodId, input) => {
      const { id } = caller.actor;
      const method = findMethod(methodId);
      const passage = await gate.enter(caller, 'identity');
      const proof = await method.complete(input);
      if ('user' in proof) throw new AppError('not_found');
      const { provider, subject } = proof.identity;
      const held = await storage.userIdentities.listByUsers([id]);
      const former = held.find((one) => one.provider === provider)?.subject ?? '';
      if (former === subject) return;
      const apply = async (inside: Storage): Promise<void> => {
        if ((await inside.userIdentities.findUserId(provider, subject)) !== null)
          throw new AppError('conflict', { field: 'subject' });
        await lockUser(inside, id);
        await inside.userIdentities.delete(id, provider);
        await inside.userIdentities.insert({
          userId: id,
          provider,
          subject,
          createdAt: nowSeconds(clock),
        });
      };
      const label = method.label ?? provider;
      const change = {
        userId: id,
        action: 'user.bind',
        detail: { method: methodId },
        provider: label,
        apply,
      } as const;
      try {
        await gate.change(passage, { ...change, undo: { provider, subject, former } });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        throw new AppError('identity_taken', { provider: label }, { cause: error });
      }
    },
    unbind: async (caller, methodId) => {
      const { id } = caller.actor;
      const method = methods.find((one) => one.id === methodId);
      const provider = method?.provider;
      if (provider === undefined) throw new AppError('not_found');
      const passage = await gate.enter(caller, 'identity');
      const apply = (inside: Storage) =>
        deps.removeMethod(inside, id, async () => {
          if (!(await inside.userIdentities.delete(id, provider))) throw new AppError('not_found');
        });
      const named = { provider: method?.label ?? provider, removed: true };
      await gate.change(passage, {
        userId: id,
        action: 'user.unbind',
        detail: { method: methodId },
        ...named,
        apply,
      });
    },
    bindEmail: async (caller, email, code) => {
      const { id } = caller.actor;
      const passage = await gate.enter(caller, 'email');
      const { address, consume } = await deps.verification.check(email, code, originOf(caller));
      const apply = async (inside: Storage): Promise<void> => {
        await consume(inside);
        await inside.users.update(id, { email: address, emailVerified: true });
      };
      try {
        await gate.change(passage, {
          userId: id,
          action: 'user.bind',
          detail: { method: 'email' },
          apply,
        });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
        throw new AppError('email_taken', { field: 'email' }, { cause: error });
      }
    },
  };
}
