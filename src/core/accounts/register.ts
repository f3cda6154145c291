import { userFields } from '../entities/user.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { CreateAccount } from './create-account.ts';
import type { EmailVerification } from './email-verification.ts';
import { hashPassword } from './password.ts';
import { checkNewUser } from './user-fields.ts';

export interface Registration {
  readonly username: string;
  readonly password: string;
  /** The repeated password, if the form has that field. */
  readonly password2?: string;
  readonly affCode?: string;
  /** Both are required, and stored, while EmailVerificationEnabled is on. */
  readonly email?: string;
  readonly code?: string;
  /** The client's address; absent: none. */
  readonly ip?: string;
}

export interface RegisterDeps {
  readonly verification: Pick<EmailVerification, 'check'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly createAccount: CreateAccount;
  readonly ids: Ids;
  /** Creates the first token of a new account (GENERATE_DEFAULT_TOKEN). */
  readonly createFirstToken: (userId: number, username: string) => Promise<void>;
}

export type Register = (registration: Registration) => Promise<number>;

/**
 * Registration by password (docs/rules/accounts.md#registration). Returns the new id. Throws
 * AppError registration_disabled, username_invalid, password_invalid, passwords_differ,
 * username_taken, email_taken, and those of `EmailVerification.check`.
 */
export function bindRegister({
  options,
  verification,
  createAccount,
  ids,
  createFirstToken,
}: RegisterDeps): Register {
  return async ({ username, password, password2, affCode, email = '', code = '', ip = '' }) => {
    const open =
      options.get('RegisterEnabled') &&
      options.get('PasswordRegisterEnabled') &&
      !options.get('SelfUseModeEnabled');
    if (!open) throw new AppError('registration_disabled');
    const checked = checkNewUser({ username, password });
    if (password2 !== undefined && password2 !== password) throw new AppError('passwords_differ');
    const verified = options.get('EmailVerificationEnabled')
      ? await verification.check(email, code, { ip })
      : undefined;
    const id = await createAccount({
      username: checked.username,
      passwordHash: await hashPassword(password, ids),
      role: userFields.role.default,
      displayName: checked.username,
      group: userFields.group.default,
      affCode,
      ...(verified && {
        email: verified.address,
        emailVerified: true,
        alongside: verified.consume,
      }),
    });
    await createFirstToken(id, checked.username);
    return id;
  };
}
