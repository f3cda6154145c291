/** The options of a configuration file. */
import type { OutputOf } from '../../../core/contract/endpoint.ts';
import type { api } from '../../../core/contract/index.ts';
import { parseJson } from '../../../core/kernel/json.ts';
import { isSecretEntry } from '../../../core/kernel/secret-texts.ts';
import {
  defaultOptions,
  isOptionKey,
  isSecretOption,
  type OptionKey,
  optionDefinition,
  optionKeys,
  parseOption,
  writeOption,
} from '../../../core/options/index.ts';
import type { Text } from '../../base/text.ts';
import { addUnknown } from './document.ts';
import type { Change, Plan, PlanSettings } from './plan.ts';
import type { Path, Problems } from './problems.ts';
import { isReference, type References } from './references.ts';
import { exportedTexts, resolvedTexts, secretTexts } from './secrets.ts';
import { canonicalText, cleared, hidden, kept, linesBetween, mergeEntries } from './values.ts';

export type LiveOption = OutputOf<typeof api.option.list>[number];
type Entries = Readonly<Record<string, unknown>>;

/**
 * What differs from the defaults, or with `all` every option; secrets that are set as
 * `secret:keep`.
 */
export function exportOptions(live: readonly LiveOption[], all: boolean): Entries {
  const shown = live.filter((row) => all || row.default !== undefined || row.configured === true);
  const entries = shown.map(({ key, value, configured }) => {
    if (configured !== undefined) return [key, kept] as const;
    return [key, exportedTexts(fileValue(key, value), [key], isPublic(key))] as const;
  });
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether every visitor can read the option: nothing in it is secret. */
function isPublic(key: string): boolean {
  return isOptionKey(key) && optionDefinition(key).exposure === 'public';
}

/** The value of an option as a file has it: lists and objects, not their texts. */
function fileValue(key: string, text: string): unknown {
  if (!isOptionKey(key)) return text;
  const { kind } = optionDefinition(key);
  if (kind === 'text') return text;
  return kind === 'json' ? parseJson(text) : parseOption(key, text);
}

/** The text in which a call takes the value; undefined for a value of another kind. */
function wireText(
  key: OptionKey,
  value: unknown,
  path: Path,
  problems: Problems,
): string | undefined {
  const { kind, separator = ',' } = optionDefinition(key);
  const refuse = (text: Text) => {
    problems.add(path, text);
    return undefined;
  };
  if (kind === 'json') return typeof value === 'string' ? value : JSON.stringify(value);
  if (kind === 'list' && Array.isArray(value)) {
    const wrong = value.findIndex(
      (entry) => typeof entry === 'object' || String(entry).includes(separator),
    );
    if (wrong < 0) return value.map(String).join(separator);
    problems.add([...path, String(wrong)], texts.entry);
    return undefined;
  }
  if (value === null || typeof value === 'object') return refuse(texts.single);
  if (kind === 'text' && typeof value !== 'string') return refuse(texts.text);
  return String(value);
}

/** What brings the options to those of the file. */
export function planOptions(
  entries: Entries,
  rows: readonly LiveOption[],
  settings: PlanSettings,
): Plan<'options' | 'option_resets'> {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const options: { key: string; value: string; seen?: string }[] = [];
  const changes: Change[] = [];
  for (const [key, value] of Object.entries(entries)) {
    const path = ['options', key];
    if (!isOptionKey(key)) {
      addUnknown(settings.problems, path, optionKeys);
      continue;
    }
    const row = byKey.get(key);
    if (isSecretOption(key)) {
      const text = secretText(path, value, row?.configured === true, settings);
      if (text === undefined) continue;
      options.push({ key, value: text });
      const line = {
        path: '',
        ...(row?.configured && { from: hidden }),
        ...(text !== '-' && { to: hidden }),
      };
      changes.push({ section: 'options', name: key, action: 'change', lines: [line] });
      continue;
    }
    const from = row?.value ?? writeOption(key, defaultOptions()[key]);
    const live = fileValue(key, from);
    const resolved = mergeEntries(live, resolvedTexts(value, live, settings, path), settings.prune);
    const text = wireText(key, resolved, path, settings.problems);
    const to =
      text === undefined
        ? undefined
        : settings.problems.attempt(path, () => writeOption(key, parseOption(key, text)));
    if (to === undefined || isSame(key, from, to)) continue;
    options.push({ key, value: to, ...(row !== undefined && { seen: row.value }) });
    changes.push({
      section: 'options',
      name: key,
      action: 'change',
      lines: optionLines(key, from, to, settings.references),
    });
  }
  const resets = settings.prune ? pruned(rows, entries) : [];
  const all = [...changes, ...resets.map((key) => resetChange(key, byKey, settings.references))];
  return {
    changes: all,
    request: { options, option_resets: resets.map((key) => seenOption(key, byKey)) },
  };
}

/** A secret is not seen. */
function seenOption(key: OptionKey, byKey: ReadonlyMap<string, LiveOption>) {
  const seen = isSecretOption(key) ? undefined : byKey.get(key)?.value;
  return seen === undefined ? key : { key, seen };
}

function resetChange(
  key: OptionKey,
  byKey: ReadonlyMap<string, LiveOption>,
  references: References,
): Change {
  const preset = writeOption(key, defaultOptions()[key]);
  const from = isSecretOption(key) ? hidden : (byKey.get(key)?.value ?? '');
  const lines = isSecretOption(key)
    ? [{ path: '', from }]
    : optionLines(key, from, preset, references);
  return { section: 'options', name: key, action: 'remove', lines };
}

/** Options with a value of their own that the file does not name. */
function pruned(live: readonly LiveOption[], entries: Entries): readonly OptionKey[] {
  return live.flatMap(({ key, default: preset, configured }) =>
    isOptionKey(key) &&
    !Object.hasOwn(entries, key) &&
    (preset !== undefined || configured === true)
      ? [key]
      : [],
  );
}

/** The text to send for a secret; undefined: it stays as it is. */
function secretText(
  path: Path,
  value: unknown,
  isSet: boolean,
  { writeSecrets, references, problems }: PlanSettings,
): string | undefined {
  if (value === kept) {
    if (!isSet) problems.add(path, secretTexts.nothingKept);
    return undefined;
  }
  if (value === cleared) return isSet ? '-' : undefined;
  if (typeof value !== 'string' || !isReference(value)) {
    problems.add(path, secretTexts.plain);
    return undefined;
  }
  return isSet && !writeSecrets ? undefined : references.read(value, path);
}

function isSame(key: OptionKey, from: string, to: string): boolean {
  if (optionDefinition(key).kind !== 'json') return from === to;
  return canonicalText(parseJson(from)) === canonicalText(parseJson(to));
}

function optionLines(key: OptionKey, from: string, to: string, references: References) {
  const open = isPublic(key);
  return linesBetween(fileValue(key, from), fileValue(key, to), (text, name) =>
    references.has(text) || (!open && isSecretEntry(name === '' ? key : name, text))
      ? hidden
      : text,
  );
}

const texts = {
  single: { en: 'must be a single value', zh: '应为单个值' },
  text: { en: 'must be a text: write it in quotes', zh: '应为文本：请加引号' },
  entry: { en: 'is not an entry of this list', zh: '不能作为此列表的条目' },
} as const;
