import { type Decimal, decimal } from '../kernel/decimal.ts';
import { audioCompletionRules, audioRules, completionRules } from './defaults.ts';
import type { PriceDetailsEntry } from './details.ts';
import type { RatioRule } from './rows.ts';

export type RatioTable = ReadonlyMap<string, Decimal>;

/** The price options under their option keys: model or group → number. */
export interface PriceOptions {
  readonly ModelRatio: Readonly<Record<string, number>>;
  readonly ModelPrice: Readonly<Record<string, number>>;
  readonly CompletionRatio: Readonly<Record<string, number>>;
  readonly CacheRatio: Readonly<Record<string, number>>;
  readonly CreateCacheRatio: Readonly<Record<string, number>>;
  readonly AudioRatio: Readonly<Record<string, number>>;
  readonly AudioCompletionRatio: Readonly<Record<string, number>>;
  readonly ImageRatio: Readonly<Record<string, number>>;
  readonly ModelPriceDetails: Readonly<Record<string, PriceDetailsEntry>>;
  readonly GroupRatio: Readonly<Record<string, number>>;
  readonly GroupGroupRatio: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const priceOptionKeys = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
  'ModelPriceDetails',
  'GroupRatio',
  'GroupGroupRatio',
] as const satisfies readonly (keyof PriceOptions)[];

/** The price options, by what reads one. */
export function readPriceOptions(
  read: (key: keyof PriceOptions) => PriceOptions[keyof PriceOptions],
): PriceOptions {
  return Object.fromEntries(
    priceOptionKeys.map((key) => [key, read(key)]),
  ) as unknown as PriceOptions;
}

/** Everything a price depends on, as exact decimals. Immutable; rebuilt when an option changes. */
export interface PriceTables {
  readonly modelRatio: RatioTable;
  /** Units per call. */
  readonly modelPrice: RatioTable;
  readonly completionRatio: RatioTable;
  readonly cacheRatio: RatioTable;
  readonly createCacheRatio: RatioTable;
  readonly audioRatio: RatioTable;
  readonly audioCompletionRatio: RatioTable;
  readonly imageRatio: RatioTable;
  readonly details: ReadonlyMap<string, PriceDetailsEntry>;
  /** What is known of a model of which {@link details} says nothing. */
  readonly knownDetails: (model: string) => PriceDetailsEntry | undefined;
  readonly groupRatio: RatioTable;
  /** User's own group → effective group → ratio used instead of the effective group's. */
  readonly groupGroupRatio: ReadonlyMap<string, RatioTable>;
}

/**
 * `knownDetails`: the catalogue's; given, because the console's price editor does without it. Throws
 * RangeError on NaN and infinities, which the options' schemas already refuse.
 */
export function buildPriceTables(
  options: PriceOptions,
  knownDetails: PriceTables['knownDetails'] = () => undefined,
): PriceTables {
  return {
    modelRatio: ratioTable(options.ModelRatio),
    modelPrice: ratioTable(options.ModelPrice),
    completionRatio: ratioTable(options.CompletionRatio),
    cacheRatio: ratioTable(options.CacheRatio),
    createCacheRatio: ratioTable(options.CreateCacheRatio),
    audioRatio: ratioTable(options.AudioRatio),
    audioCompletionRatio: ratioTable(options.AudioCompletionRatio),
    imageRatio: ratioTable(options.ImageRatio),
    details: new Map(Object.entries(options.ModelPriceDetails)),
    knownDetails,
    groupRatio: ratioTable(options.GroupRatio),
    groupGroupRatio: new Map(
      Object.entries(options.GroupGroupRatio).map(([group, ratios]) => [group, ratioTable(ratios)]),
    ),
  };
}

function ratioTable(object: Readonly<Record<string, number>>): RatioTable {
  return new Map(Object.entries(object).map(([name, value]) => [name, decimal(value)]));
}

interface CompiledRule {
  readonly matches: RegExp;
  readonly ratio: Decimal;
}

/**
 * Sorted by the number of literal characters, most first; among equals the pattern without `*`
 * comes first.
 */
function compileRules(rules: readonly RatioRule[]): readonly CompiledRule[] {
  const weight = (pattern: string) =>
    pattern.replaceAll('*', '').length * 2 + (pattern.includes('*') ? 0 : 1);
  return [...rules]
    .sort(([a], [b]) => weight(b) - weight(a))
    .map(([pattern, ratio]) => ({
      matches: new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 'is'),
      ratio: decimal(ratio),
    }));
}

const compiled = {
  completion: compileRules(completionRules),
  audio: compileRules(audioRules),
  audioCompletion: compileRules(audioCompletionRules),
};

/**
 * The ratio of the built-in rule that matches a model name (docs/rules/pricing.md#built-in-rules),
 * if any.
 */
export function ratioByRule(kind: keyof typeof compiled, model: string): Decimal | undefined {
  return compiled[kind].find((rule) => rule.matches.test(model))?.ratio;
}
