/**
 * The rules of the name and password that somebody chooses for a new account
 * (docs/rules/accounts.md#user-names).
 */

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

/** Among the first that are guessed. */
export const isCommonPassword = (password: string): boolean =>
  findProblem(secret, password)?.code === 'password_too_common';

/** What is wrong, by field. */
export function checkCredentials(
  { username, ...passwords }: Credentials,
  t: Translate,
): Partial<Record<keyof Credentials, string>> {
  return {
    ...(findProblem(name, username) !== undefined && {
      username:
        username.trim() === ''
          ? t('credentials.usernameMissing')
          : t('credentials.usernameInvalid', nameBounds),
    }),
    ...checkPasswords(passwords, t),
  };
}

/** The same of a new password alone. */
export function checkPasswords(
  { password, confirmPassword }: Omit<Credentials, 'username'>,
  t: Translate,
): Partial<Record<'password' | 'confirmPassword', string>> {
  const problem = passwordProblem(password, t);
  return {
    ...(problem !== undefined && { password: problem }),
    ...(confirmPassword !== password && { confirmPassword: t('credentials.passwordsDiffer') }),
  };
}

function passwordProblem(password: string, t: Translate): string | undefined {
  if (findProblem(secret, password) === undefined) return undefined;
  if (isCommonPassword(password)) return t('credentials.passwordCommon');
  const isShort = passwordLength(password) < passwordBounds.min;
  return t(isShort ? 'credentials.passwordShort' : 'credentials.passwordLong', passwordBounds);
}
