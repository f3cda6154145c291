import { type Decimal, decimal, divide, multiply, one, toNumber } from '../kernel/decimal.ts';
import { isObject } from '../kernel/json.ts';
import type { Quota } from '../kernel/quota.ts';
import {
  type BillableUsage,
  type Charge,
  type ChargeLine,
  chargeSeconds,
  type PricedUsage,
  priceCalls,
  priceUsage,
} from './cost.ts';
import { isFixedPrice } from './counting.ts';
import type { PriceDetails, Scale } from './details.ts';
import type { CallPrice, ModelPrice } from './find-price.ts';
import { loggedVideo, repriceVideo } from './logged-video.ts';
import { chargedUnit, isPerCall } from './per-call.ts';
import { imagePriceOfRatio, pricePerMillion } from './price-per-million.ts';
import { taskPrice } from './task-price.ts';

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

/** A charge with its prices: lines, then × group ratio, then raw → quota ÷ QuotaPerUnit. */
export interface Ticket {
  readonly lines: readonly TicketLine[];
  /** What is in the prices of the tokens besides the model's own ratios. Absent: nothing. */
  readonly scale?: Scale;
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

/** Prices of searches are logged per 1,000. */
const perThousand = decimal('0.001');

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
 * old rows). `quotaPerUnit`: of the site now, in which its amounts are shown.
 */
export function explainLog(row: LoggedCharge, quotaPerUnit: Decimal): Ticket | undefined {
  const price = readPrice(row.other);
  if (price === undefined) return undefined;
  const groupRatio = groupRatioOf(row.other);
  const unit = chargedUnit(row.other, quotaPerUnit);
  const images = numberIn(row.other, 'image_count');
  const video = price.kind === 'call' ? loggedVideo(row.other) : undefined;
  if (price.kind === 'call' && video !== undefined) {
    const second = multiply(price.price, video.ratio ?? one);
    const charge = chargeSeconds(video.seconds, second, decimal(groupRatio), unit);
    return makeTicket(charge, quotaPerUnit, row.quota);
  }
  const charge =
    price.kind === 'call' && images !== undefined
      ? priceCalls(
          multiply(
            imageUnitPrice(price, row.other),
            decimal(numberIn(row.other, 'image_factor') ?? 1),
          ),
          images,
          decimal(groupRatio),
          unit,
        )
      : priceUsage(readUsage(row), price, decimal(groupRatio), unit, readOthers(row.other));
  return makeTicket(charge, quotaPerUnit, row.quota);
}

/**
 * What the usage of a log row would cost at another price, with the row's group ratio, in quota.
 * Undefined: the row does not say how it was charged, or its usage has no such price.
 */
export function repriceLog(
  row: Omit<LoggedCharge, 'quota'>,
  next: ModelPrice,
  quotaPerUnit: Decimal,
): number | undefined {
  const charged = readPrice(row.other);
  if (charged === undefined) return undefined;
  const price = row.other.task_id === undefined ? next : taskPrice(next);
  const ratio = decimal(groupRatioOf(row.other));
  const images = numberIn(row.other, 'image_count');
  if (price.kind === 'call') {
    const video = loggedVideo(row.other);
    if (video !== undefined || price.perSecond !== undefined)
      return video && charged.kind === 'call'
        ? repriceVideo(video, price, ratio, quotaPerUnit)
        : undefined;
    const factor = decimal(numberIn(row.other, 'image_factor') ?? 1);
    return priceCalls(multiply(price.price, factor), images ?? 1, ratio, quotaPerUnit).quota;
  }
  // Images of a model without tokens are charged each, by a price that tokens do not have.
  if (charged.kind === 'call') return undefined;
  return priceUsage(readUsage(row), price, ratio, quotaPerUnit, readOthers(row.other)).quota;
}

function groupRatioOf(other: LoggedCharge['other']): number {
  const special = numberIn(other, 'user_group_ratio');
  return special !== undefined && special >= 0 ? special : (numberIn(other, 'group_ratio') ?? 1);
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
    ...(charge.scale === undefined ? {} : { scale: charge.scale }),
    groupRatio: charge.groupRatio,
    raw: charge.raw,
    quota: charged,
    exact: charged === charge.quota,
  };
}

function readPrice(other: Readonly<Record<string, unknown>>): ModelPrice | undefined {
  const modelRatio = numberIn(other, 'model_ratio');
  if (isFixedPrice(other))
    return { kind: 'call', price: decimal(numberIn(other, 'model_price') ?? 0) };
  if (modelRatio === undefined) return undefined;
  const ratio = (key: string) => decimal(numberIn(other, key) ?? 1);
  const hasAudio = numberIn(other, 'audio_ratio') !== undefined;
  return {
    kind: 'ratio',
    modelRatio: decimal(modelRatio),
    completionRatio: ratio('completion_ratio'),
    cacheRatio: ratio('cache_ratio'),
    cacheWriteRatio: decimal(numberIn(other, 'cache_creation_ratio') ?? 1.25),
    ...(hasAudio ? { audioRatio: ratio('audio_ratio') } : {}),
    audioCompletionRatio: hasAudio ? ratio('audio_completion_ratio') : one,
    imageRatio: ratio('image_ratio'),
    details: readDetails(other),
  };
}

/** A logged price per 1,000 searches as that of one, written as the tables have it. */
function perCall(price: number): Decimal {
  return decimal(toNumber(multiply(decimal(price), perThousand)));
}

const cachesIn = (caches: unknown, tier: string) => {
  const factors = isObject(caches) ? caches[tier] : undefined;
  return isObject(factors) ? cacheFactorsIn(factors, 'read', 'write') : {};
};

function cacheFactorsIn(factors: LoggedCharge['other'], readKey: string, writeKey: string) {
  const read = numberIn(factors, readKey);
  const write = numberIn(factors, writeKey);
  return {
    ...(read !== undefined && { cacheRead: decimal(read) }),
    ...(write !== undefined && { cacheWrite: decimal(write) }),
  };
}

/** What a row says of its price besides the ratios: only what applied to it. */
function readDetails(other: Readonly<Record<string, unknown>>): PriceDetails {
  const long = numberIn(other, 'cache_creation_factor_1h');
  const cachedAudio = numberIn(other, 'cache_audio_ratio');
  const cachedImage = numberIn(other, 'cache_image_ratio');
  const thinking = numberIn(other, 'thinking_ratio');
  const textOutput = numberIn(other, 'text_output_ratio');
  const searches = numberIn(other, 'web_search_price');
  const { price_step: step, tiers, cache_tiers: caches, tool_calls: calls } = other;
  const tools = Object.entries(isObject(calls) ? calls : {}).flatMap(([tool, call]) => {
    const price = isObject(call) ? numberIn(call, 'price') : undefined;
    return price === undefined ? [] : [[tool, decimal(price)] as const];
  });
  const factors = Object.entries(isObject(tiers) ? tiers : {}).flatMap(([name, factor]) =>
    typeof factor === 'number'
      ? [[name, { factor: decimal(factor), ...cachesIn(caches, name) }] as const]
      : [],
  );
  return {
    steps: isObject(step)
      ? [
          {
            above: numberIn(step, 'above') ?? 0,
            input: decimal(numberIn(step, 'input') ?? 1),
            output: decimal(numberIn(step, 'output') ?? 1),
            ...cacheFactorsIn(step, 'cache_read', 'cache_write'),
          },
        ]
      : [],
    factors: new Map(factors),
    ...(long === undefined ? {} : { longCacheWrite: decimal(long) }),
    ...(cachedAudio === undefined ? {} : { cachedAudio: decimal(cachedAudio) }),
    ...(cachedImage === undefined ? {} : { cachedImage: decimal(cachedImage) }),
    ...(thinking === undefined ? {} : { thinking: decimal(thinking) }),
    ...(textOutput === undefined ? {} : { textOutput: decimal(textOutput) }),
    tools: new Map(searches === undefined ? tools : [['web_search', perCall(searches)], ...tools]),
  };
}

/** The calls of a row's tools; whichever kind of search it was, it is priced as `web_search`. */
function readCalls(other: Readonly<Record<string, unknown>>): Record<string, number> | undefined {
  const searches = numberIn(other, 'web_search_call_count');
  const { tool_calls: logged } = other;
  if (searches === undefined && logged === undefined) return undefined;
  const calls = Object.entries(isObject(logged) ? logged : {}).flatMap(([tool, call]) => {
    const count = isObject(call) ? numberIn(call, 'count') : undefined;
    return count === undefined ? [] : [[tool, count] as const];
  });
  return { web_search: searches ?? 0, ...Object.fromEntries(calls) };
}

/** What a row says that other models did. */
function readOthers({ other_models: logged }: LoggedCharge['other']): readonly PricedUsage[] {
  if (!Array.isArray(logged)) return [];
  return logged.filter(isObject).flatMap((other) => {
    const price = readPrice(other);
    if (price?.kind !== 'ratio') return [];
    const usage = readUsage({
      prompt_tokens: numberIn(other, 'prompt_tokens') ?? 0,
      completion_tokens: numberIn(other, 'completion_tokens') ?? 0,
      other,
    });
    return [{ model: String(other.model), usage, price }];
  });
}

function readUsage({
  prompt_tokens,
  completion_tokens,
  other,
}: Omit<LoggedCharge, 'quota'>): BillableUsage {
  const cached = numberIn(other, 'cache_tokens') ?? 0;
  const written = numberIn(other, 'cache_creation_tokens') ?? 0;
  const text = numberIn(other, 'text_output_tokens');
  return {
    // Rows of the Claude route count the prompt without cache reads and writes
    // (docs/rules/usage-logs.md#claude-rows).
    promptTokens: prompt_tokens + (other.claude === true ? cached + written : 0),
    completionTokens: completion_tokens,
    cachedTokens: cached,
    cachedAudioTokens: numberIn(other, 'cache_audio_tokens'),
    cachedImageTokens: numberIn(other, 'cache_image_tokens'),
    reasoningTokens: numberIn(other, 'thinking_tokens'),
    cacheWriteTokens: written,
    cacheWrite1hTokens: numberIn(other, 'cache_creation_tokens_1h'),
    promptImageTokens: numberIn(other, 'image'),
    promptAudioTokens: numberIn(other, 'audio_input'),
    completionAudioTokens: numberIn(other, 'audio_output'),
    completionImageTokens: text === undefined ? undefined : completion_tokens - text,
    toolCalls: readCalls(other),
    tiers: isObject(other.tiers) ? Object.keys(other.tiers) : undefined,
  };
}

function numberIn(other: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = other[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
