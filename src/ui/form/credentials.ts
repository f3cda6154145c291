/** The rules of the name and password that somebody chooses for a new account (docs/rules/accounts.md#user-names). */

import { findProblem } from '../../core/entities/limits.ts';
import { userFields } from '../../core/entities/user.ts';
import type { Translate } from '../i18n/index.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly confirmPassword: string;
}

const { username: name, password: secret } = userFields;
/** Bounds for texts. */
export const nameBounds = { max: name.limits.max };
export const passwordBounds = { min: secret.limits.min, max: secret.limits.maxBytes };

/** Counts characters as the server does. */
export const passwordLength = (password: string): number => [...password].length;

/** What is wrong, by field. */
export function checkCredentials(
  { username, ...passwords }: Credentials,
  t: Translate,
): Partial<Record<keyof Credentials, string>> {
  return {
    ...(findProblem(name, username) !== undefined && {
      username: username.trim() === '' ? t('credentials.usernameMissing') : t('credentials.usernameInvalid', nameBounds),
    }),
    ...checkPasswords(passwords, t),
  };
}

/** The same of a new password alone. */
export function checkPasswords(
  { password, confirmPassword }: Omit<Credentials, 'username'>,
  t: Translate,
): Partial<Record<'password' | 'confirmPassword', string>> {
  const isShort = passwordLength(password) < passwordBounds.min;
  return {
    ...(findProblem(secret, password) !== undefined && {
      password: t(isShort ? 'credentials.passwordShort' : 'credentials.passwordLong', passwordBounds),
    }),
    ...(confirmPassword !== password && { confirmPassword: t('credentials.passwordsDiffer') }),
  };
}
