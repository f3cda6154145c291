/** The channels of a configuration file, by name. Their keys are secrets, and so are credentials in their settings. */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { api } from '../../../core/contract/index.ts';
import { channelFields } from '../../../core/entities/channel.ts';
import { defaultInput } from '../../../core/entities/convert.ts';
import type { Field } from '../../../core/entities/field.ts';
import { createFieldCheck } from '../../../core/entities/limits.ts';
import { parseJson } from '../../../core/kernel/json.ts';
import { channelTypeInfo, findChannelType } from '../../../core/vocabulary/channel-types.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { UsageError } from '../../base/usage-error.ts';
import { channelKey, resolveSecrets } from './channel-secrets.ts';
import type { PlanSettings, Step } from './plan.ts';
import type { References } from './references.ts';
import { canonicalText, entryName, hidden, isSecretEntry, kept, linesBetween, mapTexts } from './values.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The fields that a file names as they are; `type` and `key` are treated apart. */
const plainFields: readonly (readonly [string, Field])[] = Object.entries(channelFields).filter(
  ([name, field]) => 'input' in field && name !== 'key' && name !== 'type' && name !== 'name',
);
const checkFields = createFieldCheck(channelFields);

/** Channels by name, without their secrets. Throws UsageError if two have the same name. */
export function exportChannels(live: readonly ChannelEntity[]): Entry {
  const sorted = [...byName(live)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([name, row]) => {
      const { type, enabled, ...rest } = fileEntry(row);
      const changed = Object.entries(rest).filter(([field, value]) => canonicalText(value) !== canonicalText(presetOf(field)));
      const shown = { type, enabled, key: kept, ...Object.fromEntries(changed) };
      return [name, mapTexts(shown, (text, path) => (isSecretEntry(entryName(path), text) ? kept : text))];
    }),
  );
}

function byName(live: readonly ChannelEntity[]): ReadonlyMap<string, ChannelEntity> {
  const found = new Map<string, ChannelEntity>();
  for (const row of live) {
    const other = found.get(row.name);
    if (other !== undefined) throw new UsageError(texts.double, { name: row.name, first: other.id, second: row.id });
    found.set(row.name, row);
  }
  return found;
}

/** A channel that the gateway disabled by itself counts as enabled: that is its state, not its configuration. */
function fileEntry(row: ChannelEntity): Entry {
  const values: Readonly<Record<string, unknown>> = row;
  const fields = plainFields.map(([name, field]) => [name, fileValue(field, values[name])]);
  return {
    type: channelTypeInfo(row.type)?.slug ?? row.type,
    enabled: row.status !== channelStatuses.disabled,
    ...Object.fromEntries(fields),
  };
}

function presetOf(name: string): unknown {
  const field = plainFields.find(([known]) => known === name)?.[1];
  return field && fileValue(field, defaultInput(field));
}

function fileValue({ kind, separator = ',' }: Field, value: unknown): unknown {
  if (kind === 'bit') return value === 1;
  if (kind === 'list')
    return String(value)
      .split(separator)
      .filter((part) => part !== '');
  return kind === 'json' && value !== '' ? (parseJson(String(value)) ?? value) : value;
}

function wireValue(at: string, { kind, separator = ',' }: Field, value: unknown): unknown {
  const fits =
    kind === 'bit'
      ? typeof value === 'boolean'
      : kind === 'integer'
        ? Number.isSafeInteger(value)
        : kind === 'list'
          ? Array.isArray(value) && value.every((part) => typeof part !== 'object')
          : kind === 'json'
            ? typeof value === 'object' || value === ''
            : typeof value !== 'object';
  if (!fits) throw new UsageError(texts.kind, { at });
  if (kind === 'bit') return Number(value);
  if (kind === 'list') return (value as readonly unknown[]).map(String).join(separator);
  if (kind === 'json') return value === '' || value === null ? '' : JSON.stringify(value);
  return kind === 'integer' ? value : String(value);
}

/** The steps that bring the channels to those of the file: one for each. Throws UsageError for what is not valid. */
export function planChannels(
  entries: Entry,
  live: readonly ChannelEntity[],
  settings: PlanSettings,
  references: References,
): readonly Step[] {
  const rows = byName(live);
  const steps = Object.entries(entries).flatMap(([name, entry]) => {
    const given = readEntry(name, entry);
    const row = rows.get(name);
    return row === undefined ? addStep(name, given, references) : changeStep(row, given, settings, references);
  });
  if (!settings.prune) return steps;
  const gone = [...rows.values()].filter((row) => !Object.hasOwn(entries, row.name));
  return [...steps, ...gone.map(removeStep)];
}

function readEntry(name: string, entry: unknown): Entry {
  const at = `channels.${name}`;
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw new UsageError(texts.kind, { at });
  const known = new Set(['type', 'enabled', 'key', ...plainFields.map(([field]) => field)]);
  const strange = Object.keys(entry).find((field) => !known.has(field));
  if (strange !== undefined) throw new UsageError(texts.field, { at: `${at}.${strange}`, known: [...known].join(', ') });
  const given: Entry = { ...entry };
  if (given['enabled'] !== undefined && typeof given['enabled'] !== 'boolean')
    throw new UsageError(texts.kind, { at: `${at}.enabled` });
  return given;
}

/** The type's number. Throws UsageError for an unknown one. */
function typeNumber(name: string, type: unknown): number {
  const info = type === undefined ? undefined : findChannelType(String(type));
  if (info === undefined) throw new UsageError(texts.type, { name, type: String(type ?? '') });
  return info.type;
}

/** The given plain fields as a call takes them, checked against the limits of their declarations. */
function wireFields(name: string, given: Entry): Record<string, unknown> {
  const named = plainFields.filter(([field]) => given[field] !== undefined);
  const wire = Object.fromEntries(
    named.map(([field, declared]) => [field, wireValue(`channels.${name}.${field}`, declared, given[field])]),
  );
  checkFields(wire);
  return wire;
}

function addStep(name: string, given: Entry, references: References): Step {
  const at = `channels.${name}`;
  const type = typeNumber(name, given['type']);
  const { key: keyText, ...rest } = given;
  const resolved = resolveSecrets(rest, undefined, references, at);
  const key = channelKey(keyText, { at, setting: resolved['setting'], isNew: true, again: true }, references) ?? '';
  const wire = wireFields(name, resolved);
  const lines = linesBetween({}, { ...resolved, key }, masked(references));
  return {
    changes: [{ section: 'channels', name, action: 'add', lines }],
    async write(context) {
      const { ids } = await context.call(api.channel.create, { ...wire, name, type, key });
      if (given['enabled'] !== false) return;
      for (const id of ids) await context.call(api.channel.update, { id, status: channelStatuses.disabled });
    },
  };
}

function changeStep(row: ChannelEntity, given: Entry, settings: PlanSettings, references: References): readonly Step[] {
  const at = `channels.${row.name}`;
  const { key: keyText, ...rest } = given;
  const live = fileEntry(row);
  const type = given['type'] === undefined ? row.type : typeNumber(row.name, given['type']);
  const presets = settings.prune ? Object.fromEntries(plainFields.map(([field]) => [field, presetOf(field)])) : {};
  const resolved = { ...presets, ...resolveSecrets(rest, live, references, at) };
  const key = channelKey(keyText, { at, setting: resolved['setting'], isNew: false, again: settings.writeSecrets }, references);
  const desired: Entry = { ...live, ...resolved, type: channelTypeInfo(type)?.slug ?? type };
  const changed = Object.keys(desired).filter((field) => canonicalText(desired[field]) !== canonicalText(live[field]));
  if (changed.length === 0 && key === undefined) return [];
  const fields = Object.fromEntries(changed.map((field) => [field, desired[field]]));
  const input = {
    ...wireFields(row.name, fields),
    id: row.id,
    ...(changed.includes('type') && { type }),
    ...(changed.includes('enabled') && {
      status: desired['enabled'] === false ? channelStatuses.disabled : channelStatuses.enabled,
    }),
    ...(key !== undefined && { key }),
  };
  const lines = [
    ...linesBetween(live, desired, masked(references)),
    ...(key === undefined ? [] : [{ path: 'key', from: hidden, to: hidden }]),
  ];
  return [
    {
      changes: [{ section: 'channels', name: row.name, action: 'change', lines }],
      write: (context) => context.call(api.channel.update, input),
    },
  ];
}

function removeStep({ id, name }: ChannelEntity): Step {
  return {
    changes: [{ section: 'channels', name, action: 'remove', lines: [] }],
    write: (context) => context.call(api.channel.remove, { id }),
  };
}

const masked = (references: References) => (text: string, name: string) =>
  references.has(text) || isSecretEntry(name, text) ? hidden : text;

const texts = {
  double: {
    en: 'Channels {first} and {second} are both named {name}: rename one, since the configuration knows channels by name',
    zh: '渠道 {first} 与 {second} 同名（{name}）：配置文件以名称区分渠道，请先改名',
  },
  kind: { en: '{at}: the value has the wrong kind', zh: '{at}：值的类型不对' },
  field: { en: '{at}: unknown field; there are {known}', zh: '{at}：未知字段，可用：{known}' },
  type: {
    en: 'channels.{name}.type {type}: see `turnpike channels types` for numbers and slugs',
    zh: 'channels.{name}.type {type}：编号与代号见 `turnpike channels types`',
  },
} as const;
