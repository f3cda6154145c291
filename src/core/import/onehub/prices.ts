/**
 * Prices of one-hub (model/price.go, model/pricing.go, relay/relay_util/quota.go, 2026-02-20) become
 * the price options. The arithmetic: docs/rules/import.md#one-hub-prices.
 */

import { typeOfModel } from '../../models/model-type.ts';
import { defaultOptions } from '../../options/index.ts';
import type { PriceDetailsEntry } from '../../pricing/details.ts';
import { findListPrice } from '../../pricing/list-prices.ts';
import { sourceTables } from '../../pricing/source-entries.ts';
import type { StoredOption } from '../../storage/storage.ts';
import { mapOption } from '../mapping/options.ts';
import { Notes } from '../notes.ts';
import type { TableReport } from '../report.ts';
import { type CacheWords, cacheWordsOf } from './channel-types.ts';
import { isPattern, type OldPrice, type OldSite } from './old-site.ts';
import { callPrice, type PriceEntries, tokenPrice } from './price-entries.ts';

interface Carried {
  readonly report: TableReport;
  readonly options: readonly StoredOption[];
}

const priceKeys = [...sourceTables, 'ModelPriceDetails'] as const;

/** What a token costs of a model without a price: `DefaultPrice`. */
const assumed = 30;

/** `set`: options that the site has already. It keeps all of its prices where it has some. */
export function carryPrices(site: OldSite, set: ReadonlySet<string>): Carried {
  const { prices } = site;
  const notes = new Notes();
  if (priceKeys.some((key) => set.has(key)))
    return { report: reportOf(prices.length, 0, prices.length, notes), options: [] };
  const unit = Number(site.options.get('QuotaPerUnit') ?? 0) || defaultOptions().QuotaPerUnit;
  const book = new PriceBook(prices);
  const sales = salesOf(site, book, notes);
  const tables = new Map(priceKeys.map((key) => [key, {} as Record<string, unknown>] as const));
  const carried = new Set<OldPrice>();
  const names = new Set([...book.names(), ...sales.keys()]);
  for (const name of [...names].sort()) {
    const price = sales.get(name)?.price ?? book.find(name) ?? assumedPrice(name);
    const words = sales.get(name)?.words ?? [cacheWordsOf(price.channelType, price.channelType)];
    const entries = entriesOf(name, price, words, unit, notes);
    if (entries === undefined) continue;
    carried.add(price);
    for (const [key, value] of Object.entries(entries)) {
      const table = tables.get(key as (typeof priceKeys)[number]);
      if (table !== undefined && value !== undefined) table[name] = value;
    }
  }
  const options = [...tables].flatMap(
    ([key, table]) => mapOption(key, JSON.stringify(table), notes) ?? [],
  );
  const used = prices.filter((price) => carried.has(price)).length;
  return { report: reportOf(prices.length, used, 0, notes), options };
}

const reportOf = (read: number, carried: number, there: number, notes: Notes): TableReport => ({
  table: 'prices',
  read,
  carried,
  leftOut: read - carried - there,
  alreadyThere: there,
  notes: notes.list(),
});

/** The price of a name is that of its row, else that of a row whose `*` stands for its end. */
class PriceBook {
  readonly #byName: ReadonlyMap<string, OldPrice>;
  /** The longest beginnings first. */
  readonly #patterns: readonly OldPrice[];

  constructor(prices: readonly OldPrice[]) {
    // Of rows with the same name the last one counts.
    this.#byName = new Map(prices.map((price) => [price.model, price]));
    this.#patterns = [...this.#byName.values()]
      .filter(({ model }) => isPattern(model))
      .sort((a, b) => b.model.length - a.model.length);
  }
  names(): readonly string[] {
    return [...this.#byName.keys()].filter((name) => name !== '' && !isPattern(name));
  }
  find(name: string): OldPrice | undefined {
    return (
      this.#byName.get(name) ??
      this.#patterns.find(({ model }) => name.startsWith(model.replace(/\*+$/, '')))
    );
  }
}

const assumedPrice = (model: string): OldPrice => ({
  model,
  isPerCall: false,
  channelType: 0,
  input: assumed,
  output: assumed,
  ratios: {},
});

/** What a name costs that channels sell, and how their replies count what was cached. */
interface Sale {
  price: OldPrice;
  readonly words: CacheWords[];
}

/**
 * Here the requested name has one price, whichever channel answers: the highest, where they sell it
 * as several models.
 */
function salesOf({ offers }: OldSite, book: PriceBook, notes: Notes): ReadonlyMap<string, Sale> {
  const sales = new Map<string, Sale>();
  const ofPatterns = new Map<string, number>();
  for (const { channelType, models } of offers)
    for (const [name, priced] of models) {
      const price = book.find(priced) ?? assumedPrice(priced);
      const words = cacheWordsOf(channelType, price.channelType);
      const sale = sales.get(name);
      if (sale === undefined) {
        sales.set(name, { price, words: [words] });
        if (book.find(priced) === undefined) notes.add('price_assumed', name);
        if (isPattern(price.model))
          ofPatterns.set(price.model, (ofPatterns.get(price.model) ?? 0) + 1);
        continue;
      }
      if (!sale.words.includes(words)) sale.words.push(words);
      if (isSamePrice(sale.price, price)) continue;
      notes.add('price_differs', `${name}: ${sale.price.model}, ${price.model}`);
      if (price.input > sale.price.input) sale.price = price;
    }
  for (const [pattern, count] of ofPatterns) notes.add('price_pattern', pattern, count);
  return sales;
}

const isSamePrice = (first: OldPrice, second: OldPrice): boolean =>
  first.isPerCall === second.isPerCall &&
  first.input === second.input &&
  first.output === second.output &&
  JSON.stringify(Object.entries(first.ratios).sort()) ===
    JSON.stringify(Object.entries(second.ratios).sort());

/** Undefined: no price of ours says the same. */
function entriesOf(
  name: string,
  price: OldPrice,
  words: readonly CacheWords[],
  unit: number,
  notes: Notes,
): (PriceEntries & { readonly ModelPriceDetails?: PriceDetailsEntry }) | undefined {
  if (price.isPerCall) return callPrice(price, unit);
  const type = typeOfModel(name);
  if (type === 'image' || type === 'audio' || type === 'video') notes.add('price_counted', name);
  // Sold by the call everywhere: 1,000 tokens are charged for one there (common/token.go).
  if (findListPrice(name)?.kind === 'call') return callPrice(price, unit);
  const found = words.map((one) => tokenPrice(name, price, one));
  const [first] = found;
  if (first === undefined || first.entries === undefined) {
    notes.add('price_left_out', name);
    return undefined;
  }
  const [highest = first] = [...found].sort(
    (a, b) => (b.entries?.CacheRatio ?? 1) - (a.entries?.CacheRatio ?? 1),
  );
  if (new Set(found.map(({ entries }) => JSON.stringify(entries))).size > 1)
    notes.add('price_differs', `${name}: CacheRatio`);
  for (const part of highest.leftOut) notes.add('price_part_left_out', `${name}: ${part}`);
  return highest.entries;
}
