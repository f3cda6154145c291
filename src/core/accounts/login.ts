import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { Secret } from '../kernel/secret.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage, User } from '../storage/storage.ts';
import { userStatuses } from '../vocabulary/statuses.ts';
import type { LoginGuard } from './login-guard.ts';
import { hashPassword, verifyNothing, verifyPassword } from './password.ts';

export interface LoginDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly guard: LoginGuard;
  readonly ids: Ids;
}

export type SignIn = (name: string, password: string) => Promise<User>;

/**
 * Sign-in by password; the name may be a user name, a verified e-mail address or a phone number, looked up in this order
 * (spec, accounts-and-payments 4). Throws AppError password_login_disabled, invalid_parameter, account_locked, and
 * wrong_credentials for every other failure alike: unknown name, wrong password, banned, deactivated.
 */
export function bindSignIn({ storage, options, guard, ids }: LoginDeps): SignIn {
  const findUser = async (name: string): Promise<User | null> =>
    (await storage.users.findByUsername(name)) ??
    (name.includes('@') ? await storage.users.findByVerifiedEmail(name) : null) ??
    (/^\+?\d{6,15}$/.test(name) ? await storage.users.findByPhone(/^1\d{10}$/.test(name) ? `+86${name}` : name) : null);

  return async (name, password) => {
    if (!options.get('PasswordLoginEnabled')) throw new AppError('password_login_disabled');
    const trimmed = name.trim();
    if (trimmed === '' || password === '')
      throw new AppError('invalid_parameter', { field: trimmed === '' ? 'username' : 'password' });
    const user = await findUser(trimmed);
    const account = user === null ? `name:${trimmed.toLowerCase().slice(0, 64)}` : `user:${user.id}`;
    await guard.begin(account);
    const hash = user?.passwordHash.reveal() ?? '';
    if (user === null || hash === '') {
      await verifyNothing(password);
      throw new AppError('wrong_credentials');
    }
    const check = await verifyPassword(password, hash);
    if (!check.matches) throw new AppError('wrong_credentials');
    await guard.succeed(account);
    if (user.status !== userStatuses.active || user.deletedAt !== null) throw new AppError('wrong_credentials');
    if (check.outdated) await storage.users.update(user.id, { passwordHash: new Secret(await hashPassword(password, ids)) });
    return user;
  };
}
