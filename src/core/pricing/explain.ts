import { type Decimal, decimal, divide, multiply, one, toNumber } from '../kernel/decimal.ts';
import type { Quota } from '../kernel/quota.ts';
import {
  type BillableUsage,
  type Charge,
  type ChargeKind,
  type ChargeLine,
  oneHourFactor,
  priceCalls,
  priceUsage,
} from './cost.ts';
import type { CallPrice, ModelPrice, RatioPrice } from './find-price.ts';
import { type ImageOrder, imageFactor, imagePriceOfRatio } from './images.ts';
import { pricePerMillion } from './price-per-million.ts';

/** A line of the price ticket as it is displayed: `count × price = amount`. */
export interface TicketLine extends ChargeLine {
  /**
   * Currency units per 1M tokens before the group ratio; per call or search where {@link
   * isPerCall}.
   */
  readonly price: Decimal;
  /** Currency units, before the group ratio and unrounded. */
  readonly amount: Decimal;
}

/** Whether the count of a line is calls or searches rather than tokens. */
export function isPerCall(kind: ChargeKind): boolean {
  return kind === 'call' || kind === 'webSearch';
}

/** A charge with its prices: lines, then × group ratio, then raw → quota ÷ QuotaPerUnit. */
export interface Ticket {
  readonly lines: readonly TicketLine[];
  readonly groupRatio: Decimal;
  /** Quota before rounding. */
  readonly raw: Decimal;
  /** Quota charged. */
  readonly quota: number;
  /**
   * False: the charge differs from what the figures of the row give (imported, surcharged). Show
   * only the quota.
   */
  readonly exact: boolean;
}

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
  readonly cache_creation_tokens?: number;
  readonly cache_creation_ratio?: number;
  readonly cache_creation_tokens_1h?: number;
  readonly cache_creation_ratio_1h?: number;
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

/**
 * The fields of a log row from which {@link explainLog} can later explain the charge. `special`:
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
    return { model_ratio: 0, model_price: toNumber(price.price), completion_ratio: 0, ...common };
  }
  const written = usage.cacheWriteTokens ?? usage.cacheWrite1hTokens ?? 0;
  return {
    model_ratio: toNumber(price.modelRatio),
    model_price: -1,
    completion_ratio: toNumber(price.completionRatio),
    ...common,
    cache_tokens: usage.cachedTokens ?? 0,
    cache_ratio: toNumber(price.cacheRatio),
    ...(written > 0
      ? { cache_creation_tokens: written, cache_creation_ratio: toNumber(price.cacheWriteRatio) }
      : {}),
    ...((usage.cacheWrite1hTokens ?? 0) > 0
      ? {
          cache_creation_tokens_1h: usage.cacheWrite1hTokens,
          cache_creation_ratio_1h: toNumber(multiply(price.cacheWriteRatio, oneHourFactor)),
        }
      : {}),
    ...((usage.promptImageTokens ?? 0) > 0
      ? { image: usage.promptImageTokens, image_ratio: toNumber(price.imageRatio) }
      : {}),
    ...searchFields(usage, price),
    ...audioFields(usage, price),
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

function searchFields(
  { webSearchRequests = 0 }: BillableUsage,
  { searchPrice }: RatioPrice,
): Partial<PriceFields> {
  if (searchPrice === undefined || webSearchRequests <= 0) return {};
  return {
    web_search: true,
    web_search_call_count: webSearchRequests,
    web_search_price: toNumber(searchPrice),
  };
}

function audioFields(usage: BillableUsage, price: RatioPrice): Partial<PriceFields> {
  if ((usage.promptAudioTokens ?? 0) + (usage.completionAudioTokens ?? 0) === 0) return {};
  const split = audioSplit(usage, price);
  return split === undefined ? {} : { audio: true, ...split };
}

/**
 * Price fields of a reply on a realtime connection; the audio split is written even for text-only
 * replies.
 */
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

/** The fields of a usage log row that explain its cost, named as in the API. */
export interface LoggedCharge {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly quota: number;
  /** The row's `other`, parsed. */
  readonly other: Readonly<Record<string, unknown>>;
}

/**
 * The price ticket of a log row, native or imported. Undefined when the row has no price (top-ups,
 * old rows).
 */
export function explainLog(row: LoggedCharge, quotaPerUnit: Decimal): Ticket | undefined {
  const price = readPrice(row.other);
  if (price === undefined) return undefined;
  const special = numberIn(row.other, 'user_group_ratio');
  const groupRatio =
    special !== undefined && special >= 0 ? special : (numberIn(row.other, 'group_ratio') ?? 1);
  const images = numberIn(row.other, 'image_count');
  const charge =
    price.kind === 'call' && images !== undefined
      ? priceCalls(
          multiply(
            imageUnitPrice(price, row.other),
            decimal(numberIn(row.other, 'image_factor') ?? 1),
          ),
          images,
          decimal(groupRatio),
          quotaPerUnit,
        )
      : priceUsage(readUsage(row), price, decimal(groupRatio), quotaPerUnit);
  return makeTicket(charge, quotaPerUnit, row.quota);
}

/** The exact price of one image. */
function imageUnitPrice({ price }: CallPrice, other: LoggedCharge['other']): Decimal {
  const ratio = numberIn(other, 'image_model_ratio');
  return ratio === undefined ? price : imagePriceOfRatio(decimal(ratio));
}

/** Adds prices to the lines of a charge. `charged` is the quota in the ledger, where known. */
export function makeTicket(
  charge: Charge,
  quotaPerUnit: Decimal,
  charged: number | Quota = charge.quota,
): Ticket {
  const lines = charge.lines.map((line) => ({
    ...line,
    price: isPerCall(line.kind)
      ? divide(line.ratio, quotaPerUnit, 12)
      : pricePerMillion(line.ratio, quotaPerUnit),
    amount: divide(multiply(line.ratio, decimal(line.count)), quotaPerUnit, 12),
  }));
  return {
    lines,
    groupRatio: charge.groupRatio,
    raw: charge.raw,
    quota: charged,
    exact: charged === charge.quota,
  };
}

/** Whether a log row with this parsed `other` was charged per call, regardless of its usage. */
export function isFixedPrice(other: Readonly<Record<string, unknown>>): boolean {
  return readPrice(other)?.kind === 'call';
}

function readPrice(other: Readonly<Record<string, unknown>>): ModelPrice | undefined {
  const perCall = numberIn(other, 'model_price');
  const modelRatio = numberIn(other, 'model_ratio');
  // One API / New API write −1 for "none", and 0 in both fields for a model that is free per call.
  if (perCall !== undefined && perCall >= 0 && !(perCall === 0 && (modelRatio ?? 0) > 0)) {
    return { kind: 'call', price: decimal(perCall) };
  }
  if (modelRatio === undefined) return undefined;
  const ratio = (key: string) => decimal(numberIn(other, key) ?? 1);
  const hasAudio = numberIn(other, 'audio_ratio') !== undefined;
  const searches = numberIn(other, 'web_search_price');
  return {
    kind: 'ratio',
    modelRatio: decimal(modelRatio),
    completionRatio: ratio('completion_ratio'),
    cacheRatio: ratio('cache_ratio'),
    cacheWriteRatio: decimal(numberIn(other, 'cache_creation_ratio') ?? 1.25),
    ...(hasAudio ? { audioRatio: ratio('audio_ratio') } : {}),
    audioCompletionRatio: hasAudio ? ratio('audio_completion_ratio') : one,
    imageRatio: ratio('image_ratio'),
    ...(searches === undefined ? {} : { searchPrice: decimal(searches) }),
  };
}

function readUsage({ prompt_tokens, completion_tokens, other }: LoggedCharge): BillableUsage {
  const cached = numberIn(other, 'cache_tokens') ?? 0;
  const written = numberIn(other, 'cache_creation_tokens') ?? 0;
  return {
    // Rows of the Claude route count the prompt without cache reads and writes
    // (docs/rules/usage-logs.md#claude-rows).
    promptTokens: prompt_tokens + (other.claude === true ? cached + written : 0),
    completionTokens: completion_tokens,
    cachedTokens: cached,
    cacheWriteTokens: written,
    cacheWrite1hTokens: numberIn(other, 'cache_creation_tokens_1h'),
    promptImageTokens: numberIn(other, 'image'),
    promptAudioTokens: numberIn(other, 'audio_input'),
    completionAudioTokens: numberIn(other, 'audio_output'),
    webSearchRequests: numberIn(other, 'web_search_call_count'),
  };
}

function numberIn(other: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = other[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
