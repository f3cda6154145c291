/**
 * The budgets of groups and models in a configuration file, by name. Those of users and tokens are
 * about people, who are no configuration.
 */
import type { BudgetEntity } from '../../../core/contract/budgets.ts';
import { budgetFields } from '../../../core/entities/budget.ts';
import { defaultInput } from '../../../core/entities/convert.ts';
import type { Field } from '../../../core/entities/field.ts';
import { isObject } from '../../../core/kernel/json.ts';
import { addUnknown } from './document.ts';
import { fileValue, wireValue } from './field-values.ts';
import { byLabel, isShared } from './labels.ts';
import type { Change, Plan, PlanSettings, Request } from './plan.ts';
import type { Path, Problems } from './problems.ts';
import { canonicalText, linesBetween } from './values.ts';

type Entry = Readonly<Record<string, unknown>>;
type Planned = { readonly change: Change; readonly sent: Request['budgets'][number] };

const fields: readonly (readonly [string, Field])[] = Object.entries(budgetFields).filter(
  ([name, field]) => 'input' in field && name !== 'name',
);
const knownFields = fields.map(([name]) => name);
/** Lists whose texts are numbers: a file has numbers. */
const numbered: readonly string[] = ['closed_days', 'thresholds'];
/** What a file may leave out. */
const presets: Entry = Object.fromEntries(
  fields
    .filter(([name]) => name !== 'owner' && name !== 'owner_id')
    .map(([name, field]) => [name, entryValue(name, field, defaultInput(field))]),
);

/** Whether budgets of this owner are configuration. */
export const isConfigured = (owner: string): boolean => owner === 'group' || owner === 'model';

function entryValue(name: string, field: Field, value: unknown): unknown {
  const shown = fileValue(field, value);
  return numbered.includes(name) && Array.isArray(shown) ? shown.map(Number) : shown;
}

function fileEntry(row: BudgetEntity): Entry {
  const values: Entry = row;
  return Object.fromEntries(
    fields.map(([name, field]) => [name, entryValue(name, field, values[name])]),
  );
}

/** Budgets by their labels. Throws UsageError for a label that two of them would have. */
export function exportBudgets(live: readonly BudgetEntity[]): Entry {
  const sorted = [...byLabel(live)].sort(([a], [b]) => (a < b ? -1 : 1));
  const isPreset = (name: string, value: unknown) =>
    Object.hasOwn(presets, name) && canonicalText(value) === canonicalText(presets[name]);
  return Object.fromEntries(
    sorted.map(([label, row]) => {
      const entries = Object.entries(fileEntry(row));
      return [label, Object.fromEntries(entries.filter((entry) => !isPreset(...entry)))];
    }),
  );
}

/** What brings the budgets to those of the file. */
export function planBudgets(
  entries: Entry,
  live: readonly BudgetEntity[],
  { prune, problems }: PlanSettings,
): Plan<'budgets'> {
  const rows =
    problems.attempt(['budgets'], () => byLabel(live)) ?? new Map<string, BudgetEntity>();
  const planned = Object.entries(entries).flatMap(([label, value]): readonly Planned[] => {
    const path = ['budgets', label];
    const given = readEntry(path, value, problems);
    if (given === undefined) return [];
    const row = rows.get(label);
    if (row === undefined) {
      if (isShared(path, label, live, problems)) return [];
      return [planOne(path, { id: undefined, name: label }, {}, given, problems)];
    }
    const from = fileEntry(row);
    const to = { ...from, ...(prune && presets), ...given };
    if (canonicalText(from) === canonicalText(to)) return [];
    return [planOne(path, row, from, to, problems)];
  });
  const gone = prune ? [...rows].filter(([label]) => !Object.hasOwn(entries, label)) : [];
  const removals = gone.map(
    ([label, { id, name }]): Planned => ({
      change: { section: 'budgets', name: label, action: 'remove', lines: [] },
      sent: { id, name, label, remove: true },
    }),
  );
  const all = [...planned, ...removals];
  return {
    changes: all.map(({ change }) => change),
    request: { budgets: all.map(({ sent }) => sent) },
  };
}

function readEntry(path: Path, value: unknown, problems: Problems): Entry | undefined {
  if (!isObject(value)) {
    problems.add(path, texts.entry);
    return undefined;
  }
  for (const name of Object.keys(value))
    if (!knownFields.includes(name)) addUnknown(problems, [...path, name], knownFields);
  const { owner } = value;
  if (owner !== undefined && !isConfigured(String(owner)))
    problems.add([...path, 'owner'], texts.owner);
  // A field without a value is a field that is not named.
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null));
}

function planOne(
  path: Path,
  row: { readonly id: number | undefined; readonly name: string },
  from: Entry,
  to: Entry,
  problems: Problems,
): Planned {
  const label = path.at(-1) ?? '';
  const { id, name } = row;
  const rowValues: Entry = { ...row };
  const changed = fields.filter(
    ([field]) => to[field] !== undefined && canonicalText(to[field]) !== canonicalText(from[field]),
  );
  const values = changed.map(([field, declared]) => {
    const given = to[field];
    const isNumbers = numbered.includes(field) && Array.isArray(given);
    const meant = isNumbers
      ? given.map((part: unknown) => (typeof part === 'number' ? String(part) : part))
      : given;
    return [field, wireValue([...path, field], declared, meant, problems)];
  });
  const action = id === undefined ? 'add' : 'change';
  return {
    change: {
      section: 'budgets',
      name: label,
      action,
      lines: linesBetween(from, to, (text) => text),
    },
    sent: {
      ...Object.fromEntries(values),
      ...(id !== undefined && {
        id,
        seen: Object.fromEntries(changed.map(([field]) => [field, rowValues[field]])),
      }),
      name,
      label,
    },
  };
}

const texts = {
  entry: { en: 'must be a budget with its fields', zh: '应为包含字段的预算' },
  owner: {
    en: 'must be group or model: budgets of users and tokens are no configuration',
    zh: '应为 group 或 model：用户和令牌的预算不属于配置',
  },
} as const;
