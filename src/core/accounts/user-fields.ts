import { createInputReader } from '../entities/convert.ts';
import type { Written } from '../entities/field.ts';
import { createFieldCheck } from '../entities/limits.ts';
import { userFields } from '../entities/user.ts';

type UserFields = typeof userFields;
type Required = 'username' | 'password';

/** The fields that an administrator gives to a new user. Quota is an integer. */
export type NewUserFields = Pick<Written<UserFields, 'create'>, Required> &
  Partial<Omit<Written<UserFields, 'create'>, Required>>;
/** What an administrator changes. An empty user name, password or group means unchanged. */
export type UserFieldEdits = Partial<Written<UserFields, 'edit'>>;
/** What users change of their own account. Empty texts mean unchanged. */
export type ProfileEdits = Partial<Written<UserFields, 'own'>>;

/** These convert from the field names of the API. */
export const readNewUser = createInputReader(userFields, 'create');
export const readUserEdits = createInputReader(userFields, 'edit');
export const readProfileEdits = createInputReader(userFields, 'own');

/**
 * These check and normalise the fields that are present (docs/rules/accounts.md#user-names and
 * #passwords). They throw AppError username_invalid, password_invalid, name_too_long,
 * invalid_parameter. With the stored user, the checks of edits return only what changes; other
 * values may break the rules.
 */
export const checkNewUser = createFieldCheck(userFields, 'create');
export const checkUserEdits = createFieldCheck(userFields, 'edit');
export const checkProfileEdits = createFieldCheck(userFields, 'own');
