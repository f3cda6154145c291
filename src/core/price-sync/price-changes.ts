/** What the price options would become, and which prices that changes. Pure. */
import { createHash } from 'node:crypto';
import { type Decimal, toNumber } from '../kernel/decimal.ts';
import { isObject } from '../kernel/json.ts';
import { takesEntry } from '../options/index.ts';
import { differingPrices } from '../pricing/all-prices.ts';
import type { PriceDetailsEntry } from '../pricing/details.ts';
import { findPrice, ownDetails } from '../pricing/find-price.ts';
import { type SourcePrice, type SourceTable, sourceTables } from '../pricing/source-entries.ts';
import type { PriceOptions, PriceTables } from '../pricing/tables.ts';

/** Currency units per million tokens or per call; null: there is none. */
export interface PriceChange {
  /** See allPrices. */
  readonly kind: string;
  readonly site: number | null;
  readonly source: number | null;
}

/** A model whose price would change. */
export interface ChangedModel {
  readonly model: string;
  readonly changes: readonly PriceChange[];
  /** Of what it would become: what is saved is what was seen. */
  readonly version: string;
}

/** Whether the options take all that a source says of a model. */
export function isSaveable(model: string, { details, ...tables }: SourcePrice): boolean {
  return (
    Object.entries(tables).every(([key, value]) => takesEntry(key as SourceTable, model, value)) &&
    (details === undefined || takesEntry('ModelPriceDetails', model, details))
  );
}

/** The options with these prices. The other way of billing ends. `now`: the tables of `options`. */
export function withPrices(
  options: PriceOptions,
  prices: ReadonlyMap<string, SourcePrice>,
  now: PriceTables,
): PriceOptions {
  const tables = Object.fromEntries(
    sourceTables.map((table) => [table, { ...options[table] }]),
  ) as Record<SourceTable, Record<string, number>>;
  const details = { ...options.ModelPriceDetails };
  for (const [model, price] of prices) {
    const entry = changedDetails(model, price.details ?? {}, now);
    if (entry !== undefined) details[model] = entry;
    for (const table of sourceTables) {
      const value = price[table];
      if (value !== undefined) tables[table][model] = value;
    }
    if (price.ModelPrice === undefined) delete tables.ModelPrice[model];
    // A price that the site has set goes before one by the second.
    if (price.details?.perSecond !== undefined) delete tables.ModelRatio[model];
  }
  return { ...options, ...tables, ModelPriceDetails: details };
}

/**
 * The entry of a model with the members that the source has otherwise; undefined: none. Tiers and
 * tools that it leaves out stay, and what is as the catalogue says is not written.
 */
function changedDetails(
  model: string,
  source: PriceDetailsEntry,
  tables: PriceTables,
): PriceDetailsEntry | undefined {
  const own = ownDetails(model, tables);
  const now = { ...tables.knownDetails(model), ...own };
  const merged = {
    ...source,
    ...(source.factors && { factors: { ...now.factors, ...source.factors } }),
    ...(source.cacheFactors && {
      cacheFactors: { ...now.cacheFactors, ...source.cacheFactors },
    }),
    ...(source.tools && { tools: { ...now.tools, ...source.tools } }),
    ...(source.perSecond && { perSecond: { ...now.perSecond, ...source.perSecond } }),
  };
  const changed = Object.entries(merged).filter(
    ([name, value]) => textOf(value) !== textOf(now[name as keyof PriceDetailsEntry]),
  );
  return changed.length === 0 ? undefined : { ...own, ...Object.fromEntries(changed) };
}

/** Decimal places to which factors are compared: lists round them. */
const places = 5;

/** Equal for values that mean the same, whatever their order and their last places are. */
function textOf(value: unknown): string {
  // No steps, or no hours, are none.
  if (Array.isArray(value) && value.length === 0) return '';
  const ordered = (part: unknown): unknown => {
    if (typeof part === 'number') return Number(part.toFixed(places));
    if (Array.isArray(part)) return part.map((entry) => JSON.stringify(ordered(entry))).sort();
    if (!isObject(part)) return part;
    return Object.entries(part)
      .map(([name, entry]) => [name, ordered(entry)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  };
  return JSON.stringify(ordered(value)) ?? '';
}

/** Each model of `prices` that costs something else in `after` than in `before`. */
export function changedModels(
  prices: ReadonlyMap<string, SourcePrice>,
  before: PriceTables,
  after: PriceTables,
  quotaPerUnit: Decimal,
): readonly ChangedModel[] {
  return [...prices].flatMap(([model, price]) => {
    const site = findPrice(model, before);
    const source = findPrice(model, after);
    const changes = differingPrices(site, source, quotaPerUnit).map(
      ({ name, from, to }): PriceChange => ({ kind: name, site: shown(from), source: shown(to) }),
    );
    return changes.length === 0 ? [] : [{ model, changes, version: versionOf(price) }];
  });
}

const shown = (price: Decimal | undefined) => (price === undefined ? null : toNumber(price));

function versionOf(price: SourcePrice): string {
  const ratios = sourceTables.map((table) => price[table] ?? null);
  const text = JSON.stringify([ratios, textOf(price.details)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
