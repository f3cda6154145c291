/**
 * The channels of a configuration file, by name. Their keys are secrets, and so are credentials in
 * their settings.
 */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelFields } from '../../../core/entities/channel.ts';
import { defaultInput } from '../../../core/entities/convert.ts';
import type { Field } from '../../../core/entities/field.ts';
import { isObject } from '../../../core/kernel/json.ts';
import { isSecretEntry } from '../../../core/kernel/secret-texts.ts';
import {
  channelTypeInfo,
  channelTypes,
  findChannelType,
} from '../../../core/vocabulary/channel-types.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { channelKey } from './channel-key.ts';
import { addUnknown } from './document.ts';
import { fileValue, wireValue } from './field-values.ts';
import { byLabel, isShared } from './labels.ts';
import type { Plan, PlanSettings, Request } from './plan.ts';
import type { Path, Problems } from './problems.ts';
import type { References } from './references.ts';
import { exportedTexts, resolvedTexts } from './secrets.ts';
import { canonicalText, hidden, kept, linesBetween, mergeEntries } from './values.ts';

type Entry = Readonly<Record<string, unknown>>;
type Planned = {
  readonly change: Plan<'channels'>['changes'][number];
  readonly sent: Request['channels'][number];
};

/** The fields that a file names as they are; `type` and `key` are treated apart. */
const plainFields: readonly (readonly [string, Field])[] = Object.entries(channelFields).filter(
  ([name, field]) => 'input' in field && name !== 'key' && name !== 'type' && name !== 'name',
);
const knownFields = ['type', 'enabled', 'key', ...plainFields.map(([name]) => name)];
const presets: Entry = Object.fromEntries(
  plainFields.map(([name, field]) => [name, fileValue(field, defaultInput(field))]),
);

/**
 * Channels by their labels, without their secrets. Throws UsageError for a label that two channels
 * would have.
 */
export function exportChannels(live: readonly ChannelEntity[]): Entry {
  const sorted = [...byLabel(live)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    sorted.map(([label, row]) => {
      const { type, enabled, ...rest } = fileEntry(row);
      const changed = Object.entries(rest).filter(
        ([field, value]) => canonicalText(value) !== canonicalText(presets[field]),
      );
      const fields = Object.fromEntries(
        changed.map(([field, value]) => [field, exportedTexts(value, [field])]),
      );
      return [label, { type, enabled, ...(row.keyless ? {} : { key: kept }), ...fields }];
    }),
  );
}

/**
 * A channel that the gateway disabled by itself counts as enabled: that is its state, not its
 * configuration.
 */
function fileEntry(row: ChannelEntity): Entry {
  const values: Readonly<Record<string, unknown>> = row;
  const fields = plainFields.map(([name, field]) => [name, fileValue(field, values[name])]);
  return {
    type: channelTypeInfo(row.type)?.slug ?? row.type,
    enabled: row.status !== channelStatuses.disabled,
    ...Object.fromEntries(fields),
  };
}

/** What brings the channels to those of the file. */
export function planChannels(
  entries: Entry,
  live: readonly ChannelEntity[],
  settings: PlanSettings,
): Plan<'channels'> {
  const { problems } = settings;
  const rows =
    problems.attempt(['channels'], () => byLabel(live)) ?? new Map<string, ChannelEntity>();
  const planned = Object.entries(entries).flatMap(([label, value]): readonly Planned[] => {
    const path = ['channels', label];
    const given = readEntry(path, value, problems);
    if (given === undefined) return [];
    const row = rows.get(label);
    if (row !== undefined) return changed(path, row, given, settings);
    return isShared(path, label, live, problems) ? [] : [added(path, given, settings)];
  });
  const gone = settings.prune ? [...rows].filter(([label]) => !Object.hasOwn(entries, label)) : [];
  const all = [...planned, ...gone.map(([label, row]) => removed(label, row))];
  return {
    changes: all.map(({ change }) => change),
    request: { channels: all.map(({ sent }) => sent) },
  };
}

function readEntry(path: Path, entry: unknown, problems: Problems): Entry | undefined {
  if (!isObject(entry)) {
    problems.add(path, texts.entry);
    return undefined;
  }
  for (const field of Object.keys(entry))
    if (!knownFields.includes(field)) addUnknown(problems, [...path, field], knownFields);
  if (entry['enabled'] !== undefined && typeof entry['enabled'] !== 'boolean')
    problems.add([...path, 'enabled'], texts.flag);
  // A field without a value is a field that is not named.
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}

/** The type's number; undefined for an unknown one. */
function typeNumber(path: Path, type: unknown, problems: Problems): number | undefined {
  const info = type === undefined ? undefined : findChannelType(String(type));
  if (info !== undefined) return info.type;
  if (type === undefined) problems.add(path, texts.noType);
  else {
    addUnknown(
      problems,
      [...path, 'type', String(type)],
      channelTypes.map(({ slug }) => slug),
    );
  }
  return undefined;
}

/** The given fields; those with entries are merged with the channel's own. */
function mergeFields(live: Entry, given: Entry, replace: boolean): Entry {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, mergeEntries(live[name], value, replace)]),
  );
}

/** The given plain fields as a call takes them, without those of a wrong kind. */
function wireFields(path: Path, given: Entry, problems: Problems): Record<string, unknown> {
  const named = plainFields.filter(([field]) => given[field] !== undefined);
  return Object.fromEntries(
    named.map(([field, declared]) => [
      field,
      wireValue([...path, field], declared, given[field], problems),
    ]),
  );
}

function added(path: Path, given: Entry, { references, problems }: PlanSettings): Planned {
  const name = path.at(-1) ?? '';
  const type = typeNumber(path, given['type'], problems);
  const { key: keyText, ...rest } = given;
  const resolved = mergeFields(
    {},
    resolvedTexts(rest, undefined, { references, problems }, path) as Entry,
    true,
  );
  const place = { path: [...path, 'key'], setting: resolved['setting'], again: true };
  const key = channelKey(keyText, place, { references, problems }) ?? '';
  const sent = {
    ...wireFields(path, resolved, problems),
    name,
    key,
    ...(type !== undefined && { type }),
    ...(given['enabled'] === false && { status: channelStatuses.disabled }),
  };
  const lines = linesBetween({}, { ...resolved, ...(key !== '' && { key }) }, masked(references));
  return { change: { section: 'channels', name, action: 'add', lines }, sent };
}

function changed(
  path: Path,
  row: ChannelEntity,
  given: Entry,
  settings: PlanSettings,
): readonly Planned[] {
  const { references, problems, prune, writeSecrets } = settings;
  const { key: keyText, ...rest } = given;
  const live = fileEntry(row);
  const type =
    given['type'] === undefined
      ? row.type
      : (typeNumber(path, given['type'], problems) ?? row.type);
  const named = mergeFields(
    live,
    resolvedTexts(rest, live, { references, problems }, path) as Entry,
    prune,
  );
  const resolved = { ...(prune && presets), ...named };
  const place = { path: [...path, 'key'], setting: resolved['setting'], row, again: writeSecrets };
  const key = channelKey(keyText, place, { references, problems });
  const desired: Entry = { ...live, ...resolved, type: channelTypeInfo(type)?.slug ?? type };
  const names = Object.keys(desired).filter(
    (field) => canonicalText(desired[field]) !== canonicalText(live[field]),
  );
  if (names.length === 0 && key === undefined) return [];
  const fields = Object.fromEntries(names.map((field) => [field, desired[field]]));
  const status = desired['enabled'] === false ? channelStatuses.disabled : channelStatuses.enabled;
  const wire = wireFields(path, fields, problems);
  const values: Entry = { ...row };
  const sent = {
    ...wire,
    seen: Object.fromEntries(Object.keys(wire).map((field) => [field, values[field]])),
    id: row.id,
    name: row.name,
    label: path.at(-1) ?? '',
    ...(names.includes('type') && { type }),
    ...(names.includes('enabled') && { status }),
    ...(key !== undefined && { key }),
  };
  const lines = [
    ...linesBetween(live, desired, masked(references)),
    ...(key === undefined
      ? []
      : [{ path: 'key', ...(row.keyless ? {} : { from: hidden }), to: hidden }]),
  ];
  return [
    { change: { section: 'channels', name: path.at(-1) ?? '', action: 'change', lines }, sent },
  ];
}

function removed(label: string, { id, name }: ChannelEntity): Planned {
  return {
    change: { section: 'channels', name: label, action: 'remove', lines: [] },
    sent: { id, name, label, remove: true },
  };
}

const masked = (references: References) => (text: string, name: string) =>
  references.has(text) || isSecretEntry(name, text) ? hidden : text;

const texts = {
  entry: { en: 'must be a channel with its fields', zh: '应为包含字段的渠道' },
  flag: { en: 'must be true or false', zh: '应为 true 或 false' },
  noType: {
    en: 'a new channel needs a type: see `turnpike channels types`',
    zh: '新渠道需要 type，见 `turnpike channels types`',
  },
} as const;
