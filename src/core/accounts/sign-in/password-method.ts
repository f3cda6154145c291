import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { toE164 } from '../../kernel/phone-number.ts';
import type { Storage, User } from '../../storage/storage.ts';
import { checkHashingRoom, hashPassword, verifyNothing, verifyPassword } from '../password.ts';
import { type LoginGuard, passwordOf } from './login-guard.ts';
import type { SignInMethod } from './sign-in-method.ts';

export interface PasswordMethodDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly guard: LoginGuard;
  readonly ids: Ids;
}

/**
 * Sign-in by password. `username` is a user name, a verified e-mail address or a phone number,
 * looked up in this order (docs/rules/accounts.md#password-login). `ip` and `device` say where it
 * comes from. `complete` throws AppError invalid_parameter, account_locked, sign_in_busy, and
 * wrong_credentials for an unknown name and a wrong password alike.
 */
export function createPasswordMethod({ storage, guard, ids }: PasswordMethodDeps): SignInMethod {
  const findUser = async (name: string): Promise<User | null> => {
    const phone = toE164(name);
    return (
      (await storage.users.findByUsername(name)) ??
      (name.includes('@') ? await storage.users.findByVerifiedEmail(name) : null) ??
      (phone === undefined ? null : await storage.users.findByPhone(phone))
    );
  };

  return {
    id: 'password',
    isEnabled: (options) => options.get('PasswordLoginEnabled'),
    isOpenTo: ({ passwordHash }) => passwordHash.reveal() !== '',
    complete: async ({ username = '', password = '', ip = '', device = '' }) => {
      const name = username.trim();
      if (name === '' || password === '')
        throw new AppError('invalid_parameter', { field: name === '' ? 'username' : 'password' });
      const user = await findUser(name);
      const unknown = {
        kind: 'password',
        name: `name:${name.toLowerCase().slice(0, 64)}`,
      } as const;
      // Before the attempt is counted: one that is not checked does not count.
      checkHashingRoom();
      const attempt = await guard.begin(user === null ? unknown : passwordOf(user), { ip, device });
      const hash = user?.passwordHash.reveal() ?? '';
      if (user === null || hash === '') {
        await verifyNothing(password);
        throw new AppError('wrong_credentials');
      }
      const check = await verifyPassword(password, hash);
      if (!check.matches) throw new AppError('wrong_credentials');
      await attempt.succeed();
      if (!check.outdated) return { user };
      const renewed = await hashPassword(password, ids);
      const isRenewed = await storage.users.replacePassword(user.id, user.passwordHash, renewed);
      return { user: isRenewed ? { ...user, passwordHash: renewed } : user };
    },
  };
}
