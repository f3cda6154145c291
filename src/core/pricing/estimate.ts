import { add, compare, type Decimal, decimal, multiply, one, zero } from '../kernel/decimal.ts';
import { maxAmount, type Quota, toQuota } from '../kernel/quota.ts';
import { longCacheWriteRatio } from './cost.ts';
import { offPeak, type Scale, scaleOf } from './details.ts';
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
  /** The tiers that the request asks for. */
  readonly tiers?: readonly string[];
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
  const scale = scaleOf(tokens, price.details);
  const weighted = scaled(decimal(BigInt(tokens.promptTokens)), output, scale);
  return ceilQuota(multiply(weighted, multiply(price.modelRatio, groupRatio)));
}

function scaled(input: Decimal, output: Decimal, scale: Scale | undefined): Decimal {
  return scale === undefined
    ? add(input, output)
    : add(multiply(input, scale.input), multiply(output, scale.output));
}

/** The most that a request can use, by its body and its limits. */
export interface MostTokens {
  readonly promptTokens: number;
  /** Of images, recordings and files. */
  readonly mediaTokens: number;
  readonly outputTokens: number;
  /** The longest time for which parts of the prompt are cached. */
  readonly caching: 'none' | '5m' | '1h';
  /** Calls that are held for, of tools that the vendor runs. */
  readonly toolCalls?: Readonly<Record<string, number>>;
  /** The tiers that the request asks for. */
  readonly tiers?: readonly string[];
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
  const longest = most.promptTokens + most.mediaTokens;
  const { steps = [], peakHours } = price.details ?? {};
  // A shorter prompt costs more where a longer one is cheaper.
  const lengths = [longest, ...steps.flatMap(({ above }) => (above < longest ? [above] : []))];
  const requests =
    peakHours === undefined ? [most] : [most, { ...most, tiers: [...(most.tiers ?? []), offPeak] }];
  const possible = requests.flatMap((request) =>
    lengths.map((length) => weighTokens(request, length, price)),
  );
  const charged = multiply(largest(zero, ...possible), price.modelRatio);
  const called =
    most.toolCalls === undefined
      ? charged
      : add(charged, callsOf(most.toolCalls, price, quotaPerUnit));
  return ceilQuota(multiply(called, groupRatio));
}

/** All tokens at their highest ratios, of a prompt that is as long at most. */
function weighTokens(most: MostTokens, length: number, price: RatioPrice): Decimal {
  const highest = highestRatios(price, most.caching);
  const scale = scaleOf({ promptTokens: length, tiers: most.tiers }, price.details);
  const ratios = scale === undefined ? highest : scaledRatios(highest, scale);
  const tokens = (count: number, ratio: Decimal) => multiply(decimal(BigInt(count)), ratio);
  // Media first: they cost as much as text at least.
  const media = Math.min(most.mediaTokens, length);
  const text = tokens(Math.min(most.promptTokens, length - media), ratios.prompt);
  const input = media === 0 ? text : add(text, tokens(media, ratios.media));
  return add(input, tokens(most.outputTokens, ratios.output));
}

/** Quota, before the group ratio. */
function callsOf(
  calls: Readonly<Record<string, number>>,
  { details }: RatioPrice,
  quotaPerUnit: Decimal,
): Decimal {
  let sum = zero;
  for (const [tool, count] of Object.entries(calls))
    sum = add(sum, multiply(details?.tools.get(tool) ?? zero, decimal(count)));
  return multiply(sum, quotaPerUnit);
}

/** The highest ratio that each kind of token can be charged at, relative to the model's. */
interface HighestRatios {
  readonly prompt: Decimal;
  readonly media: Decimal;
  readonly output: Decimal;
  /** Of the prompt by what happens to it, for steps and tiers whose factors differ. */
  readonly cacheRead: Decimal;
  /** Absent: nothing is written. */
  readonly cacheWrite?: Decimal;
  /** Of images and audio; at least 1. */
  readonly shown: Decimal;
  /** Of images and audio that are cached. */
  readonly shownAgain: Decimal;
}

/** The same in a step and tiers. */
function scaledRatios(
  { cacheRead, cacheWrite, shown, shownAgain, output }: HighestRatios,
  scale: Scale,
): Pick<HighestRatios, 'prompt' | 'media' | 'output'> {
  const prompt = largest(
    scale.input,
    multiply(cacheRead, scale.cacheRead),
    ...(cacheWrite === undefined ? [] : [multiply(cacheWrite, scale.cacheWrite)]),
  );
  return {
    prompt,
    media: largest(prompt, multiply(shown, scale.input), multiply(shownAgain, scale.cacheRead)),
    output: multiply(output, scale.output),
  };
}

/** By price, because a price serves many requests. */
const known = new WeakMap<RatioPrice, Partial<Record<MostTokens['caching'], HighestRatios>>>();

function highestRatios(price: RatioPrice, caching: MostTokens['caching']): HighestRatios {
  let ratios = known.get(price);
  if (ratios === undefined) {
    ratios = {};
    known.set(price, ratios);
  }
  ratios[caching] ??= findHighest(price, caching);
  return ratios[caching];
}

function findHighest(price: RatioPrice, caching: MostTokens['caching']): HighestRatios {
  const {
    cacheRatio,
    cacheWriteRatio,
    imageRatio,
    completionRatio,
    audioRatio = one,
    audioCompletionRatio,
    details,
  } = price;
  const written =
    caching === '1h' ? largest(cacheWriteRatio, longCacheWriteRatio(price)) : cacheWriteRatio;
  const isWritten = caching !== 'none';
  const prompt = largest(one, cacheRatio, ...(isWritten ? [written] : []));
  const shown = largest(one, imageRatio, audioRatio);
  const shownAgain = largest(
    multiply(audioRatio, details?.cachedAudio ?? zero),
    multiply(imageRatio, details?.cachedImage ?? zero),
  );
  const spoken = price.audioRatio === undefined ? [] : [multiply(audioRatio, audioCompletionRatio)];
  return {
    prompt,
    media: largest(prompt, shown, shownAgain),
    shown,
    shownAgain,
    cacheRead: cacheRatio,
    ...(isWritten && { cacheWrite: written }),
    output: largest(
      completionRatio,
      ...spoken,
      ...(details?.thinking ? [details.thinking] : []),
      ...(details?.textOutput ? [multiply(completionRatio, details.textOutput)] : []),
    ),
  };
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
