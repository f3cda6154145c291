/** The options of a configuration file. */
import type { InputOf, OutputOf } from '../../../core/contract/endpoint.ts';
import { api } from '../../../core/contract/index.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { parseJson } from '../../../core/kernel/json.ts';
import {
  checkOptionChange,
  defaultOptions,
  isOptionKey,
  isSecretOption,
  type OptionKey,
  type OptionValues,
  optionDefinition,
  parseOption,
  writeOption,
} from '../../../core/options/index.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { Change, PlanSettings, Step } from './plan.ts';
import { isReference, type References } from './references.ts';
import { canonicalText, cleared, entryName, hidden, isSecretEntry, kept, linesBetween } from './values.ts';

export type LiveOption = OutputOf<typeof api.option.list>[number];
type Entries = Readonly<Record<string, unknown>>;

/** The options of a call at most. */
const longestBatch = 200;

/** What differs from the defaults, or with `all` every option; secrets that are set as `secret:keep`. */
export function exportOptions(live: readonly LiveOption[], all: boolean): Entries {
  const shown = live.filter((row) => all || row.default !== undefined || row.configured === true);
  const entries = shown.map((row) => [row.key, row.configured === undefined ? fileValue(row.key, row.value) : kept] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The value of an option as a file has it: lists and objects, not their texts. */
function fileValue(key: string, text: string): unknown {
  if (!isOptionKey(key)) return text;
  const { kind } = optionDefinition(key);
  if (kind === 'text') return text;
  return kind === 'json' ? parseJson(text) : parseOption(key, text);
}

/** The text in which a call takes the value. Throws UsageError for a value of another kind. */
function wireText(key: string, value: unknown): string {
  const definition = isOptionKey(key) ? optionDefinition(key) : undefined;
  if (definition?.kind === 'json') return typeof value === 'string' ? value : JSON.stringify(value);
  if (definition?.kind === 'list' && Array.isArray(value)) return value.map(String).join(definition.separator ?? ',');
  if (value === null || typeof value === 'object') throw new UsageError(texts.kind, { key });
  return String(value);
}

/** The steps that bring the options to those of the file. Throws UsageError and AppError for options that are not valid. */
export function planOptions(
  entries: Entries,
  live: readonly LiveOption[],
  { prune, writeSecrets }: PlanSettings,
  references: References,
): readonly Step[] {
  const byKey = new Map(live.map((row) => [row.key, row]));
  const sent: { key: string; value: string }[] = [];
  const changes: Change[] = [];
  const after = liveValues(live);
  for (const [key, value] of Object.entries(entries)) {
    if (!isOptionKey(key)) throw new AppError('option_unknown', { key });
    const row = byKey.get(key);
    if (isSecretOption(key)) {
      const text = secretText(key, value, row?.configured === true, writeSecrets, references);
      if (text === undefined) continue;
      after[key] = text === '-' ? '' : parseOption(key, text);
      sent.push({ key, value: text });
      const line = { path: '', ...(row?.configured && { from: hidden }), ...(text !== '-' && { to: hidden }) };
      changes.push({ section: 'options', name: key, action: 'change', lines: [line] });
      continue;
    }
    const parsed = parseOption(key, wireText(key, value));
    after[key] = parsed;
    const to = writeOption(key, parsed);
    const from = row?.value ?? writeOption(key, defaultOptions()[key]);
    if (isSame(key, from, to)) continue;
    sent.push({ key, value: to });
    changes.push({ section: 'options', name: key, action: 'change', lines: optionLines(key, from, to) });
  }
  const resets = prune ? pruned(live, entries) : [];
  for (const key of resets) after[key] = defaultOptions()[key];
  for (const { key } of sent) checkWhole(key as OptionKey, after);
  for (const key of resets) checkWhole(key, after);
  return [...setSteps(sent, changes), ...resets.map((key) => resetStep(key, byKey))];
}

function setSteps(sent: InputOf<typeof api.option.setMany>['values'], changes: readonly Change[]): readonly Step[] {
  const steps: Step[] = [];
  for (let start = 0; start < sent.length; start += longestBatch) {
    const values = sent.slice(start, start + longestBatch);
    steps.push({
      changes: changes.slice(start, start + longestBatch),
      write: (context) => context.call(api.option.setMany, { values }),
    });
  }
  return steps;
}

function resetStep(key: OptionKey, byKey: ReadonlyMap<string, LiveOption>): Step {
  const preset = writeOption(key, defaultOptions()[key]);
  const from = isSecretOption(key) ? hidden : (byKey.get(key)?.value ?? '');
  const lines = isSecretOption(key) ? [{ path: '', from }] : optionLines(key, from, preset);
  return {
    changes: [{ section: 'options', name: key, action: 'remove', lines }],
    write: (context) => context.call(api.option.reset, { key }),
  };
}

/** Options with a value of their own that the file does not name. */
function pruned(live: readonly LiveOption[], entries: Entries): readonly OptionKey[] {
  return live.flatMap(({ key, default: preset, configured }) =>
    isOptionKey(key) && !Object.hasOwn(entries, key) && (preset !== undefined || configured === true) ? [key] : [],
  );
}

/** The text to send for a secret; undefined: it stays as it is. */
function secretText(key: string, value: unknown, isSet: boolean, again: boolean, references: References): string | undefined {
  if (value === kept) {
    if (!isSet) throw new UsageError(texts.nothingKept, { key });
    return undefined;
  }
  if (value === cleared) return isSet ? '-' : undefined;
  if (typeof value !== 'string' || !isReference(value)) throw new UsageError(texts.plain, { key });
  return isSet && !again ? undefined : references.read(value, `options.${key}`);
}

function liveValues(live: readonly LiveOption[]): Record<string, unknown> {
  const values: Record<string, unknown> = { ...defaultOptions() };
  // A secret that is set counts as filled in, whatever it is.
  for (const { key, value, configured } of live) {
    if (isOptionKey(key)) values[key] = configured === undefined ? parseOption(key, value) : configured ? hidden : '';
  }
  return values;
}

function checkWhole(key: OptionKey, after: Record<string, unknown>): void {
  const values = after as OptionValues;
  const refusal = checkOptionChange(key, values[key], values);
  if (refusal !== undefined) throw refusal;
}

function isSame(key: OptionKey, from: string, to: string): boolean {
  if (optionDefinition(key).kind !== 'json') return from === to;
  return canonicalText(parseJson(from)) === canonicalText(parseJson(to));
}

function optionLines(key: OptionKey, from: string, to: string) {
  return linesBetween(fileValue(key, from), fileValue(key, to), (text, name) =>
    isSecretEntry(entryName([name]), text) ? hidden : text,
  );
}

const texts = {
  kind: { en: 'options.{key}: a single value is needed here', zh: 'options.{key}：此处应为单个值' },
  plain: {
    en: 'options.{key} is a secret: write env:NAME, file:PATH, secret:keep or secret:none',
    zh: 'options.{key} 是机密：请写 env:变量名、file:路径、secret:keep 或 secret:none',
  },
  nothingKept: {
    en: 'options.{key}: there is no secret to keep on this site; name one with env:NAME or file:PATH',
    zh: 'options.{key}：本站尚无可保留的机密，请用 env:变量名 或 file:路径 指定',
  },
} as const;
