/**
 * The token form's values, their rules, and the fields of a call they become
 * (docs/rules/console.md#token-form).
 */
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { mostTokensAtOnce, tokenRules } from '../../../core/contract/token.ts';
import { initialInput, inputOf } from '../../../core/entities/convert.ts';
import type { WireInput } from '../../../core/entities/field.ts';
import { tokenFields } from '../../../core/entities/token.ts';
import type { ErrorCode } from '../../../core/kernel/errors.ts';
import { issuesOf } from '../../form/check-with.ts';
import type { FieldErrors } from '../../form/fields.ts';
import type { TextKey } from '../../i18n/index.ts';
import { commaList } from './comma-list.ts';

/** The fields of a call, and how many tokens are created. A time that is no time is NaN. */
export interface TokenValues
  extends Omit<WireInput<typeof tokenFields>, 'remain_quota' | 'model_limits'> {
  readonly remain_quota: number | '';
  readonly model_limits: readonly string[];
  readonly count: number | '';
}

export const newToken = formValues(initialInput(tokenFields));

export function tokenValues(token: TokenEntity): TokenValues {
  return formValues(inputOf(tokenFields, token));
}

function formValues(input: WireInput<typeof tokenFields>): TokenValues {
  return { ...input, model_limits: commaList(input.model_limits), count: 1 };
}

/** The words for what the contract's rules refuse. */
const ruleTexts = {
  name_required: 'token.form.error.name',
  name_too_long: 'token.form.error.nameLong',
  expiry_invalid: 'token.form.error.expires',
  token_quota_invalid: 'token.form.error.quota',
} as const satisfies Partial<Record<ErrorCode, TextKey>>;

/** What is wrong, by field, as keys of texts. */
export function checkToken(
  values: TokenValues,
): Readonly<Partial<Record<keyof TokenValues, TextKey>>> {
  const { name, expired_time, count, model_limits_enabled, model_limits } = values;
  const remain_quota = values.unlimited_quota ? 0 : values.remain_quota;
  const issues = Object.entries(issuesOf(tokenRules, { name, expired_time, remain_quota }));
  const isCount =
    typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= mostTokensAtOnce;
  return {
    ...Object.fromEntries(
      issues.map(([field, code]) => [field, ruleTexts[code as keyof typeof ruleTexts]]),
    ),
    ...(isCount ? {} : { count: 'token.form.error.count' }),
    ...(model_limits_enabled && model_limits.length === 0
      ? { model_limits: 'token.form.models.missing' }
      : {}),
  };
}

/** The field that a refusal of the server is about, by error code. */
export const fieldOfCode: Partial<Record<ErrorCode, keyof FieldErrors<TokenValues>>> = {
  name_required: 'name',
  name_too_long: 'name',
  expiry_invalid: 'expired_time',
  token_quota_invalid: 'remain_quota',
  allow_ips_invalid: 'allow_ips',
  group_not_allowed: 'group',
  too_many_tokens: 'count',
};

/** The fields of a call. Call it with values that {@link checkToken} accepts. */
export function tokenInput({ count: _, ...values }: TokenValues) {
  return {
    ...values,
    name: values.name.trim(),
    remain_quota: typeof values.remain_quota === 'number' ? values.remain_quota : 0,
    model_limits: values.model_limits.join(','),
    allow_ips: values.allow_ips.trim(),
  };
}

/** Only these fields of a call; those that are not part of one are left out. */
export function changedInput(
  values: TokenValues,
  changed: readonly string[],
): Partial<ReturnType<typeof tokenInput>> {
  return Object.fromEntries(
    Object.entries(tokenInput(values)).filter(([field]) => changed.includes(field)),
  );
}
