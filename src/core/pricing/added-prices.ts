/** List prices that a site learned while it runs (docs/rules/models.md#adopted-prices). */
import { decimal, multiply, toNumber } from '../kernel/decimal.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { ModelRow } from '../models/schema.ts';
import { ratioAtUnit, ratiosOf, usualUnit } from './catalogue-prices.ts';
import {
  defaultAudioCompletionRatio,
  defaultAudioRatio,
  defaultCacheRatio,
  defaultCompletionRatio,
  defaultCreateCacheRatio,
  defaultImageRatio,
  defaultModelRatio,
} from './defaults.ts';
import type { PriceOptions } from './tables.ts';

type Table = Readonly<Record<string, number>>;
type Tables = Pick<
  PriceOptions,
  | 'ModelRatio'
  | 'CompletionRatio'
  | 'CacheRatio'
  | 'CreateCacheRatio'
  | 'AudioRatio'
  | 'AudioCompletionRatio'
  | 'ImageRatio'
>;

const kinds = {
  ModelRatio: { ratio: 'modelRatio', preset: defaultModelRatio },
  CompletionRatio: { ratio: 'completionRatio', preset: defaultCompletionRatio },
  CacheRatio: { ratio: 'cacheRatio', preset: defaultCacheRatio },
  CreateCacheRatio: { ratio: 'cacheWriteRatio', preset: defaultCreateCacheRatio },
  AudioRatio: { ratio: 'audioRatio', preset: defaultAudioRatio },
  AudioCompletionRatio: { ratio: 'audioCompletionRatio', preset: defaultAudioCompletionRatio },
  ImageRatio: { ratio: 'imageRatio', preset: defaultImageRatio },
} as const;
const tableNames = Object.keys(kinds) as readonly (keyof Tables)[];

/** An entry that is absent, or that of the program: no one has set it. */
function isUnset(table: Table, preset: Table, name: string): boolean {
  return table[name] === undefined || table[name] === preset[name];
}

function timesEach(prices: Table, margin: number): Table {
  const sold = (price: number) => toNumber(multiply(decimal(price), decimal(margin)));
  return Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, sold(price)]));
}

/** How learned prices are sold. */
interface Sale {
  /** Times the list price. */
  readonly margin?: number;
  /** Of the site: list prices are in units. */
  readonly quotaPerUnit?: number;
}

/**
 * The price options with what a site has learned of prices, `margin` times as high, and with list
 * prices that have changed on their day, where the site has set no price of its own. Details of
 * prices come from the catalogue itself.
 */
export function withAddedPrices(
  options: PriceOptions,
  catalogue: Pick<ModelCatalogue, 'added' | 'repriced'>,
  sale: Sale = {},
): PriceOptions {
  const { rows } = catalogue.added;
  // A name without a price of the site is not sold, and a changed list price must not sell it.
  const listed = catalogue.repriced.flatMap((row) =>
    namesOf(row)
      .filter((name) => options.ModelRatio[name] !== undefined)
      .map((name) => ({ ...row, name, aliases: [] })),
  );
  // Ratios of the program stay what they are, whatever quota of them a unit is.
  return withRows(withRows(options, rows, sale), listed, {});
}

function namesOf({ name, aliases = [] }: ModelRow): readonly string[] {
  return [name, ...aliases];
}

function withRows(
  options: PriceOptions,
  rows: readonly ModelRow[],
  { margin = 1, quotaPerUnit = usualUnit }: Sale,
): PriceOptions {
  const priced = rows.filter(({ price, secondPrices }) => (price ?? secondPrices) !== undefined);
  if (priced.length === 0) return options;
  const details = { ...options.ModelPriceDetails };
  const tables: Record<keyof Tables, Record<string, number>> = {
    ModelRatio: { ...options.ModelRatio },
    CompletionRatio: { ...options.CompletionRatio },
    CacheRatio: { ...options.CacheRatio },
    CreateCacheRatio: { ...options.CreateCacheRatio },
    AudioRatio: { ...options.AudioRatio },
    AudioCompletionRatio: { ...options.AudioCompletionRatio },
    ImageRatio: { ...options.ImageRatio },
  };
  for (const row of priced) {
    const { price, secondPrices } = row;
    const seconds = secondPrices && timesEach(secondPrices, margin);
    if (seconds !== undefined)
      for (const name of namesOf(row)) details[name] = { perSecond: seconds, ...details[name] };
    if (price === undefined) continue;
    const ratios = ratiosOf(price);
    const listed = ratioAtUnit(decimal(ratios.modelRatio ?? 0), decimal(quotaPerUnit));
    const sold = toNumber(multiply(listed, decimal(margin)));
    for (const name of namesOf(row)) {
      const isSet =
        options.ModelPrice[name] !== undefined ||
        !isUnset(options.ModelRatio, defaultModelRatio, name);
      if (isSet) continue;
      for (const table of tableNames) {
        const { ratio, preset } = kinds[table];
        const value = table === 'ModelRatio' ? sold : ratios[ratio];
        if (value !== undefined && isUnset(options[table], preset, name))
          tables[table][name] = value;
      }
    }
  }
  return { ...options, ...tables, ModelPriceDetails: details };
}
