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
import type { ModelPrice, RatioPrice } from './find-price.ts';

/**
 * Usage in canonical form: prompt includes cache reads and writes, completion includes reasoning.
 * Undefined counts as 0. The canonical `Usage` of providers is assignable to it.
 */
export interface BillableUsage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly cachedTokens?: number;
  /** All cache writes. */
  readonly cacheWriteTokens?: number;
  /** The share of cache writes that is kept for an hour. */
  readonly cacheWrite1hTokens?: number;
  readonly promptAudioTokens?: number;
  readonly completionAudioTokens?: number;
  readonly promptImageTokens?: number;
  /** Web searches that the provider ran. */
  readonly webSearchRequests?: number;
}

export type ChargeKind =
  | 'input'
  | 'cached'
  | 'cacheWrite'
  | 'cacheWrite1h'
  | 'image'
  | 'audioIn'
  | 'output'
  | 'audioOut'
  | 'webSearch'
  | 'call';

/** One line of the price ticket: `count × ratio` quota before the group ratio. Exact. */
export interface ChargeLine {
  readonly kind: ChargeKind;
  /** Tokens; calls for `call`, searches for `webSearch`. */
  readonly count: number;
  /** Quota per token (per call, per search) before the group ratio. */
  readonly ratio: Decimal;
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
}

/**
 * Price of a one-hour cache write relative to a five-minute one
 * (docs/rules/pricing.md#ratio-order).
 */
export const oneHourFactor = decimal('1.6');

/**
 * The charge for one request (docs/rules/pricing.md#token-formula): every kind of prompt token is
 * subtracted from the prompt and charged at its own ratio. A price per call ignores the tokens; the
 * caller decides whether an empty reply is charged.
 */
export function priceUsage(
  usage: BillableUsage,
  price: ModelPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Charge {
  const lines =
    price.kind === 'call'
      ? callLines(price.price, quotaPerUnit, 1)
      : tokenLines(usage, price, quotaPerUnit);
  return chargeFor(lines, groupRatio, price.kind === 'call' ? price.price : price.modelRatio);
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

function callLines(price: Decimal, quotaPerUnit: Decimal, count: number): ChargeLine[] {
  return count > 0 ? [{ kind: 'call', count, ratio: multiply(price, quotaPerUnit) }] : [];
}

const perThousand = decimal('0.001');

function tokenLines(usage: BillableUsage, price: RatioPrice, quotaPerUnit: Decimal): ChargeLine[] {
  const lines: ChargeLine[] = [];
  const line = (kind: ChargeKind, count: number, ratio: Decimal) => {
    if (count > 0) lines.push({ kind, count, ratio: multiply(price.modelRatio, ratio) });
  };
  // A share never exceeds the remaining total, whatever the upstream reports.
  let prompt = countOf(usage.promptTokens);
  const take = (tokens: number | undefined) => {
    const share = Math.min(countOf(tokens), prompt);
    prompt -= share;
    return share;
  };
  const cached = take(usage.cachedTokens);
  const written = take(usage.cacheWriteTokens ?? usage.cacheWrite1hTokens);
  const oneHour = Math.min(countOf(usage.cacheWrite1hTokens), written);
  const image = take(usage.promptImageTokens);
  const audioIn = price.audioRatio === undefined ? 0 : take(usage.promptAudioTokens);
  const completion = countOf(usage.completionTokens);
  const audioOut =
    price.audioRatio === undefined ? 0 : Math.min(countOf(usage.completionAudioTokens), completion);

  line('input', prompt, one);
  line('cached', cached, price.cacheRatio);
  line('cacheWrite', written - oneHour, price.cacheWriteRatio);
  line('cacheWrite1h', oneHour, multiply(price.cacheWriteRatio, oneHourFactor));
  line('image', image, price.imageRatio);
  if (price.audioRatio !== undefined) line('audioIn', audioIn, price.audioRatio);
  line('output', completion - audioOut, price.completionRatio);
  if (price.audioRatio !== undefined)
    line('audioOut', audioOut, multiply(price.audioRatio, price.audioCompletionRatio));
  const searches = price.searchPrice === undefined ? 0 : countOf(usage.webSearchRequests);
  if (price.searchPrice !== undefined && searches > 0) {
    const ratio = multiply(multiply(price.searchPrice, perThousand), quotaPerUnit);
    lines.push({ kind: 'webSearch', count: searches, ratio });
  }
  return lines;
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
