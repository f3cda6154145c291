/**
 * The channel form: its values, the rules, and the fields of a call they become
 * (docs/rules/console.md#channel-form).
 */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import type { CallError } from '../../../core/contract/envelope.ts';
import { channelFields } from '../../../core/entities/channel.ts';
import { initialInput, inputOf, isWritable } from '../../../core/entities/convert.ts';
import type { Field, WireInput } from '../../../core/entities/field.ts';
import { findProblem } from '../../../core/entities/limits.ts';
import type { ErrorCode } from '../../../core/kernel/errors.ts';
import { channelTypes } from '../../../core/vocabulary/channel-types.ts';
import type { FieldErrors } from '../../form/fields.ts';
import { isJsonObject } from '../../form/json-text.ts';
import type { TextKey } from '../../i18n/index.ts';
import type { ChannelTypeFacts } from '../../queries/use-channel-types.ts';
import { listOf } from './list-of.ts';

type Input = WireInput<typeof channelFields>;
/** A field that is a number and may be empty in the form. */
type NumberName = 'priority' | 'weight' | 'max_input_tokens';

/** The fields of a call. The key is empty on edit: the stored one stays. */
export interface ChannelValues
  extends Omit<Input, NumberName | 'models' | 'group' | 'auto_ban'>,
    Readonly<Record<NumberName, number | ''>> {
  readonly models: readonly string[];
  readonly group: readonly string[];
  readonly auto_ban: boolean;
}

export const newChannel = formValues({
  ...initialInput(channelFields),
  type: channelTypes[0].type,
});

export function channelValues(channel: ChannelEntity): ChannelValues {
  return formValues(inputOf(channelFields, channel));
}

function formValues({ models, group, auto_ban, ...same }: Input): ChannelValues {
  return { ...same, models: listOf(models), group: listOf(group), auto_ban: auto_ban === 1 };
}

/** What a type cannot do without. */
export interface TypeNeeds {
  readonly key: boolean;
  readonly baseUrl: boolean;
  readonly other: boolean;
}

/** What is wrong, by field, as keys of texts. */
export function checkChannel(
  values: ChannelValues,
  creating: boolean,
  needs: TypeNeeds,
): Readonly<Partial<Record<keyof ChannelValues, TextKey>>> {
  const problems: Partial<Record<keyof ChannelValues, TextKey>> = {};
  for (const [name, field] of Object.entries<Field>(channelFields)) {
    const problem = isWritable(field)
      ? problemOf(field, values[name as keyof ChannelValues])
      : undefined;
    if (problem !== undefined) problems[name as keyof ChannelValues] = problem;
  }
  if (values.name.trim() === '') problems.name = 'channel.form.error.nameAndKey';
  if (creating && needs.key && values.key.trim() === '')
    problems.key = 'channel.form.error.nameAndKey';
  if (needs.baseUrl && values.base_url.trim() === '')
    problems.base_url = 'channel.form.baseUrl.required';
  if (values.models.length === 0) problems.models = 'channel.form.error.models';
  if (values.group.length === 0) problems.group = 'channel.form.error.groups';
  if (problems.model_mapping !== undefined) problems.model_mapping = 'channel.form.error.mapping';
  if (needs.other && values.other.trim() === '') problems.other = 'channel.form.error.other';
  return problems;
}

/** The problems that follow from what a field is. */
function problemOf(field: Field, value: unknown): TextKey | undefined {
  if (field.kind === 'json') return isJsonObject(String(value)) ? undefined : 'common.json.object';
  if (field.kind !== 'integer') return undefined;
  if (field.limits === undefined) return Number.isSafeInteger(value) ? undefined : 'common.integer';
  return findProblem(field, value) === undefined ? undefined : 'common.nonNegative';
}

const fieldOfCode: Partial<Record<ErrorCode, keyof ChannelValues>> = {
  channel_base_url_required: 'base_url',
  channel_region_required: 'other',
  channel_other_required: 'other',
  channel_other_invalid: 'other',
  channel_key_required_again: 'key',
  channel_models_required: 'models',
  channel_name_and_key_required: 'key',
  invalid_channel_key: 'key',
  model_name_too_long: 'models',
  model_mapping_cycle: 'model_mapping',
};

/**
 * Where a refusal of the server belongs, `setting.header_override.X-Title`; undefined: it is about
 * no field of the form.
 */
export function placeOfRefusal({
  code,
  field = '',
}: CallError): (keyof FieldErrors<ChannelValues> & string) | undefined {
  const [name = ''] = field.split('.');
  if (name in newChannel) return field as keyof FieldErrors<ChannelValues> & string;
  return code === undefined ? undefined : fieldOfCode[code];
}

/** The fields of a call. Call it with values that {@link checkChannel} accepts. */
export function channelInput(values: ChannelValues) {
  const { models, group, auto_ban, priority, weight, max_input_tokens, ...texts } = values;
  return {
    ...texts,
    name: values.name.trim(),
    key: values.key.trim(),
    base_url: values.base_url.trim().replace(/\/+$/, ''),
    tag: values.tag.trim(),
    models: models.join(','),
    group: group.join(','),
    priority: Number(priority),
    weight: Number(weight),
    max_input_tokens: Number(max_input_tokens),
    auto_ban: auto_ban ? 1 : 0,
  };
}

/**
 * Whether the address ends in /v1 and the type writes paths of its own behind it, which then lead
 * nowhere (docs/rules/console.md#channel-form). `facts` undefined: the type is not known yet.
 */
export function endsInVersion(
  baseUrl: string,
  facts: Pick<ChannelTypeFacts, 'complete_url' | 'takes_v1'> | undefined,
): boolean {
  if (facts === undefined || facts.complete_url || facts.takes_v1) return false;
  return /\/v1\/?$/.test(baseUrl.trim());
}
