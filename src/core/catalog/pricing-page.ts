import type { PricingRow } from '../contract/catalog.ts';
import { type Decimal, divide, one, toNumber } from '../kernel/decimal.ts';
import { cacheFactorsOf, type PriceDetails, stepNumbers } from '../pricing/details.ts';
import { findPrice, type ModelPrice } from '../pricing/find-price.ts';
import { imageFactors, isPricedEach } from '../pricing/images.ts';
import { priceChangeOf } from '../pricing/price-change.ts';
import type { PriceTables } from '../pricing/tables.ts';
import { taskPrice } from '../pricing/task-price.ts';
import { type VideoRatioTable, videoRatioEntry } from '../pricing/video-ratios.ts';
import type { ModelType, PlaygroundKind } from '../vocabulary/model-square.ts';

export interface PricingDeps {
  /** Types that the operator gave to models. */
  readonly givenTypes: () => Promise<ReadonlyMap<string, ModelType>>;
  /** What channels and adapters can serve now. */
  readonly served: (given: ReadonlyMap<string, ModelType>) => ReadonlyMap<string, Served>;
  readonly prices: () => PriceTables;
  readonly videoRatios: () => VideoRatioTable;
  readonly modelEnds: () => ReadonlyMap<string, ModelEnd>;
}

interface Served {
  readonly groups: ReadonlySet<string>;
  readonly playground: PlaygroundKind | undefined;
  readonly editsImages: boolean;
  readonly isTask: boolean;
}

/** When the last channel that serves a model loses it. */
export interface ModelEnd {
  readonly ends: string;
  readonly successor?: string;
}

/** One row per model that can be served now, by name (docs/rules/pricing.md#pricing-page). */
export function bindListPricing({
  givenTypes,
  served,
  prices,
  videoRatios,
  modelEnds,
}: PricingDeps): () => Promise<readonly PricingRow[]> {
  return async () => {
    const models = served(await givenTypes());
    const tables = { prices: prices(), videoRatios: videoRatios() };
    const ends = modelEnds();
    return [...models]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([model, { groups, playground, editsImages, isTask }]) => ({
        ...describeModel(model, [...groups].sort(), tables, {
          isImage: playground === 'image',
          isTask,
        }),
        ...ends.get(model),
        ...(playground !== undefined && { playground }),
        ...(editsImages && { edits_images: true }),
      }));
  };
}

/** What decides about the way in which a model is charged. */
interface Use {
  /** It makes images. */
  readonly isImage?: boolean;
  /** What it does is a task, with a price of its own for each. */
  readonly isTask?: boolean;
}

/** A row of the price list, also of a model that no channel serves. */
export function describeModel(
  model: string,
  groups: string[],
  { prices, videoRatios }: { readonly prices: PriceTables; readonly videoRatios: VideoRatioTable },
  { isImage = false, isTask = false }: Use = {},
): PricingRow {
  const set = findPrice(model, prices);
  const price = isTask ? taskPrice(set) : (set ?? findPrice(model, prices, { selfUse: true }));
  const row = {
    model_name: model,
    owner_by: '',
    enable_groups: groups,
    unpriced: set === undefined,
    ...(isImage && price !== undefined && isPricedEach(model, price)
      ? { image_factors: numbers(imageFactors(model)) }
      : {}),
  };
  if (price?.kind !== 'ratio') {
    const perCall = price === undefined ? 0 : toNumber(price.price);
    const none = {
      model_ratio: 0,
      completion_ratio: 0,
      cache_ratio: 0,
      cache_creation_ratio: 0,
      image_ratio: 0,
    };
    const perSecond = perSecondOf(price) ?? videoRatioEntry(model, videoRatios);
    return {
      ...row,
      quota_type: 1,
      model_price: perCall,
      ...none,
      audio_completion_ratio: 0,
      ...(perSecond !== undefined && { video_ratios: numbers(perSecond) }),
    };
  }
  const next = priceChangeOf(model, set);
  return {
    ...row,
    ...(next && { next_price: { ...next } }),
    quota_type: 0,
    model_ratio: toNumber(price.modelRatio),
    model_price: 0,
    completion_ratio: toNumber(price.completionRatio),
    cache_ratio: toNumber(price.cacheRatio),
    cache_creation_ratio: toNumber(price.cacheWriteRatio),
    create_cache_ratio: toNumber(price.cacheWriteRatio),
    image_ratio: toNumber(price.imageRatio),
    ...(price.audioRatio === undefined ? {} : { audio_ratio: toNumber(price.audioRatio) }),
    audio_completion_ratio: toNumber(price.audioCompletionRatio),
    ...(price.details === undefined ? {} : { details: describeDetails(price.details) }),
  };
}

/** Of a price by the second: each resolution over the lowest. */
function perSecondOf(price: ModelPrice | undefined): ReadonlyMap<string, Decimal> | undefined {
  if (price?.kind !== 'call' || price.perSecond === undefined) return undefined;
  const ratio = (second: Decimal) =>
    price.price.digits === 0n ? one : divide(second, price.price, ratioPlaces);
  return new Map([...price.perSecond].map(([name, second]) => [name, ratio(second)]));
}

/** Decimal places of ratios that are shown. */
const ratioPlaces = 12;

function describeDetails(details: PriceDetails): PricingRow['details'] {
  const { steps, factors, peakHours, longCacheWrite, tools } = details;
  const { cachedAudio, cachedImage, thinking, textOutput } = details;
  const caches = cacheFactorsOf(factors);
  return {
    steps: steps.map(stepNumbers),
    factors: numbers(new Map([...factors].map(([name, { factor }]) => [name, factor]))),
    ...(caches && { cache_factors: caches }),
    ...(peakHours && {
      peak_hours: peakHours.map(({ days, from, to }) => ({ days: [...days], from, to })),
    }),
    ...(longCacheWrite && { long_cache_write_ratio: toNumber(longCacheWrite) }),
    ...(cachedAudio && { cached_audio_ratio: toNumber(cachedAudio) }),
    ...(cachedImage && { cached_image_ratio: toNumber(cachedImage) }),
    ...(thinking && { thinking_ratio: toNumber(thinking) }),
    ...(textOutput && { text_output_ratio: toNumber(textOutput) }),
    tools: numbers(tools),
  };
}

const numbers = (decimals: ReadonlyMap<string, Decimal>): Record<string, number> =>
  Object.fromEntries([...decimals].map(([name, value]) => [name, toNumber(value)]));
