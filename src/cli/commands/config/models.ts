/** The entries of the model square in a configuration file, by model. */

import { api } from '../../../core/contract/index.ts';
import type { ManagedModel } from '../../../core/contract/model-square.ts';
import { isObject } from '../../../core/kernel/json.ts';
import type { z } from '../../../core/kernel/zod.ts';
import { portableEntry } from '../model-files.ts';
import { addUnknown } from './document.ts';
import type { Change, Plan, PlanSettings, Request } from './plan.ts';
import type { Problems } from './problems.ts';
import { canonicalText, linesBetween } from './values.ts';

type Entries = Readonly<Record<string, unknown>>;
const schema = api.modelSquare.update.input;
type Entry = z.output<typeof schema>;
type Planned = { readonly change: Change; readonly sent: Request['models'][number] };

export function exportModels(live: readonly ManagedModel[]): Entries {
  const sorted = [...live].sort((a, b) => (a.model < b.model ? -1 : 1));
  return Object.fromEntries(
    sorted.map((row) => {
      const fields = Object.entries(fileEntry(row));
      return [
        row.model,
        Object.fromEntries(fields.filter(([name, value]) => !isPreset(name, value))),
      ];
    }),
  );
}

/** What an entry has that does not say otherwise. */
const presets: Entries = { description_en: '', tags_en: [], model_price: null };
const isPreset = (name: string, value: unknown) =>
  Object.hasOwn(presets, name) && canonicalText(value) === canonicalText(presets[name]);

function fileEntry(row: ManagedModel): Record<string, unknown> {
  const { model: _, ...entry } = portableEntry(row);
  return entry;
}

/** What brings the entries to those of the file. */
export function planModels(
  entries: Entries,
  live: readonly ManagedModel[],
  { prune, problems }: PlanSettings,
): Plan<'models'> {
  const rows = new Map(live.map((row) => [row.model, row]));
  const planned = Object.entries(entries).flatMap(([model, value]): readonly Planned[] => {
    const row = rows.get(model);
    const named = prune && row !== undefined && isObject(value) ? { ...presets, ...value } : value;
    const entry = readEntry(model, named, problems);
    if (entry === undefined) return [];
    const from = row === undefined ? {} : fileEntry(row);
    const { model: _, ...given } = entry;
    const to = { ...from, ...given };
    if (row !== undefined && canonicalText(from) === canonicalText(to)) return [];
    const lines = linesBetween(from, to, (text) => text);
    const action = row === undefined ? 'add' : 'change';
    const change = { section: 'models', name: model, action, lines } as const;
    const seen = row && Object.fromEntries(Object.keys(given).map((name) => seenField(row, name)));
    return [{ change, sent: { ...entry, action, ...(seen && { seen }) } }];
  });
  const gone = prune ? live.filter((row) => !Object.hasOwn(entries, row.model)) : [];
  const removals = gone.map(
    ({ model }): Planned => ({
      change: { section: 'models', name: model, action: 'remove', lines: [] },
      sent: { model, action: 'remove' },
    }),
  );
  const all = [...planned, ...removals];
  return {
    changes: all.map(({ change }) => change),
    request: { models: all.map(({ sent }) => sent) },
  };
}

function seenField(row: ManagedModel, name: string): readonly [string, unknown] {
  const field = name === 'model_price' ? 'stored_model_price' : name;
  const values: Entries = row;
  return [field, values[field]];
}

function readEntry(model: string, value: unknown, problems: Problems): Entry | undefined {
  const path = ['models', model];
  if (!isObject(value)) {
    problems.add(path, texts.entry);
    return undefined;
  }
  const known = Object.keys(schema.shape).filter((name) => name !== 'model');
  for (const name of Object.keys(value))
    if (!known.includes(name)) addUnknown(problems, [...path, name], known);
  const given = Object.fromEntries(
    known.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]),
  );
  const parsed = schema.safeParse({ ...given, model });
  if (parsed.success)
    return Object.fromEntries(
      Object.entries(parsed.data).filter(([, part]) => part !== undefined),
    ) as unknown as Entry;
  for (const field of new Set(parsed.error.issues.map((issue) => issue.path.map(String).join('.'))))
    problems.add([...path, field], texts.kind);
  return undefined;
}

const texts = {
  entry: { en: 'must be a model with its fields', zh: '应为包含字段的模型' },
  kind: { en: 'has a value of the wrong kind', zh: '值的类型不对' },
} as const;
