/** The entries of the model square in a configuration file, by model. */
import type { z } from 'zod';
import { api } from '../../../core/contract/index.ts';
import type { ManagedModel } from '../../../core/contract/model-square.ts';
import { findEntryProblems } from '../../../core/entities/catalog-entry.ts';
import { translate } from '../../../core/i18n/translate.ts';
import { isObject } from '../../../core/kernel/json.ts';
import type { Language } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { portableEntry } from '../model-files.ts';
import type { PlanSettings, Step } from './plan.ts';
import { canonicalText, linesBetween } from './values.ts';

type Entries = Readonly<Record<string, unknown>>;
const schema = api.modelSquare.update.input;
type Entry = z.output<typeof schema>;

export function exportModels(live: readonly ManagedModel[]): Entries {
  const sorted = [...live].sort((a, b) => (a.model < b.model ? -1 : 1));
  return Object.fromEntries(sorted.map((row) => [row.model, fileEntry(row)]));
}

function fileEntry(row: ManagedModel): Record<string, unknown> {
  const { model: _, ...entry } = portableEntry(row);
  return entry;
}

/** The steps that bring the entries to those of the file. Throws UsageError for what is not valid. */
export function planModels(
  entries: Entries,
  live: readonly ManagedModel[],
  { prune }: PlanSettings,
  language: Language,
): readonly Step[] {
  const rows = new Map(live.map((row) => [row.model, row]));
  const steps = Object.entries(entries).flatMap(([model, value]): readonly Step[] => {
    const row = rows.get(model);
    const entry = readEntry(model, value, row === undefined, language);
    const from = row === undefined ? {} : fileEntry(row);
    const { model: _, ...given } = entry;
    const to = { ...from, ...given };
    if (row !== undefined && canonicalText(from) === canonicalText(to)) return [];
    const call = row === undefined ? api.modelSquare.add : api.modelSquare.update;
    const lines = linesBetween(from, to, (text) => text);
    const action = row === undefined ? 'add' : 'change';
    return [{ changes: [{ section: 'models', name: model, action, lines }], write: (context) => context.call(call, entry) }];
  });
  const gone = prune ? live.filter((row) => !Object.hasOwn(entries, row.model)) : [];
  const removals = gone.map(
    ({ model }): Step => ({
      changes: [{ section: 'models', name: model, action: 'remove', lines: [] }],
      write: (context) => context.call(api.modelSquare.remove, { model }),
    }),
  );
  return [...steps, ...removals];
}

function readEntry(model: string, value: unknown, complete: boolean, language: Language): Entry {
  const at = `models.${model}`;
  if (!isObject(value)) throw new UsageError(texts.entry, { at, cause: '' });
  const strange = Object.keys(value).find((name) => name === 'model' || !Object.hasOwn(schema.shape, name));
  if (strange !== undefined) throw new UsageError(texts.field, { at: `${at}.${strange}` });
  const parsed = schema.safeParse({ ...value, model });
  if (!parsed.success)
    throw new UsageError(texts.entry, { at: `${at}.${parsed.error.issues[0]?.path.join('.') ?? ''}`, cause: '' });
  const { icon, description, description_en, type, type_en, tags, tags_en, manufacturer, price_type } = parsed.data;
  const { context, specification, publish_time, status, model_price } = parsed.data;
  const given = {
    ...{ model, icon, description, description_en, type, type_en, tags, tags_en, manufacturer, price_type },
    ...{ context, specification, publish_time, status, model_price },
  };
  const present = Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined));
  const [problem] = findEntryProblems(present, { complete });
  if (problem === undefined) return { ...present, model };
  const cause = `: ${translate(language, `error.${problem.code}`, problem.params as Record<string, string | number>)}`;
  throw new UsageError(texts.entry, { at: `${at}.${problem.field}`, cause });
}

const texts = {
  entry: { en: '{at} is not valid{cause}', zh: '{at} 无效{cause}' },
  field: { en: '{at}: unknown field', zh: '{at}：未知字段' },
} as const;
