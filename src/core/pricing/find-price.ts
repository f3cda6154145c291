import { type Decimal, decimal, one } from '../kernel/decimal.ts';
import { assumedModelRatio } from './assumed.ts';
import { type PriceDetails, type PriceDetailsEntry, readDetails } from './details.ts';
import { modelNamed, wildcardName } from './model-name.ts';
import { readSecondPrices, type SecondPrices } from './second-prices.ts';
import { type PriceTables, type RatioTable, ratioByRule } from './tables.ts';

/** A fixed price per call, in currency units. */
export interface CallPrice {
  readonly kind: 'call';
  readonly price: Decimal;
  /** Of a video that is sold by the second: `price` is the lowest of these that is not 0. */
  readonly perSecond?: SecondPrices;
}

/**
 * A price by tokens: quota per prompt token is `modelRatio × group ratio`; the other ratios
 * multiply that.
 */
export interface RatioPrice {
  readonly kind: 'ratio';
  readonly modelRatio: Decimal;
  readonly completionRatio: Decimal;
  readonly cacheRatio: Decimal;
  readonly cacheWriteRatio: Decimal;
  /** Absent: audio tokens cost the same as text tokens. */
  readonly audioRatio?: Decimal;
  readonly audioCompletionRatio: Decimal;
  readonly imageRatio: Decimal;
  /** Absent: the ratios are all there is. */
  readonly details?: PriceDetails;
  /** The model has no price; the user or the site accepts {@link assumedModelRatio}. */
  readonly assumed?: true;
}

export type ModelPrice = CallPrice | RatioPrice;

export interface FindPriceOptions {
  /** Option SelfUseModeEnabled. */
  readonly selfUse?: boolean;
  /** The user's setting accept_unset_model_ratio_model. */
  readonly acceptUnpriced?: boolean;
  /** False: a price by the second of video is none, because no video is ordered. */
  readonly perSecond?: boolean;
}

const assumedRatio = decimal(assumedModelRatio);
const defaultCacheWriteRatio = decimal('1.25');

/** Cached names per price tables. Bounded, because the names come from callers. */
const rememberedNames = 5000;
const remembered = new WeakMap<PriceTables, Map<string, ModelPrice | null>>();

/**
 * The price of the **requested** model name (docs/rules/pricing.md#price-order): a price per call,
 * else a ratio, else prices per second of video, else the assumed ratio where the site or the user accepts it. Undefined: no price;
 * the request fails with `model_price_error`.
 */
export function findPrice(
  model: string,
  tables: PriceTables,
  options: FindPriceOptions = {},
): ModelPrice | undefined {
  const price = findSetPrice(model, tables);
  const isOther = options.perSecond === false && price?.kind === 'call' && price.perSecond;
  if (price !== null && !isOther) return price;
  if (options.selfUse !== true && options.acceptUnpriced !== true) return undefined;
  return { ...ratioPrice(model, assumedRatio, tables), assumed: true };
}

function findSetPrice(model: string, tables: PriceTables): ModelPrice | null {
  let prices = remembered.get(tables);
  if (prices === undefined) {
    prices = new Map();
    remembered.set(tables, prices);
  }
  const known = prices.get(model);
  if (known !== undefined) return known;
  if (prices.size >= rememberedNames) prices.clear();
  const price = readPrice(model, tables);
  prices.set(model, price);
  return price;
}

function readPrice(model: string, tables: PriceTables): ModelPrice | null {
  const named = modelNamed(model);
  for (const names of [[model, wildcardName(model)], named === undefined ? [] : [named]]) {
    const perCall = firstOf(tables.modelPrice, names);
    if (perCall !== undefined) return { kind: 'call', price: perCall };
    const ratio = firstOf(tables.modelRatio, names);
    if (ratio !== undefined) return ratioPrice(model, ratio, tables);
  }
  const perSecond = readSecondPrices(
    tables.knownDetails(model)?.perSecond,
    ownDetails(model, tables)?.perSecond,
  );
  return perSecond === undefined
    ? null
    : { kind: 'call', price: perSecond.lowest, perSecond: perSecond.prices };
}

function firstOf<T>(table: ReadonlyMap<string, T>, names: readonly string[]): T | undefined {
  for (const name of names) {
    const value = table.get(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** As written, by wildcard, and that of the model whose snapshot it is. */
function namesOf(model: string): readonly string[] {
  const named = modelNamed(model);
  return [model, wildcardName(model), ...(named === undefined ? [] : [named])];
}

/** The entry of ModelPriceDetails that holds for a model; its members go before the catalogue's. */
export function ownDetails(model: string, tables: PriceTables): PriceDetailsEntry | undefined {
  return firstOf(tables.details, namesOf(model));
}

/**
 * Every ratio besides the model's own: the option's entry (by name, by wildcard name, by that of the
 * model whose snapshot it is), else the built-in rule, else the default.
 */
function ratioPrice(model: string, modelRatio: Decimal, tables: PriceTables): RatioPrice {
  const names = namesOf(model);
  const read = (table: RatioTable) => firstOf(table, names);
  const audioRatio = read(tables.audioRatio) ?? ratioByRule('audio', model);
  const cacheWriteRatio = read(tables.createCacheRatio) ?? defaultCacheWriteRatio;
  const details = readDetails({ ...tables.knownDetails(model), ...ownDetails(model, tables) });
  return {
    kind: 'ratio',
    modelRatio,
    completionRatio: read(tables.completionRatio) ?? ratioByRule('completion', model) ?? one,
    cacheRatio: read(tables.cacheRatio) ?? one,
    cacheWriteRatio,
    ...(audioRatio === undefined ? {} : { audioRatio }),
    audioCompletionRatio:
      read(tables.audioCompletionRatio) ?? ratioByRule('audioCompletion', model) ?? one,
    imageRatio: read(tables.imageRatio) ?? one,
    ...(details === undefined ? {} : { details }),
  };
}

/**
 * The group ratio of a call (docs/rules/pricing.md#group-ratio): the special ratio of the user's
 * own group for the effective group if there is one, else the effective group's ratio, else 1 (the
 * group was removed; the server logs it).
 */
export function groupRatioFor(
  userGroup: string,
  effectiveGroup: string,
  tables: PriceTables,
): Decimal {
  return (
    specialGroupRatio(userGroup, effectiveGroup, tables) ??
    tables.groupRatio.get(effectiveGroup) ??
    one
  );
}

/** The entry of GroupGroupRatio, logged as `user_group_ratio`. */
export function specialGroupRatio(
  userGroup: string,
  effectiveGroup: string,
  tables: PriceTables,
): Decimal | undefined {
  return tables.groupGroupRatio.get(userGroup)?.get(effectiveGroup);
}
