/** What log rows keep of a charge, so that it can be explained (docs/rules/usage-logs.md#other-fields). */
import { type Decimal, decimal, multiply, toNumber } from '../kernel/decimal.ts';
import {
  type BillableUsage,
  longCacheWriteRatio,
  type PricedUsage,
  searchTools,
  textBesideImages,
} from './cost.ts';
import {
  type CacheFactors,
  cacheFactorsOf,
  type Scale,
  type StepNumbers,
  scaleOf,
  stepNumbers,
} from './details.ts';
import type { ModelPrice, RatioPrice } from './find-price.ts';
import { type ImageOrder, imageFactor } from './images.ts';

/**
 * Price fields of a usage log's `other` (docs/rules/usage-logs.md#other-fields). With a price per
 * call, `model_price` is set and the ratios are 0.
 */
export interface PriceFields {
  readonly model_ratio: number;
  readonly model_price: number;
  readonly completion_ratio: number;
  readonly group_ratio: number;
  readonly user_group_ratio: number;
  readonly cache_tokens?: number;
  readonly cache_ratio?: number;
  /** Cached audio, with its ratio over that of audio. */
  readonly cache_audio_tokens?: number;
  readonly cache_audio_ratio?: number;
  readonly cache_image_tokens?: number;
  readonly cache_image_ratio?: number;
  /** Thinking among the completion, with its ratio over input, where it has its own. */
  readonly thinking_tokens?: number;
  readonly thinking_ratio?: number;
  /** Text and thinking beside images, with its ratio over output, where it has its own. */
  readonly text_output_tokens?: number;
  readonly text_output_ratio?: number;
  readonly cache_creation_tokens?: number;
  readonly cache_creation_ratio?: number;
  readonly cache_creation_tokens_1h?: number;
  readonly cache_creation_ratio_1h?: number;
  /** That over the ratio of the usual life, where the model has its own. */
  readonly cache_creation_factor_1h?: number;
  readonly image?: number;
  readonly image_ratio?: number;
  readonly web_search?: true;
  readonly web_search_call_count?: number;
  /** Currency units per 1,000. */
  readonly web_search_price?: number;
  readonly audio?: true;
  readonly audio_input?: number;
  readonly audio_output?: number;
  readonly text_input?: number;
  readonly text_output?: number;
  readonly audio_ratio?: number;
  readonly audio_completion_ratio?: number;
  /** The step of the prompt's length, with the factors of input and output. */
  readonly price_step?: StepNumbers;
  /** Tier, speed and place that the reply named, with their factors; null: without a price. */
  readonly tiers?: Readonly<Record<string, number | null>>;
  /** Of cache reads and writes in them, where they are others. */
  readonly cache_tiers?: Readonly<Record<string, CacheFactors>>;
  /** What other models did for the reply, each with its price. */
  readonly other_models?: readonly LoggedModel[];
  /** Calls of other tools that were charged; currency units per call. */
  readonly tool_calls?: Readonly<Record<string, LoggedCalls>>;
}

interface LoggedModel extends PriceFields {
  readonly model: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

interface LoggedCalls {
  readonly count: number;
  readonly price: number;
}

type AudioSplit = Required<
  Pick<
    PriceFields,
    | 'audio_input'
    | 'audio_output'
    | 'text_input'
    | 'text_output'
    | 'audio_ratio'
    | 'audio_completion_ratio'
  >
>;

/** Prices of searches are logged per 1,000. */
const thousand = decimal(1000);

/**
 * The fields of a log row from which `explainLog` can later explain the charge. `special`:
 * the entry of GroupGroupRatio.
 */
export function priceFields(
  usage: BillableUsage,
  price: ModelPrice,
  groupRatio: Decimal,
  special?: Decimal,
): PriceFields {
  const common = {
    group_ratio: toNumber(groupRatio),
    user_group_ratio: special === undefined ? -1 : toNumber(special),
  };
  if (price.kind === 'call') {
    const { cachedTokens = 0, cacheWriteTokens = 0 } = usage;
    return {
      model_ratio: 0,
      model_price: toNumber(price.price),
      completion_ratio: 0,
      ...common,
      // They cost nothing, and say what the prompt was.
      ...(cachedTokens > 0 && { cache_tokens: cachedTokens }),
      ...(cacheWriteTokens > 0 && { cache_creation_tokens: cacheWriteTokens }),
    };
  }
  const written = usage.cacheWriteTokens ?? usage.cacheWrite1hTokens ?? 0;
  return {
    model_ratio: toNumber(price.modelRatio),
    model_price: -1,
    completion_ratio: toNumber(price.completionRatio),
    ...common,
    cache_tokens: usage.cachedTokens ?? 0,
    cache_ratio: toNumber(price.cacheRatio),
    ...cachedAudioFields(usage, price),
    ...cachedImageFields(usage, price),
    ...((usage.reasoningTokens ?? 0) > 0 && price.details?.thinking !== undefined
      ? {
          thinking_tokens: usage.reasoningTokens,
          thinking_ratio: toNumber(price.details.thinking),
        }
      : {}),
    ...(price.details?.textOutput !== undefined && {
      text_output_tokens: textBesideImages(usage, usage.completionTokens ?? 0, price.details),
      text_output_ratio: toNumber(price.details.textOutput),
    }),
    ...(written > 0
      ? { cache_creation_tokens: written, cache_creation_ratio: toNumber(price.cacheWriteRatio) }
      : {}),
    ...((usage.cacheWrite1hTokens ?? 0) > 0
      ? {
          cache_creation_tokens_1h: usage.cacheWrite1hTokens,
          cache_creation_ratio_1h: toNumber(longCacheWriteRatio(price)),
          ...(price.details?.longCacheWrite === undefined
            ? {}
            : { cache_creation_factor_1h: toNumber(price.details.longCacheWrite) }),
        }
      : {}),
    ...((usage.promptImageTokens ?? 0) > 0
      ? { image: usage.promptImageTokens, image_ratio: toNumber(price.imageRatio) }
      : {}),
    ...audioFields(usage, price),
    ...scaleFields(scaleOf(usage, price.details)),
    ...(usage.toolCalls === undefined ? {} : toolFields(usage.toolCalls, price)),
  };
}

function cachedAudioFields(
  { cachedAudioTokens = 0 }: BillableUsage,
  { audioRatio, details }: RatioPrice,
): Partial<PriceFields> {
  if (cachedAudioTokens <= 0 || audioRatio === undefined || details?.cachedAudio === undefined)
    return {};
  return {
    cache_audio_tokens: cachedAudioTokens,
    cache_audio_ratio: toNumber(details.cachedAudio),
    audio_ratio: toNumber(audioRatio),
  };
}

function cachedImageFields(
  { cachedImageTokens = 0 }: BillableUsage,
  { imageRatio, details }: RatioPrice,
): Partial<PriceFields> {
  if (cachedImageTokens <= 0 || details?.cachedImage === undefined) return {};
  return {
    cache_image_tokens: cachedImageTokens,
    cache_image_ratio: toNumber(details.cachedImage),
    image_ratio: toNumber(imageRatio),
  };
}

/** The same for what other models did. */
export function otherModelFields(
  others: readonly PricedUsage[] | undefined,
  groupRatio: Decimal,
): Pick<PriceFields, 'other_models'> {
  if (others === undefined) return {};
  return {
    other_models: others.map(({ model, usage, price }) => ({
      model,
      prompt_tokens: usage.promptTokens ?? 0,
      completion_tokens: usage.completionTokens ?? 0,
      ...priceFields(usage, price, groupRatio),
    })),
  };
}

function scaleFields(scale: Scale | undefined): Partial<PriceFields> {
  if (scale === undefined) return {};
  const { step, tiers } = scale;
  const factors = tiers.map(({ name, factor }) => [name, factor ? toNumber(factor) : null]);
  const caches = cacheFactorsOf(tiers.map((tier) => [tier.name, tier]));
  return {
    ...(step && { price_step: stepNumbers(step) }),
    ...(tiers.length === 0 ? {} : { tiers: Object.fromEntries(factors) }),
    ...(caches && { cache_tiers: caches }),
  };
}

/** Searches under New API's names, `web_search` first, and all else under ours. */
function toolFields(
  calls: Readonly<Record<string, number>>,
  { details }: RatioPrice,
): Partial<PriceFields> {
  const charged = Object.entries(calls).flatMap(([tool, count]) => {
    const price = details?.tools.get(tool);
    return price === undefined || !(count > 0) ? [] : [{ tool, count, price }];
  });
  const search =
    charged.find(({ tool }) => tool === 'web_search') ??
    charged.find(({ tool }) => searchTools.has(tool));
  const named = charged.flatMap((call) =>
    call === search ? [] : [[call.tool, { count: call.count, price: toNumber(call.price) }]],
  );
  return {
    ...(search && {
      web_search: true,
      web_search_call_count: search.count,
      web_search_price: toNumber(multiply(search.price, thousand)),
    }),
    ...(named.length > 0 && { tool_calls: Object.fromEntries(named) }),
  };
}

/**
 * Price fields of images that were charged individually. `model_price` is the price of one without
 * size or quality factors.
 */
export interface ImageFields {
  readonly image_count: number;
  readonly image_size: string;
  readonly image_quality?: string;
  /** Factor for size and quality. */
  readonly image_factor: number;
  /** For a model with a ratio: `model_price` is derived from it and may be rounded. */
  readonly image_model_ratio?: number;
}

/** `price`: that of the model, not yet of one image. */
export function imageFields(model: string, order: ImageOrder, price: ModelPrice): ImageFields {
  const { count, size, quality } = order;
  return {
    image_count: count,
    image_size: size,
    ...(quality === '' ? {} : { image_quality: quality }),
    image_factor: toNumber(imageFactor(model, order)),
    ...(price.kind === 'ratio' ? { image_model_ratio: toNumber(price.modelRatio) } : {}),
  };
}

function audioFields(usage: BillableUsage, price: RatioPrice): Partial<PriceFields> {
  if ((usage.promptAudioTokens ?? 0) + (usage.completionAudioTokens ?? 0) === 0) return {};
  const split = audioSplit(usage, price);
  return split === undefined ? {} : { audio: true, ...split };
}

/** Those of a reply on a realtime connection: the audio split also where it has only text. */
export function realtimeFields(
  usage: BillableUsage,
  price: ModelPrice,
): { readonly ws: true } & Partial<AudioSplit> {
  return { ws: true, ...(price.kind === 'ratio' ? audioSplit(usage, price) : {}) };
}

/** Undefined: audio costs the same as text. */
function audioSplit(usage: BillableUsage, price: RatioPrice): AudioSplit | undefined {
  if (price.audioRatio === undefined) return undefined;
  const audioIn = usage.promptAudioTokens ?? 0;
  const audioOut = usage.completionAudioTokens ?? 0;
  return {
    audio_input: audioIn,
    audio_output: audioOut,
    text_input: Math.max(0, (usage.promptTokens ?? 0) - audioIn),
    text_output: Math.max(0, (usage.completionTokens ?? 0) - audioOut),
    audio_ratio: toNumber(price.audioRatio),
    audio_completion_ratio: toNumber(price.audioCompletionRatio),
  };
}
