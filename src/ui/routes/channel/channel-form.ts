/** The channel form: its values, the rules, and the fields of a call they become (docs/rules/console.md#channel-form). */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelFields } from '../../../core/entities/channel.ts';
import { initialInput, inputOf, isWritable } from '../../../core/entities/convert.ts';
import type { Field, WireInput } from '../../../core/entities/field.ts';
import { findProblem } from '../../../core/entities/limits.ts';
import { isObject, parseJson } from '../../../core/kernel/json.ts';
import { channelTypes } from '../../../core/vocabulary/channel-types.ts';

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

export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export function newChannelValues(): ChannelValues {
  return formValues({ ...initialInput(channelFields), type: channelTypes[0].type });
}

export function channelValues(channel: ChannelEntity): ChannelValues {
  return formValues(inputOf(channelFields, channel));
}

function formValues({ models, group, auto_ban, ...same }: Input): ChannelValues {
  return { ...same, models: listOf(models), group: listOf(group), auto_ban: auto_ban === 1 };
}

export type ChannelProblem =
  | 'nameAndKey'
  | 'models'
  | 'groups'
  | 'mapping'
  | 'json'
  | 'integer'
  | 'nonNegative'
  | 'other'
  | 'baseUrl';

/** What a type cannot do without. */
export interface TypeNeeds {
  readonly key: boolean;
  readonly baseUrl: boolean;
  readonly other: boolean;
}

const holdsObject = (text: string) => text.trim() === '' || isObject(parseJson(text));

/** What is wrong, by field. */
export function checkChannel(
  values: ChannelValues,
  creating: boolean,
  needs: TypeNeeds,
): Partial<Record<keyof ChannelValues, ChannelProblem>> {
  const problems: Partial<Record<keyof ChannelValues, ChannelProblem>> = {};
  if (values.name.trim() === '') problems.name = 'nameAndKey';
  if (creating && needs.key && values.key.trim() === '') problems.key = 'nameAndKey';
  if (needs.baseUrl && values.base_url.trim() === '') problems.base_url = 'baseUrl';
  if (values.models.length === 0) problems.models = 'models';
  if (values.group.length === 0) problems.group = 'groups';
  for (const [name, field] of Object.entries<Field>(channelFields)) {
    const problem = isWritable(field) ? problemOf(field, values[name as keyof ChannelValues]) : undefined;
    if (problem !== undefined) problems[name as keyof ChannelValues] = problem;
  }
  if (!holdsObject(values.model_mapping)) problems.model_mapping = 'mapping';
  if (needs.other && values.other.trim() === '') problems.other = 'other';
  return problems;
}

/** The problems that follow from what a field is. */
function problemOf(field: Field, value: unknown): ChannelProblem | undefined {
  if (field.kind === 'json') return holdsObject(String(value)) ? undefined : 'json';
  if (field.kind !== 'integer') return undefined;
  if (field.limits === undefined) return Number.isSafeInteger(value) ? undefined : 'integer';
  return findProblem(field, value) === undefined ? undefined : 'nonNegative';
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

/** An address ending in /v1 is nearly always a mistake: the gateway adds it (docs/rules/console.md#channel-form). */
export function endsInVersion(baseUrl: string, completeUrl: boolean): boolean {
  return !completeUrl && /\/v1\/?$/.test(baseUrl.trim());
}
