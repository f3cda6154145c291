import {
  add,
  compare,
  type Decimal,
  decimal,
  multiply,
  one,
  roundToInteger,
  subtract,
  toNumber,
  zero,
} from '../kernel/decimal.ts';
import { maxAmount, type Quota, toQuota } from '../kernel/quota.ts';
import { type PriceDetails, type Scale, scaleOf } from './details.ts';
import type { ModelPrice, RatioPrice } from './find-price.ts';

/**
 * Usage in canonical form: prompt includes cache reads and writes, completion includes reasoning.
 * Undefined counts as 0. The canonical `Usage` of providers is assignable to it.
 */
export interface BillableUsage {
  readonly promptTokens?: number;
  /** Of several replies that are one answer, the prompt of the longest. */
  readonly longestPrompt?: number;
  readonly completionTokens?: number;
  readonly cachedTokens?: number;
  /** All cache writes. */
  readonly cacheWriteTokens?: number;
  /** The share of cache writes of the longer life: an hour, or OpenAI's twelve. */
  readonly cacheWrite1hTokens?: number;
  /** Those that are not cached. */
  readonly promptAudioTokens?: number;
  /** Of the cached tokens. */
  readonly cachedAudioTokens?: number;
  readonly completionAudioTokens?: number;
  /** Of the completion; 0: none of it. */
  readonly completionImageTokens?: number;
  /** Of the completion. */
  readonly reasoningTokens?: number;
  readonly promptImageTokens?: number;
  /** Of the cached tokens. */
  readonly cachedImageTokens?: number;
  /** Calls of tools that the vendor ran, by the tool: `web_search`. */
  readonly toolCalls?: Readonly<Record<string, number>>;
  /** Tier, speed and place that the reply names, but for the usual ones. */
  readonly tiers?: readonly string[];
}

export type ChargeKind =
  | 'input'
  | 'cached'
  | 'cachedAudio'
  | 'cachedImage'
  | 'cacheWrite'
  | 'cacheWrite1h'
  | 'image'
  | 'audioIn'
  | 'output'
  | 'thinking'
  | 'textOutput'
  | 'audioOut'
  | 'webSearch'
  | 'toolCall'
  | 'call'
  | 'second';

/** One line of the price ticket: `count × ratio` quota before the group ratio. Exact. */
export interface ChargeLine {
  readonly kind: ChargeKind;
  /** Tokens; calls for `call` and `toolCall`, searches for `webSearch`, of video for `second`. */
  readonly count: number;
  /** Quota per token (per call, per search) before the group ratio. */
  readonly ratio: Decimal;
  /** Of `webSearch` and `toolCall`: which tool it was. */
  readonly tool?: string;
  /** Whose price it is, where it is not the requested model's. */
  readonly model?: string;
}

export interface Charge {
  /**
   * The quota charged: `raw` rounded once, half away from zero, at least 1 where anything was used
   * at a price, at most {@link maxAmount}.
   */
  readonly quota: Quota;
  /** Quota beyond the largest charge, which is not charged. Absent: none. */
  readonly uncharged?: number;
  /** Sum of the lines × group ratio, exact. */
  readonly raw: Decimal;
  readonly groupRatio: Decimal;
  /** Only lines whose count is not 0. */
  readonly lines: readonly ChargeLine[];
  /** What the ratios of the tokens were multiplied by. Absent: nothing. */
  readonly scale?: Scale;
}

/** Price of a cache write of the longer life where nothing else is known of the model. */
const usualLongWrite = decimal('1.6');

/** Price of a cache write of the longer life over input (docs/rules/pricing.md#ratio-order). */
export function longCacheWriteRatio({ details, cacheWriteRatio }: RatioPrice): Decimal {
  return multiply(cacheWriteRatio, details?.longCacheWrite ?? usualLongWrite);
}

/** What one model did for a request, at its price. */
export interface PricedUsage {
  readonly model: string;
  readonly usage: BillableUsage;
  readonly price: RatioPrice;
}

/**
 * The charge for one request (docs/rules/pricing.md#token-formula): every kind of prompt token is
 * subtracted from the prompt and charged at its own ratio. A price per call ignores the tokens; the
 * caller decides whether an empty reply is charged. `others`: what other models did, in the same sum.
 */
export function priceUsage(
  usage: BillableUsage,
  price: ModelPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
  others?: readonly PricedUsage[],
): Charge {
  if (price.kind === 'call')
    return chargeFor(callLines(price.price, quotaPerUnit, 1), groupRatio, price.price);
  const scale = scaleOf(usage, price.details);
  const lines = linesOf(usage, price, scale, quotaPerUnit);
  for (const other of others ?? []) {
    const otherScale = scaleOf(other.usage, other.price.details);
    for (const line of linesOf(other.usage, other.price, otherScale, quotaPerUnit))
      lines.push({ ...line, model: other.model });
  }
  const charge = chargeFor(lines, groupRatio, price.modelRatio);
  return scale === undefined ? charge : { ...charge, scale };
}

/** The charge for `count` calls at a fixed price (docs/rules/pricing.md#image-price). */
export function priceCalls(
  price: Decimal,
  count: number,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Charge {
  return chargeFor(callLines(price, quotaPerUnit, count), groupRatio, price);
}

/** The charge for a video at the price of one second (docs/rules/pricing.md#second-prices). */
export function chargeSeconds(
  seconds: number,
  price: Decimal,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Charge {
  const ratio = multiply(price, quotaPerUnit);
  return chargeFor([{ kind: 'second', count: seconds, ratio }], groupRatio, price);
}

function callLines(price: Decimal, quotaPerUnit: Decimal, count: number): ChargeLine[] {
  return count > 0 ? [{ kind: 'call', count, ratio: multiply(price, quotaPerUnit) }] : [];
}

/** Tools whose calls are searches of the web; the second is OpenAI's older kind. */
export const searchTools: ReadonlySet<string> = new Set(['web_search', 'web_search_preview']);

function toolLines(
  calls: Readonly<Record<string, number>>,
  { details }: RatioPrice,
  quotaPerUnit: Decimal,
): ChargeLine[] {
  return Object.entries(calls).flatMap(([tool, reported]): ChargeLine[] => {
    const price = details?.tools.get(tool);
    const count = countOf(reported);
    if (price === undefined || count === 0) return [];
    const kind = searchTools.has(tool) ? 'webSearch' : 'toolCall';
    return [{ kind, tool, count, ratio: multiply(price, quotaPerUnit) }];
  });
}

function linesOf(
  usage: BillableUsage,
  price: RatioPrice,
  scale: Scale | undefined,
  quotaPerUnit: Decimal,
): ChargeLine[] {
  const lines = tokenLines(usage, price, scale);
  return usage.toolCalls === undefined
    ? lines
    : [...lines, ...toolLines(usage.toolCalls, price, quotaPerUnit)];
}

function tokenLines(
  usage: BillableUsage,
  price: RatioPrice,
  scale: Scale | undefined,
): ChargeLine[] {
  const lines: ChargeLine[] = [];
  const line = (kind: ChargeKind, count: number, ratio: Decimal, factor: Decimal | undefined) => {
    if (count <= 0) return;
    const scaled = factor === undefined ? ratio : multiply(ratio, factor);
    lines.push({ kind, count, ratio: multiply(price.modelRatio, scaled) });
  };
  const { audioRatio, details } = price;
  // A share never exceeds the remaining total, whatever the upstream reports.
  let prompt = countOf(usage.promptTokens);
  const take = (tokens: number | undefined) => {
    const share = Math.min(countOf(tokens), prompt);
    prompt -= share;
    return share;
  };
  const cached = take(usage.cachedTokens);
  const cachedAudio =
    audioRatio === undefined || details?.cachedAudio === undefined
      ? 0
      : Math.min(countOf(usage.cachedAudioTokens), cached);
  const cachedImage =
    details?.cachedImage === undefined
      ? 0
      : Math.min(countOf(usage.cachedImageTokens), cached - cachedAudio);
  const written = take(usage.cacheWriteTokens ?? usage.cacheWrite1hTokens);
  const longWritten = Math.min(countOf(usage.cacheWrite1hTokens), written);
  const image = take(usage.promptImageTokens);
  const audioIn = audioRatio === undefined ? 0 : take(usage.promptAudioTokens);
  const completion = countOf(usage.completionTokens);
  const audioOut =
    audioRatio === undefined ? 0 : Math.min(countOf(usage.completionAudioTokens), completion);

  line('input', prompt, one, scale?.input);
  line('cached', cached - cachedAudio - cachedImage, price.cacheRatio, scale?.cacheRead);
  if (audioRatio !== undefined && details?.cachedAudio !== undefined)
    line('cachedAudio', cachedAudio, multiply(audioRatio, details.cachedAudio), scale?.cacheRead);
  if (details?.cachedImage !== undefined)
    line(
      'cachedImage',
      cachedImage,
      multiply(price.imageRatio, details.cachedImage),
      scale?.cacheRead,
    );
  line('cacheWrite', written - longWritten, price.cacheWriteRatio, scale?.cacheWrite);
  if (longWritten > 0)
    line('cacheWrite1h', longWritten, longCacheWriteRatio(price), scale?.cacheWrite);
  line('image', image, price.imageRatio, scale?.input);
  if (audioRatio !== undefined) line('audioIn', audioIn, audioRatio, scale?.input);
  const output = completion - audioOut;
  const thought =
    details?.thinking === undefined ? 0 : Math.min(countOf(usage.reasoningTokens), output);
  const text = textBesideImages(usage, output - thought, details);
  line('output', output - thought - text, price.completionRatio, scale?.output);
  if (details?.thinking !== undefined) line('thinking', thought, details.thinking, scale?.output);
  if (details?.textOutput !== undefined)
    line('textOutput', text, multiply(price.completionRatio, details.textOutput), scale?.output);
  if (audioRatio !== undefined)
    line('audioOut', audioOut, multiply(audioRatio, price.audioCompletionRatio), scale?.output);
  return lines;
}

/**
 * Of a model that draws, what is no image of its output. A reply that does not say how much of it is
 * images has thinking for sure, unless that has a price of its own.
 */
export function textBesideImages(
  { completionImageTokens: images, reasoningTokens }: BillableUsage,
  output: number,
  details: PriceDetails | undefined,
): number {
  if (details?.textOutput === undefined) return 0;
  if (images !== undefined) return Math.max(0, output - countOf(images));
  return details.thinking === undefined ? Math.min(countOf(reasoningTokens), output) : 0;
}

/** Vendors have sent null, negative and fractional counts. Only whole tokens are charged. */
function countOf(tokens: number | undefined | null): number {
  return typeof tokens === 'number' && tokens > 0 && tokens <= Number.MAX_SAFE_INTEGER
    ? Math.trunc(tokens)
    : 0;
}

function chargeFor(lines: readonly ChargeLine[], groupRatio: Decimal, priceRatio: Decimal): Charge {
  let sum = zero;
  for (const { count, ratio } of lines) sum = add(sum, multiply(ratio, decimal(count)));
  const raw = multiply(sum, groupRatio);
  const whole = roundToInteger(raw);
  // A price by mistake must not cost the charge itself.
  if (whole > maxAmount) {
    const uncharged = toNumber(subtract(raw, decimal(maxAmount)));
    return {
      quota: toQuota(maxAmount),
      uncharged: Math.min(uncharged, Number.MAX_VALUE),
      raw,
      groupRatio,
      lines,
    };
  }
  const rounded = toQuota(whole);
  const priced = lines.length > 0 && compare(priceRatio, zero) > 0 && compare(groupRatio, zero) > 0;
  return { quota: priced && rounded < 1 ? toQuota(1) : rounded, raw, groupRatio, lines };
}
