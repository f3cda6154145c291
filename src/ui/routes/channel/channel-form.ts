/** The channel form: its values, the rules, and how they travel (docs/rules/console.md#channel-form). */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { isObject, parseJson } from '../../../core/kernel/json.ts';
import { channelTypes } from '../../../core/vocabulary/channel-types.ts';

export interface ChannelValues {
  readonly type: number;
  readonly name: string;
  /** Empty on edit: the stored one stays. */
  readonly key: string;
  readonly base_url: string;
  readonly models: readonly string[];
  readonly group: readonly string[];
  readonly priority: number | '';
  readonly weight: number | '';
  readonly model_mapping: string;
  readonly auto_ban: boolean;
  readonly tag: string;
  readonly test_model: string;
  readonly other: string;
  readonly openai_organization: string;
  readonly max_input_tokens: number | '';
  readonly status_code_mapping: string;
  readonly setting: string;
  readonly param_override: string;
}

export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export function newChannelValues(): ChannelValues {
  return {
    type: channelTypes[0].type,
    name: '',
    key: '',
    base_url: '',
    models: [],
    group: ['default'],
    priority: 0,
    weight: 0,
    model_mapping: '',
    auto_ban: true,
    tag: '',
    test_model: '',
    other: '',
    openai_organization: '',
    max_input_tokens: 0,
    status_code_mapping: '',
    setting: '',
    param_override: '',
  };
}

export function channelValues(channel: ChannelEntity): ChannelValues {
  const { type, name, base_url, priority, weight, model_mapping, tag, test_model, other, openai_organization } = channel;
  const { max_input_tokens, status_code_mapping, setting, param_override } = channel;
  return {
    ...{ type, name, base_url, priority, weight, model_mapping, tag, test_model, other, openai_organization },
    ...{ max_input_tokens, status_code_mapping, setting, param_override },
    key: '',
    models: listOf(channel.models),
    group: listOf(channel.group),
    auto_ban: channel.auto_ban === 1,
  };
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

const isInteger = (value: number | '') => typeof value === 'number' && Number.isSafeInteger(value);
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
  if (!isInteger(values.priority)) problems.priority = 'integer';
  if (!isInteger(values.weight) || Number(values.weight) < 0) problems.weight = 'nonNegative';
  if (!isInteger(values.max_input_tokens) || Number(values.max_input_tokens) < 0) problems.max_input_tokens = 'nonNegative';
  if (!holdsObject(values.model_mapping)) problems.model_mapping = 'mapping';
  for (const field of ['status_code_mapping', 'setting', 'param_override'] as const) {
    if (!holdsObject(values[field])) problems[field] = 'json';
  }
  if (needs.other && values.other.trim() === '') problems.other = 'other';
  return problems;
}

/** The fields as they travel. Call it with values that {@link checkChannel} accepts. */
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
