import { AppError } from '../kernel/errors.ts';
import { parseObject } from '../kernel/json.ts';
import { providerForType } from '../providers/index.ts';
import { splitList } from '../upstream/channel.ts';
import { checkChannelRules } from '../upstream/rules/index.ts';
import { channelTypeInfo } from '../vocabulary/channel-types.ts';

/** What an administrator writes about a channel; absent fields stay as they are. */
export interface ChannelFields {
  readonly name: string;
  readonly type: number;
  /** One key per line; see {@link splitKeys}. */
  readonly key: string;
  /** Comma list, like `group`. */
  readonly models: string;
  readonly group: string;
  readonly baseUrl: string;
  readonly other: string;
  readonly openaiOrganization: string;
  readonly testModel: string;
  readonly maxInputTokens: number;
  /** JSON object text or '', like the next two and `paramOverride`. */
  readonly modelMapping: string;
  readonly statusCodeMapping: string;
  readonly setting: string;
  readonly priority: number;
  readonly weight: number;
  readonly autoBan: boolean;
  readonly tag: string;
  readonly paramOverride: string;
}

const maxModelBytes = 255;
const vertex = 41;
const xunfei = 18;

/**
 * Checks and normalises a channel's fields (spec, console-api 6.3). `type` is the channel's when the fields do not change
 * it. Throws AppError channel_name_and_key_required, channel_models_required, channel_type_unknown,
 * channel_base_url_required, channel_region_required, channel_other_required, model_name_too_long, json_object_required,
 * channel_rule_invalid, model_mapping_cycle, weight_invalid, invalid_parameter.
 */
export function readChannelFields(fields: Partial<ChannelFields>, type: number): Partial<ChannelFields> {
  if (channelTypeInfo(type) === undefined) throw new AppError('channel_type_unknown', { type });
  if (fields.name !== undefined && fields.name.trim() === '') throw new AppError('channel_name_and_key_required');
  if (fields.weight !== undefined && fields.weight < 0) throw new AppError('weight_invalid');
  checkChannelRules(fields);
  if (fields.setting) checkTypeSetting(fields.setting, type);
  const other = readOther(fields.other, type, fields.type !== undefined);
  return dropAbsent({
    ...fields,
    name: fields.name?.trim(),
    models: fields.models === undefined ? undefined : readModels(fields.models),
    group: fields.group === undefined ? undefined : readGroups(fields.group),
    baseUrl: fields.baseUrl === undefined ? undefined : readBaseUrl(fields.baseUrl, type),
    other,
    tag: fields.tag?.trim(),
  });
}

/** One channel per key: split at newlines, blanks dropped (spec, console-api 6.3). JSON credentials stay whole. */
export function splitKeys(key: string, type: number): readonly string[] {
  if (type === vertex || providerForType(type)?.keyFormat.json === true) return key.trim() === '' ? [] : [key.trim()];
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
  return models.join(',');
}

function readGroups(text: string): string {
  const groups = splitList(text);
  if (groups.length === 0) throw new AppError('invalid_parameter', { field: 'group' });
  return groups.join(',');
}

function readBaseUrl(text: string, type: number): string {
  const url = text.trim().replace(/\/+$/, '');
  if (url === '') {
    if (providerForType(type)?.defaultBaseUrl === null) throw new AppError('channel_base_url_required');
    return '';
  }
  if (providerForType(type)?.planWords?.includes(url)) return url;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new AppError('invalid_parameter', { field: 'base_url' });
  return url;
}

/** `other` is a region, or JSON from model to region, for Vertex AI; a version for Xunfei. */
function readOther(text: string | undefined, type: number, typeGiven: boolean): string | undefined {
  if (text === undefined && !typeGiven) return undefined;
  const other = text?.trim() ?? '';
  if (type === xunfei && other === '') return 'v2.1';
  if (type !== vertex) {
    requireOther(other, type);
    return text?.trim();
  }
  const regions = parseObject(other);
  if (other === '' || (regions !== undefined && typeof regions.default !== 'string'))
    throw new AppError('channel_region_required');
  return other;
}

/** A field without which the type has no address to call (Cloudflare's account, a library's id). */
function requireOther(other: string, type: number): void {
  const meaning = providerForType(type)?.other;
  if (meaning?.required === true && other === '') throw new AppError('channel_other_required', { field: meaning.label });
}

/** The fields of `setting` that only this type knows. */
function checkTypeSetting(text: string, type: number): void {
  const checked = providerForType(type)?.settings.safeParse(parseObject(text) ?? {});
  if (checked === undefined || checked.success) return;
  const path = checked.error.issues[0]?.path.map(String) ?? [];
  throw new AppError('channel_rule_invalid', { field: ['setting', ...path].join('.'), reason: 'rule.shape' });
}

function dropAbsent<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
