import { add, compare, type Decimal, decimal, multiply, one, zero } from '../kernel/decimal.ts';
import { maxAmount, type Quota, toQuota } from '../kernel/quota.ts';
import { oneHourFactor } from './cost.ts';
import type { ModelPrice, RatioPrice } from './find-price.ts';

/**
 * Output tokens assumed for the hold when the request sets no limit; also the maximum that a small
 * hold covers (docs/rules/ledger.md#hold-small-wallet).
 */
export const defaultOutputTokens = 1024;

export interface EstimatedTokens {
  /** Estimated from the size of the text, not tokenized. */
  readonly promptTokens: number;
  /** max_tokens or max_completion_tokens; undefined: {@link defaultOutputTokens}. */
  readonly maxOutputTokens?: number;
}

/**
 * The hold before the call: prompt and longest possible output at full ratios, rounded up
 * (docs/rules/ledger.md#hold-estimate). Throws RangeError on fractional counts.
 */
export function estimateQuota(
  tokens: EstimatedTokens,
  price: ModelPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Quota {
  if (price.kind === 'call') return estimateCalls(price.price, 1, groupRatio, quotaPerUnit);
  const output = multiply(
    decimal(BigInt(tokens.maxOutputTokens ?? defaultOutputTokens)),
    price.completionRatio,
  );
  const weighted = add(decimal(BigInt(tokens.promptTokens)), output);
  return ceilQuota(multiply(weighted, multiply(price.modelRatio, groupRatio)));
}

/** The most that a request can use, by its body and its limits. */
export interface MostTokens {
  readonly promptTokens: number;
  /** Of images, recordings and files. */
  readonly mediaTokens: number;
  readonly outputTokens: number;
  /** The longest time for which parts of the prompt are cached. */
  readonly caching: 'none' | '5m' | '1h';
  /** Web searches that the model makes in any case. */
  readonly searches: number;
}

/**
 * The hold that no charge exceeds (docs/rules/ledger.md#hold-estimate): every token at the highest
 * ratio that it can be charged at, rounded up. Throws RangeError on fractional counts.
 */
export function mostQuota(
  most: MostTokens,
  price: ModelPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Quota {
  if (price.kind === 'call') return estimateCalls(price.price, 1, groupRatio, quotaPerUnit);
  const highest = highestRatios(price, most.caching);
  const tokens = (count: number, ratio: Decimal) => multiply(decimal(BigInt(count)), ratio);
  const text = add(
    tokens(most.promptTokens, highest.prompt),
    tokens(most.outputTokens, highest.output),
  );
  const weighted =
    most.mediaTokens === 0 ? text : add(text, tokens(most.mediaTokens, highest.media));
  const charged = multiply(weighted, price.modelRatio);
  return ceilQuota(
    multiply(
      most.searches === 0 ? charged : add(charged, searched(most.searches, price, quotaPerUnit)),
      groupRatio,
    ),
  );
}

/** The highest ratio that each kind of token can be charged at, relative to the model's. */
interface DearestRatios {
  readonly prompt: Decimal;
  readonly media: Decimal;
  readonly output: Decimal;
}

/** By price, because a price serves many requests. */
const known = new WeakMap<RatioPrice, Partial<Record<MostTokens['caching'], DearestRatios>>>();

function highestRatios(price: RatioPrice, caching: MostTokens['caching']): DearestRatios {
  let ratios = known.get(price);
  if (ratios === undefined) {
    ratios = {};
    known.set(price, ratios);
  }
  ratios[caching] ??= findDearest(price, caching);
  return ratios[caching];
}

function findDearest(price: RatioPrice, caching: MostTokens['caching']): DearestRatios {
  const {
    cacheRatio,
    cacheWriteRatio,
    imageRatio,
    completionRatio,
    audioRatio = one,
    audioCompletionRatio,
  } = price;
  const written = caching === '1h' ? multiply(cacheWriteRatio, oneHourFactor) : cacheWriteRatio;
  const prompt = largest(one, cacheRatio, ...(caching === 'none' ? [] : [written]));
  const spoken = price.audioRatio === undefined ? [] : [multiply(audioRatio, audioCompletionRatio)];
  return {
    prompt,
    media: largest(prompt, imageRatio, audioRatio),
    output: largest(completionRatio, ...spoken),
  };
}

/** Prices of searches are per 1,000. */
const perThousand = decimal('0.001');

function searched(
  searches: number,
  { searchPrice = zero }: RatioPrice,
  quotaPerUnit: Decimal,
): Decimal {
  return multiply(multiply(decimal(searches), searchPrice), multiply(perThousand, quotaPerUnit));
}

function largest(first: Decimal, ...others: readonly Decimal[]): Decimal {
  return others.reduce((most, ratio) => (compare(ratio, most) > 0 ? ratio : most), first);
}

/** The hold before `count` calls at a fixed price (images), rounded up. */
export function estimateCalls(
  price: Decimal,
  count: number,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
): Quota {
  return ceilQuota(multiply(multiply(multiply(price, decimal(count)), quotaPerUnit), groupRatio));
}

function ceilQuota(value: Decimal): Quota {
  const unit = 10n ** BigInt(value.scale);
  const whole = value.digits / unit;
  const ceiled = value.digits % unit > 0n ? whole + 1n : whole;
  return toQuota(ceiled > maxAmount ? maxAmount : ceiled); // no charge is larger
}
