/**
 * The price options as tables: model → number. A form holds their JSON texts; the table editor is a
 * second view of these.
 */
import { isObject, parseJson } from '../../../../core/kernel/json.ts';
import { catalogueDetails } from '../../../../core/pricing/catalogue-details.ts';
import type { PriceDetailsEntry } from '../../../../core/pricing/details.ts';
import { buildPriceTables, type PriceTables } from '../../../../core/pricing/tables.ts';

export const priceTableKeys = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
] as const;
export type PriceTableKey = (typeof priceTableKeys)[number];

export type PriceTable = Readonly<Record<string, number>>;
export type Tables = Readonly<Record<PriceTableKey, PriceTable>>;

/** What the tables say of one model; absent: nothing. */
export type PriceValues = Readonly<Partial<Record<PriceTableKey, number>>>;
/** A change of one model: a number is set, null removes the entry, absent leaves it. */
export type PriceEdit = Readonly<Partial<Record<PriceTableKey, number | null>>>;

export interface PriceRow {
  readonly name: string;
  readonly values: PriceValues;
  /** It differs from what is stored. */
  readonly changed: boolean;
  /** It has a fixed price and a ratio: the fixed price is charged. */
  readonly conflict: boolean;
}

/** The table of a JSON text; undefined where it is no object of numbers that are not negative. */
export function readTable(text: string): PriceTable | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  return Object.values(value).every(
    (entry) => typeof entry === 'number' && Number.isFinite(entry) && entry >= 0,
  )
    ? (value as PriceTable)
    : undefined;
}

/** All tables, or the options whose text is no table. */
export function readTables(
  textOf: (key: PriceTableKey) => string,
): Tables | readonly PriceTableKey[] {
  const read = priceTableKeys.map((key) => [key, readTable(textOf(key))] as const);
  const broken = read.filter(([, table]) => table === undefined).map(([key]) => key);
  return broken.length > 0 ? broken : (Object.fromEntries(read) as Tables);
}

export function isBroken(
  tables: Tables | readonly PriceTableKey[],
): tables is readonly PriceTableKey[] {
  return Array.isArray(tables);
}

export function valuesOf(name: string, tables: Tables): PriceValues {
  const values: Partial<Record<PriceTableKey, number>> = {};
  for (const key of priceTableKeys) {
    const table = tables[key];
    if (Object.hasOwn(table, name)) values[key] = table[name] as number;
  }
  return values;
}

/** Case does not matter. */
const { compare: byName } = new Intl.Collator('en');

/** A row for each model that any table names, by name. */
export function rowsOf(tables: Tables, stored: Tables | undefined): readonly PriceRow[] {
  const names = new Set(priceTableKeys.flatMap((key) => Object.keys(tables[key])));
  return [...names].sort(byName).map((name) => {
    const values = valuesOf(name, tables);
    const before = stored === undefined ? values : valuesOf(name, stored);
    return {
      name,
      values,
      changed: priceTableKeys.some((key) => values[key] !== before[key]),
      conflict: values.ModelPrice !== undefined && values.ModelRatio !== undefined,
    };
  });
}

function sameTable(a: PriceTable, b: PriceTable | undefined): boolean {
  if (b === undefined) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
  );
}

/**
 * The text of a table as the JSON view shows it. Equal content is the stored text, so that it does
 * not count as changed.
 */
export function textOfTable(table: PriceTable, stored: string): string {
  return sameTable(table, readTable(stored)) ? stored : JSON.stringify(table, null, 2);
}

/** The tables that an edit of these models changes. */
export function editTables(
  tables: Tables,
  names: readonly string[],
  edit: PriceEdit,
): Partial<Tables> {
  const changed: Partial<Record<PriceTableKey, PriceTable>> = {};
  for (const key of priceTableKeys) {
    const value = edit[key];
    if (value === undefined) continue;
    if (value === null) {
      const removed = new Set(names);
      changed[key] = Object.fromEntries(
        Object.entries(tables[key]).filter(([name]) => !removed.has(name)),
      );
    } else {
      changed[key] = { ...tables[key], ...Object.fromEntries(names.map((name) => [name, value])) };
    }
  }
  return changed;
}

/** Removes models from all tables. */
export const noPrice: PriceEdit = Object.fromEntries(priceTableKeys.map((key) => [key, null]));

/** As prices are found in; groups do not matter here. */
export function lookUpTables(tables: Tables, details: DetailsTable = {}): PriceTables {
  return buildPriceTables(
    { ...tables, ModelPriceDetails: details, GroupRatio: {}, GroupGroupRatio: {} },
    catalogueDetails,
  );
}

/** The option ModelPriceDetails. */
export type DetailsTable = Readonly<Record<string, PriceDetailsEntry>>;

/** Undefined: the text is none that the editor can change; the server says what is wrong with it. */
export function readDetailsTable(text: string): DetailsTable | undefined {
  const value = parseJson(text);
  if (!isObject(value) || !Object.values(value).every(isObject)) return undefined;
  return value as DetailsTable;
}

/** The text with one entry in place of another; equal content is the stored text. */
export function textOfDetails(table: DetailsTable, stored: string): string {
  return JSON.stringify(table) === JSON.stringify(parseJson(stored))
    ? stored
    : JSON.stringify(table, null, 2);
}
