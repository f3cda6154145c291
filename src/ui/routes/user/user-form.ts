/**
 * The values of the form for users, their rules, and the fields of a call they become
 * (docs/rules/accounts.md#user-administration).
 */
import type { UserEntity } from '../../../core/contract/entities.ts';
import type { CallError } from '../../../core/contract/envelope.ts';
import { newUserRules, userEditRules } from '../../../core/contract/user.ts';
import { initialInput, inputOf } from '../../../core/entities/convert.ts';
import type { WireInput } from '../../../core/entities/field.ts';
import { userFields } from '../../../core/entities/user.ts';
import type { ErrorCode } from '../../../core/kernel/errors.ts';
import { maxAmount } from '../../../core/kernel/quota.ts';
import { issuesOf } from '../../form/check-with.ts';

type Input = WireInput<typeof userFields, 'edit'>;

/**
 * The fields of a call that edits. A new user has no nickname, and no quota but the site's gift.
 */
export interface UserValues extends Omit<Input, 'quota' | 'role'> {
  readonly quota: number | '';
  /** The number as the options of a select field have it. */
  readonly role: string;
}

const formValues = (input: Input): UserValues => ({ ...input, role: String(input.role) });
export const newUser = formValues({ ...initialInput(userFields), nickname: '' });
export const userValues = (user: UserEntity) => formValues(inputOf(userFields, user, 'edit'));

const { username, password, display_name } = userFields;
/** What the texts of the form say of limits. */
export const userLimits = { name: username.limits.max, password: password.limits.min };
/** What the text of an error names. */
export const limitsOf = (field: string) => ({
  min: password.limits.min,
  max: field === 'username' ? username.limits.max : display_name.limits.max,
  most: field === 'quota' ? maxAmount : password.limits.maxBytes,
});

const ruleTexts = {
  username_invalid: 'user.form.error.username',
  password_invalid: 'user.form.error.password',
  password_too_common: 'user.form.error.common',
  name_too_long: 'user.form.error.tooLong',
} as const;
type ErrorText =
  | (typeof ruleTexts)[keyof typeof ruleTexts]
  | 'user.form.error.empty'
  | 'user.form.error.quota';
type Errors = Readonly<Partial<Record<keyof UserValues, ErrorText>>>;

const isAmount = (value: unknown) =>
  Number.isSafeInteger(value) && Math.abs(Number(value)) <= maxAmount;

/**
 * What is wrong, by field, as keys of texts. A stored value that breaks the rules may stay, as
 * imported names do.
 */
export function checkUser(values: UserValues, before: UserValues, creating: boolean): Errors {
  const issues = Object.entries(
    issuesOf(creating ? newUserRules : userEditRules, { ...values, quota: 0 }),
  )
    .filter(
      ([field]) =>
        creating || values[field as keyof UserValues] !== before[field as keyof UserValues],
    )
    .map(([field, code]) => [field, ruleTexts[code as keyof typeof ruleTexts]]);
  const required = creating ? (['username', 'password'] as const) : (['username'] as const);
  const empty = required
    .filter((field) => values[field].trim() === '')
    .map((field) => [field, 'user.form.error.empty']);
  const quota = creating || isAmount(values.quota) ? [] : [['quota', 'user.form.error.quota']];
  return Object.fromEntries([...issues, ...empty, ...quota]);
}

const fields: Partial<Record<ErrorCode, keyof UserValues>> = {
  username_invalid: 'username',
  username_taken: 'username',
  password_invalid: 'password',
  password_too_common: 'password',
  user_create_forbidden: 'role',
  group_unknown: 'group',
  amount_limit: 'quota',
  balance_limit: 'quota',
};

/** The field that a refusal of the server is about. */
export function fieldOf({ code, field }: CallError): keyof UserValues | undefined {
  if (code === 'name_too_long') return field === 'nickname' ? 'nickname' : 'display_name';
  return code === undefined ? undefined : fields[code];
}

/** The fields of a call that creates. Call it with values that {@link checkUser} accepts. */
export function newUserInput({ quota: _quota, nickname: _nickname, role, ...values }: UserValues) {
  return { ...values, role: Number(role) };
}

/**
 * Only these fields of a call that edits. A quota goes with the one it was changed from
 * (docs/rules/accounts.md#quota-edits).
 */
export function changedInput(values: UserValues, before: UserValues, changed: readonly string[]) {
  const input = Object.fromEntries(
    Object.entries(values).filter(([field]) => changed.includes(field)),
  );
  return {
    ...input,
    ...(changed.includes('quota') && {
      quota: Number(values.quota),
      quota_base: Number(before.quota),
    }),
  };
}
