import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Storage, User } from '../../storage/storage.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import type { Identity, SignInMethod } from './sign-in-method.ts';

export interface SignInDeps {
  readonly storage: Pick<Storage, 'users' | 'userIdentities'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly methods: readonly SignInMethod[];
}

/**
 * Signs a user in by one of the registered methods. Throws what the method throws, AppError password_login_disabled,
 * phone_login_disabled or not_found for a method that is off, and wrong_credentials for an account that is unknown, banned or deactivated.
 */
export type SignIn = (methodId: string, input: Readonly<Record<string, string>>) => Promise<User>;

/** The error of a disabled method. Methods without an entry are reported as not_found. */
const disabledErrors: Readonly<Record<string, ErrorCode>> = {
  password: 'password_login_disabled',
  phone: 'phone_login_disabled',
};

export function createSignIn({ storage, options, methods }: SignInDeps): SignIn {
  const findByIdentity = async ({ provider, subject }: Identity): Promise<User | null> => {
    const id = await storage.userIdentities.findUserId(provider, subject);
    return id === null ? null : storage.users.find(id);
  };

  return async (methodId, input) => {
    const method = methods.find(({ id }) => id === methodId);
    if (method === undefined || !method.isEnabled(options)) throw new AppError(disabledErrors[methodId] ?? 'not_found');
    const proof = await method.complete(input);
    const user = 'user' in proof ? proof.user : await findByIdentity(proof.identity);
    if (user === null || user.status !== userStatuses.active || user.deletedAt !== null) throw new AppError('wrong_credentials');
    return user;
  };
}
