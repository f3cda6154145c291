/** What the price options would become, and which prices that changes. Pure. */
import { createHash } from 'node:crypto';
import { compare, type Decimal, divide, one, toNumber } from '../kernel/decimal.ts';
import { findPrice } from '../pricing/find-price.ts';
import { type PriceKind, pricesByKind } from '../pricing/price-per-million.ts';
import { type SourcePrice, type SourceTable, sourceTables } from '../pricing/source-prices.ts';
import type { PriceOptions, PriceTables } from '../pricing/tables.ts';

/** Currency units per million tokens or per call; null: there is none. */
export interface PriceChange {
  readonly kind: PriceKind;
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

/** The options with these prices. The other way of billing ends. */
export function withPrices(
  options: PriceOptions,
  prices: ReadonlyMap<string, SourcePrice>,
): PriceOptions {
  const tables = Object.fromEntries(
    sourceTables.map((table) => [table, { ...options[table] }]),
  ) as Record<SourceTable, Record<string, number>>;
  for (const [model, price] of prices) {
    for (const table of sourceTables) {
      const value = price[table];
      if (value !== undefined) tables[table][model] = value;
    }
    if (price.ModelPrice === undefined) delete tables.ModelPrice[model];
  }
  return { ...options, ...tables };
}

/** Decimal places to which prices are compared: ratios that do not end are rounded. */
const places = 9;

/** Each model of `prices` that costs something else in `after` than in `before`. */
export function changedModels(
  prices: ReadonlyMap<string, SourcePrice>,
  before: PriceTables,
  after: PriceTables,
  quotaPerUnit: Decimal,
): readonly ChangedModel[] {
  return [...prices].flatMap(([model, price]) => {
    const [site, source] = [before, after].map((tables) => {
      const found = findPrice(model, tables);
      return found === undefined ? {} : pricesByKind(found, one, quotaPerUnit);
    }) as [Prices, Prices];
    const kinds = new Set([...Object.keys(site), ...Object.keys(source)]) as Set<PriceKind>;
    const changes = [...kinds].flatMap((kind): PriceChange[] => {
      const [from, to] = [rounded(site[kind]), rounded(source[kind])];
      const isSame = from === undefined || to === undefined ? from === to : compare(from, to) === 0;
      return isSame ? [] : [{ kind, site: shown(from), source: shown(to) }];
    });
    return changes.length === 0 ? [] : [{ model, changes, version: versionOf(price) }];
  });
}

type Prices = Readonly<Partial<Record<PriceKind, Decimal>>>;

const rounded = (price: Decimal | undefined) => price && divide(price, one, places);
const shown = (price: Decimal | undefined) => (price === undefined ? null : toNumber(price));

function versionOf(price: SourcePrice): string {
  const text = JSON.stringify(sourceTables.map((table) => price[table] ?? null));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
