/** The rules of the root user's name and password in the setup (docs/rules/console.md#setup-screen). */

import { credentialRules } from '../../../core/contract/user.ts';
import { userFields } from '../../../core/entities/user.ts';
import { issuesOf } from '../../form/check-with.ts';
import type { Translate } from '../../i18n/index.ts';

export interface RootValues {
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
export function checkRoot(
  { username, password, confirmPassword }: RootValues,
  t: Translate,
): Partial<Record<keyof RootValues, string>> {
  const issues = issuesOf(credentialRules, { username, password });
  const isShort = passwordLength(password) < passwordBounds.min;
  return {
    ...(issues['username'] !== undefined && {
      username: username.trim() === '' ? t('setup.site.usernameMissing') : t('setup.site.usernameInvalid', nameBounds),
    }),
    ...(issues['password'] !== undefined && {
      password: t(isShort ? 'setup.site.passwordShort' : 'setup.site.passwordLong', passwordBounds),
    }),
    ...(confirmPassword !== password && { confirmPassword: t('setup.site.passwordsDiffer') }),
  };
}
