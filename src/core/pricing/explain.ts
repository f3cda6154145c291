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
import type { ModelPrice, RatioPrice } from './find-price.ts';
import { type ImageOrder, imageFactor } from './images.ts';
import { pricePerMillion } from './price-per-million.ts';

/** A line of the ticket as faces print it: `count × price = amount`. */
export interface TicketLine extends ChargeLine {
  /** Units per 1M tokens before the group ratio; per piece where {@link isPerCall}. */
  readonly price: Decimal;
  /** Units, before the group ratio and unrounded. */
  readonly amount: Decimal;
}

/** Lines whose count is no tokens. */
export function isPerCall(kind: ChargeKind): boolean {
  return kind === 'call' || kind === 'webSearch';
}

/** A charge with its prices: lines, then × group ratio, then raw → quota ÷ QuotaPerUnit. */
export interface Ticket {
  readonly lines: readonly TicketLine[];
  readonly groupRatio: Decimal;
  /** Quota before the one rounding. */
  readonly raw: Decimal;
  /** What was charged. */
  readonly quota: number;
  /** False: the row was charged otherwise than its figures say (imported, surcharged); show the quota only. */
  readonly exact: boolean;
}

/** Price fields of a usage log's `other` (spec, billing 8). Ratios are 0 and model_price set when per call. */
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
  /** Units per 1,000. */
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
  Pick<PriceFields, 'audio_input' | 'audio_output' | 'text_input' | 'text_output' | 'audio_ratio' | 'audio_completion_ratio'>
>;

/** What the log row must keep so that {@link explainLog} can say later how the charge came about. `special`: the entry of GroupGroupRatio. */
export function priceFields(usage: BillableUsage, price: ModelPrice, groupRatio: Decimal, special?: Decimal): PriceFields {
  const common = { group_ratio: toNumber(groupRatio), user_group_ratio: special === undefined ? -1 : toNumber(special) };
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
    ...(written > 0 ? { cache_creation_tokens: written, cache_creation_ratio: toNumber(price.cacheWriteRatio) } : {}),
    ...((usage.cacheWrite1hTokens ?? 0) > 0
      ? {
          cache_creation_tokens_1h: usage.cacheWrite1hTokens,
          cache_creation_ratio_1h: toNumber(multiply(price.cacheWriteRatio, oneHourFactor)),
        }
      : {}),
    ...((usage.promptImageTokens ?? 0) > 0 ? { image: usage.promptImageTokens, image_ratio: toNumber(price.imageRatio) } : {}),
    ...searchFields(usage, price),
    ...audioFields(usage, price),
  };
}

/** The same of images that were charged one by one: `model_price` is that of a plain one. */
export interface ImageFields {
  readonly image_count: number;
  readonly image_size: string;
  readonly image_quality?: string;
  /** What size and quality multiply the price by. */
  readonly image_factor: number;
}

export function imageFields(model: string, order: ImageOrder): ImageFields {
  const { count, size, quality } = order;
  return {
    image_count: count,
    image_size: size,
    ...(quality === '' ? {} : { image_quality: quality }),
    image_factor: toNumber(imageFactor(model, order)),
  };
}

function searchFields({ webSearchRequests = 0 }: BillableUsage, { searchPrice }: RatioPrice): Partial<PriceFields> {
  if (searchPrice === undefined || webSearchRequests <= 0) return {};
  return { web_search: true, web_search_call_count: webSearchRequests, web_search_price: toNumber(searchPrice) };
}

function audioFields(usage: BillableUsage, price: RatioPrice): Partial<PriceFields> {
  if ((usage.promptAudioTokens ?? 0) + (usage.completionAudioTokens ?? 0) === 0) return {};
  const split = audioSplit(usage, price);
  return split === undefined ? {} : { audio: true, ...split };
}

/** The same of an answer on a realtime connection: told even where it was all text. */
export function realtimeFields(usage: BillableUsage, price: ModelPrice): { readonly ws: true } & Partial<AudioSplit> {
  return { ws: true, ...(price.kind === 'ratio' ? audioSplit(usage, price) : {}) };
}

/** Undefined: audio costs what text does. */
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

/** The part of a usage log row that explains its cost; names as on the wire. */
export interface LoggedCharge {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly quota: number;
  /** The row's `other`, parsed. */
  readonly other: Readonly<Record<string, unknown>>;
}

/** The ticket of a log row, ours or imported; undefined when the row has no price in it (top-ups, old rows). */
export function explainLog(row: LoggedCharge, quotaPerUnit: Decimal): Ticket | undefined {
  const price = readPrice(row.other);
  if (price === undefined) return undefined;
  const special = numberIn(row.other, 'user_group_ratio');
  const groupRatio = special !== undefined && special >= 0 ? special : (numberIn(row.other, 'group_ratio') ?? 1);
  const images = numberIn(row.other, 'image_count');
  const charge =
    price.kind === 'call' && images !== undefined
      ? priceCalls(
          multiply(price.price, decimal(numberIn(row.other, 'image_factor') ?? 1)),
          images,
          decimal(groupRatio),
          quotaPerUnit,
        )
      : priceUsage(readUsage(row), price, decimal(groupRatio), quotaPerUnit);
  return makeTicket(charge, quotaPerUnit, row.quota);
}

/** Prices beside a charge's lines. `charged` is what the ledger says where that is known already. */
export function makeTicket(charge: Charge, quotaPerUnit: Decimal, charged: number | Quota = charge.quota): Ticket {
  const lines = charge.lines.map((line) => ({
    ...line,
    price: isPerCall(line.kind) ? divide(line.ratio, quotaPerUnit, 12) : pricePerMillion(line.ratio, quotaPerUnit),
    amount: divide(multiply(line.ratio, decimal(line.count)), quotaPerUnit, 12),
  }));
  return { lines, groupRatio: charge.groupRatio, raw: charge.raw, quota: charged, exact: charged === charge.quota };
}

/** Whether a log row's `other`, parsed, was charged by the call: its usage did not matter. */
export function isFixedPrice(other: Readonly<Record<string, unknown>>): boolean {
  return readPrice(other)?.kind === 'call';
}

function readPrice(other: Readonly<Record<string, unknown>>): ModelPrice | undefined {
  const perCall = numberIn(other, 'model_price');
  const modelRatio = numberIn(other, 'model_ratio');
  // The family writes −1 for "none", and 0 in both for a model that is free per call.
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
    // Rows of the Claude route count the prompt without cache reads and writes (spec, billing 8).
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
