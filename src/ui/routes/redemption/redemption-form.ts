/**
 * The values of the form for codes, their rules, and the fields of a call they become
 * (docs/rules/payments.md#redemption-codes).
 */
import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import {
  mostRedemptions,
  newRedemptionRules,
  redemptionEditRules,
} from '../../../core/contract/redemption.ts';
import { initialInput, inputOf } from '../../../core/entities/convert.ts';
import type { WireInput } from '../../../core/entities/field.ts';
import { redemptionFields } from '../../../core/entities/redemption.ts';
import { maxAmount } from '../../../core/kernel/quota.ts';
import { issuesOf } from '../../form/check-with.ts';
import type { FieldErrors } from '../../form/fields.ts';

/**
 * The fields of a call, and how many codes are created. `expired_time` is −1 for never, as date
 * fields have it.
 */
export interface RedemptionValues extends Omit<WireInput<typeof redemptionFields>, 'quota'> {
  readonly quota: number | '';
  readonly count: number | '';
}

const { never } = redemptionFields.expired_time;
const neverInForm = -1;

function formValues(input: WireInput<typeof redemptionFields>): RedemptionValues {
  return {
    ...input,
    expired_time: input.expired_time === never ? neverInForm : input.expired_time,
    count: 1,
  };
}

export const newRedemption = formValues(initialInput(redemptionFields));
export const redemptionValues = (code: RedemptionEntity) =>
  formValues(inputOf(redemptionFields, code));

const ruleTexts = {
  code_name_invalid: 'redemption.form.error.name',
  code_quota_invalid: 'redemption.form.error.quota',
  code_count_invalid: 'redemption.form.error.count',
} as const;
export const ruleLimits = {
  name: redemptionFields.name.limits.max,
  quota: maxAmount,
  count: mostRedemptions,
};

type ErrorText = (typeof ruleTexts)[keyof typeof ruleTexts] | 'redemption.form.error.expires';

/** What is wrong, by field, as keys of texts. `now` in Unix seconds. */
export function checkRedemption(
  values: RedemptionValues,
  before: RedemptionValues,
  creating: boolean,
  now: number,
): Readonly<Partial<Record<keyof RedemptionValues, ErrorText>>> {
  const issues = issuesOf(creating ? newRedemptionRules : redemptionEditRules, {
    ...values,
    name: values.name.trim(),
  });
  const { expired_time: expires } = values;
  const isTime =
    expires === neverInForm || expires > now || (!creating && expires === before.expired_time);
  return {
    ...Object.fromEntries(
      Object.entries(issues).map(([field, code]) => [
        field,
        ruleTexts[code as keyof typeof ruleTexts],
      ]),
    ),
    ...(isTime ? {} : { expired_time: 'redemption.form.error.expires' }),
  };
}

/** The field that a refusal of the server is about, by error code. */
export const fieldOfCode: Readonly<
  Record<string, keyof FieldErrors<RedemptionValues> | undefined>
> = {
  code_name_invalid: 'name',
  code_quota_invalid: 'quota',
  code_count_invalid: 'count',
  expiry_invalid: 'expired_time',
};

/** The fields of a call. Call it with values that {@link checkRedemption} accepts. */
export function redemptionInput({ count: _, ...values }: RedemptionValues) {
  return {
    name: values.name.trim(),
    quota: Number(values.quota),
    expired_time: values.expired_time === neverInForm ? never : values.expired_time,
  };
}

/** Only these fields of a call. */
export function changedInput(
  values: RedemptionValues,
  changed: readonly string[],
): Partial<ReturnType<typeof redemptionInput>> {
  return Object.fromEntries(
    Object.entries(redemptionInput(values)).filter(([field]) => changed.includes(field)),
  );
}
