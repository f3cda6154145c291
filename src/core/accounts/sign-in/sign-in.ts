import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Storage, User } from '../../storage/storage.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import { actorFrom } from '../actor-from.ts';
import type { AccountGate } from '../gate/account-gate.ts';
import type { FindMethod } from './find-method.ts';
import type { Join } from './join.ts';
import type { ProvenIdentity, SignInMethod } from './sign-in-method.ts';

export interface SignInDeps {
  readonly storage: Pick<Storage, 'users' | 'userIdentities'>;
  readonly gate: AccountGate;
  readonly findMethod: FindMethod;
  readonly join: Join;
  readonly clock: Clock;
}

function isActive({ deletedAt, status }: User): boolean {
  return deletedAt === null && status === userStatuses.active;
}

/** Throws AppError user_deactivated, user_banned. */
function requireActive(user: User): void {
  if (isActive(user)) return;
  throw new AppError(user.deletedAt === null ? 'user_banned' : 'user_deactivated');
}

/**
 * Signs a user in by one of the registered methods; an identity that is proved and unknown gets an
 * account (docs/rules/accounts.md#first-sign-in), with the inviter of `affCode`. Throws what {@link
 * FindMethod}, the method and `Join` throw. For an account that is banned or deactivated:
 * user_banned or user_deactivated if an identity was proven, else wrong_credentials.
 */
export type SignIn = (
  methodId: string,
  input: Readonly<Record<string, string>>,
  affCode?: string,
) => Promise<User>;

export function createSignIn({ storage, findMethod, join, gate, clock }: SignInDeps): SignIn {
  const { userIdentities } = storage;

  const findOwner = async (provider: string, subject: string): Promise<User | null> => {
    const id = await userIdentities.findUserId(provider, subject);
    return id === null ? null : storage.users.find(id);
  };

  /**
   * The owner of the identity's earlier form, whose identity is then rewritten
   * (docs/rules/accounts.md#github).
   */
  const findFormerOwner = async (
    method: SignInMethod,
    { identity, formerly }: ProvenIdentity,
  ): Promise<User | null> => {
    if (formerly === undefined) return null;
    const user = await findOwner(identity.provider, formerly.subject);
    if (user === null) return null;
    if (user.email !== '' && !(await formerly.verifiedEmails()).includes(user.email.toLowerCase()))
      throw new AppError('identity_bind_again');
    // Nothing changes where nobody is let in.
    requireActive(user);
    const apply = async (inside: Storage): Promise<void> => {
      if (!(await inside.userIdentities.delete(user.id, identity.provider))) return;
      await inside.userIdentities.insert({
        userId: user.id,
        ...identity,
        createdAt: nowSeconds(clock),
      });
    };
    const caller = { actor: actorFrom(user, ''), proof: 'identity', waysIn: ['identity'] } as const;
    const change = {
      userId: user.id,
      action: 'user.bind',
      detail: { method: method.id },
      provider: method.label ?? method.id,
    } as const;
    await gate.change(await gate.enter(caller, 'identity'), { ...change, apply });
    return user;
  };

  const create = async (
    method: SignInMethod,
    { identity, newcomer }: ProvenIdentity,
    affCode: string,
  ): Promise<User> => {
    const { provider, subject } = identity;
    if (newcomer === undefined)
      throw new AppError('identity_unbound', { provider: method.label ?? provider });
    if (newcomer.refusal !== undefined) throw newcomer.refusal;
    try {
      const from = { affCode, label: method.label ?? provider, identity };
      return await join(newcomer, from, (inside, userId) =>
        inside.userIdentities.insert({ userId, provider, subject, createdAt: nowSeconds(clock) }),
      );
    } catch (error) {
      const isTaken =
        error instanceof AppError && error.code === 'conflict' && error.params.field === 'subject';
      // Somebody signed in by the same identity at the same time.
      const owner = isTaken ? await findOwner(provider, subject) : null;
      if (owner === null) throw error;
      return owner;
    }
  };

  const userOf = async (
    method: SignInMethod,
    proof: ProvenIdentity,
    affCode: string,
  ): Promise<User> =>
    (await findOwner(proof.identity.provider, proof.identity.subject)) ??
    (await findFormerOwner(method, proof)) ??
    (await create(method, proof, affCode));

  return async (methodId, input, affCode = '') => {
    const method = findMethod(methodId);
    const proof = await method.complete(input);
    if ('user' in proof) {
      if (isActive(proof.user)) return proof.user;
      throw new AppError('wrong_credentials');
    }
    const user = await userOf(method, proof, affCode);
    requireActive(user);
    return user;
  };
}
