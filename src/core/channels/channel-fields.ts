import type { KeyFormat, OtherField, Provider } from '../canonical/provider.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import { channelFields } from '../entities/channel.ts';
import { createInputReader } from '../entities/convert.ts';
import type { WritableRow } from '../entities/field.ts';
import { createFieldCheck } from '../entities/limits.ts';
import { AppError } from '../kernel/errors.ts';
import { hasPrototypeEntry, parseObject } from '../kernel/json.ts';
import { splitList } from '../upstream/channel.ts';
import { checkChannelRules } from '../upstream/rules/index.ts';
import { channelTypeInfo } from '../vocabulary/channel-types.ts';

/** The fields that an administrator may write. Absent fields stay unchanged. */
export type ChannelFields = WritableRow<typeof channelFields>;

/** Converts from the field names of the API. */
export const readChannelInput = createInputReader(channelFields);
const checkEach = createFieldCheck(channelFields);

const maxModelBytes = 255;

/**
 * Checks and normalises a channel's fields (docs/rules/channels.md#channel-fields). `type` is the
 * channel's, unless the fields change it. Throws AppError channel_name_and_key_required,
 * name_too_long, channel_models_required, channel_type_unknown, channel_base_url_required,
 * channel_region_required, channel_other_required, model_name_too_long, json_object_required,
 * channel_rule_invalid, model_mapping_cycle, weight_invalid, invalid_parameter.
 */
export function readChannelFields(
  fields: Partial<ChannelFields>,
  type: number,
  providers: ProviderRegistry,
): Partial<ChannelFields> {
  const provider = providers.forType(type);
  if (channelTypeInfo(type) === undefined) throw new AppError('channel_type_unknown', { type });
  const checked = checkEach(fields);
  checkChannelRules(fields);
  checkMappedNames(fields.modelMapping ?? '');
  if (fields.setting) checkTypeSetting(fields.setting, provider);
  const other = readOther(fields.other, provider?.other, fields.type !== undefined);
  return dropAbsent({
    ...checked,
    models: fields.models === undefined ? undefined : readModels(fields.models),
    group: fields.group === undefined ? undefined : readGroups(fields.group),
    baseUrl: fields.baseUrl === undefined ? undefined : readBaseUrl(fields.baseUrl, provider),
    other,
  });
}

/**
 * One channel per key: split at newlines, blanks dropped
 * (docs/rules/channels.md#one-channel-per-key). JSON credentials stay whole.
 */
export function splitKeys(key: string, keyFormat: KeyFormat | undefined): readonly string[] {
  if (keyFormat?.json === true) return key.trim() === '' ? [] : [key.trim()];
  return key
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function readModels(text: string): string {
  const models = splitList(text);
  if (models.length === 0) throw new AppError('channel_models_required');
  const long = models.find((model) => Buffer.byteLength(model) > maxModelBytes);
  if (long !== undefined) throw new AppError('model_name_too_long', { model: long });
  if (models.some(leavesItsPath)) throw new AppError('invalid_parameter', { field: 'models' });
  return models.join(',');
}

/**
 * A name is part of the path at some vendors: a segment of dots would lead to another of their
 * calls.
 */
function leavesItsPath(model: string): boolean {
  return model.split(/[/\\]/).some((segment) => segment === '.' || segment === '..');
}

function checkMappedNames(text: string): void {
  const mapped = Object.values(parseObject(text) ?? {}).find(
    (name) => typeof name === 'string' && leavesItsPath(name),
  );
  if (mapped !== undefined) throw new AppError('invalid_parameter', { field: 'model_mapping' });
}

function readGroups(text: string): string {
  const groups = splitList(text);
  if (groups.length === 0) throw new AppError('invalid_parameter', { field: 'group' });
  return groups.join(',');
}

function readBaseUrl(text: string, provider: Provider | undefined): string {
  const url = text.trim().replace(/\/+$/, '');
  if (url === '') {
    if (provider?.defaultBaseUrl === null) throw new AppError('channel_base_url_required');
    return '';
  }
  if (provider?.planNames?.includes(url)) return url;
  if (!isAddress(url))
    throw new AppError('invalid_parameter', { field: 'base_url', reason: 'rule.url' });
  return url;
}

/**
 * An http(s) URL whose host is literal: `{model}` may only stand in its path
 * (docs/rules/providers.md#custom-address).
 */
function isAddress(text: string): boolean {
  return (
    /^https?:\/\//i.test(text) &&
    URL.canParse(text) &&
    !/[{}\s]/.test(new URL(text).host) &&
    !/[\s\\]/.test(text)
  );
}

/**
 * Undefined: `other` stays unchanged. A new type requires its own `other` even if the caller sends
 * none.
 */
function readOther(
  text: string | undefined,
  field: OtherField | undefined,
  typeGiven: boolean,
): string | undefined {
  if (text === undefined && !typeGiven) return undefined;
  const other = text?.trim() || (field?.default ?? '');
  field?.check?.(other);
  if (field?.pattern !== undefined && other !== '' && !field.pattern.test(other))
    throw new AppError('channel_other_invalid', { field: field.label });
  if (hasPrototypeEntry(parseObject(other)))
    throw new AppError('channel_other_invalid', { field: field?.label ?? 'other' });
  if (field?.required === true && other === '')
    throw new AppError('channel_other_required', { field: field.label });
  return text === undefined && other === '' ? undefined : other;
}

/** The fields of `setting` specific to this type. */
function checkTypeSetting(text: string, provider: Provider | undefined): void {
  const checked = provider?.settings.safeParse(parseObject(text) ?? {});
  if (checked === undefined || checked.success) return;
  const path = checked.error.issues[0]?.path.map(String) ?? [];
  throw new AppError('channel_rule_invalid', {
    field: ['setting', ...path].join('.'),
    reason: 'rule.shape',
  });
}

function dropAbsent<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
