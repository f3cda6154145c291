/**
 * What a served request costs: its usage, counted here where the upstream left something out, then
 * priced.
 */

import type { Usage } from '../../canonical/usage.ts';
import type { Decimal } from '../../kernel/decimal.ts';
import type { Countable } from '../../metering/countable.ts';
import type { TokenCounter } from '../../metering/token-counter.ts';
import { bareModelName, factsOf } from '../../models/known-models.ts';
import { tokensOfSeconds } from '../../pricing/audio-tokens.ts';
import { type Charge, type PricedUsage, priceUsage } from '../../pricing/cost.ts';
import { tiersAt } from '../../pricing/details.ts';
import type { ModelPrice } from '../../pricing/find-price.ts';
import {
  expectedImageTokens,
  type ImageOrder,
  imagePrice,
  priceImages,
} from '../../pricing/images.ts';
import type { VideoMeasure } from '../../pricing/second-prices.ts';
import type { MeasuredUsage } from '../attempt.ts';
import type { CallMeasure } from '../formats/shared/measure.ts';

/** What a request is priced by. */
export interface PricingContext {
  readonly model: string;
  readonly price: ModelPrice;
  readonly groupRatio: Decimal;
  readonly quotaPerUnit: Decimal;
  readonly measure?: CallMeasure;
  /** The site's price of another model that a reply names. Absent: they cost what `model` does. */
  readonly otherPrice?: (model: string) => ModelPrice | undefined;
}

export interface UsageCharge {
  readonly usage: Usage;
  readonly source: 'upstream' | 'counted';
  readonly charge: Charge;
  /** The price it was charged at: for images that of one of them. */
  readonly price: ModelPrice;
  /** The images charged for one by one. */
  readonly images?: ImageOrder;
  /** The video that was ordered. */
  readonly video?: VideoMeasure;
  /** What other models did, at the prices it was charged at. */
  readonly others?: readonly PricedUsage[];
}

/** No answer holds more tokens than this: a usage with more is ignored. */
const mostTokens = 1e9;

/** The figures of a usage, those of the vendor's tools and of other models among them. */
function figuresOf({ toolCalls = {}, others = [], ...own }: Usage): readonly unknown[] {
  const theirs = others.flatMap(({ usage }) => figuresOf(usage));
  return [...Object.values(own), ...Object.values(toolCalls), ...theirs];
}

/** The reported usage, unless its figures are impossible. */
export function believable(usage: Usage | undefined): Usage | undefined {
  return figuresOf(usage ?? {}).some((count) => typeof count === 'number' && count > mostTokens)
    ? undefined
    : usage;
}

function isEmpty({ texts, images, tokens }: Countable): boolean {
  return tokens === 0 && images.length === 0 && texts.every((text) => text.trim() === '');
}

type CompleteUsage = Pick<UsageCharge, 'usage' | 'source'>;

/**
 * The upstream's figures, and ours for each side that it left out although there was something to
 * count.
 */
async function completeUsage(
  reported: Usage | undefined,
  used: MeasuredUsage,
  model: string,
  counter: TokenCounter,
): Promise<CompleteUsage> {
  const isBelieved = (tokens: number | undefined) =>
    tokens !== undefined && (tokens > 0 || used.believesZero === true);
  const hasPrompt = isBelieved(reported?.promptTokens);
  // No completion tokens for an answer that has text is the same as none reported.
  const hasCompletion =
    isBelieved(reported?.completionTokens) ||
    (hasPrompt && reported?.completionTokens === 0 && isEmpty(used.output()));
  if (reported !== undefined && hasPrompt && hasCompletion)
    return { usage: reported, source: 'upstream' };
  const speechTokens =
    used.spokenSeconds === undefined
      ? undefined
      : tokensOfSeconds(used.spokenSeconds, factsOf(bareModelName(model)).speechTokens);
  const [promptTokens, completionTokens] = await Promise.all([
    hasPrompt ? reported?.promptTokens : counter.count(used.input(), model),
    hasCompletion
      ? reported?.completionTokens
      : (speechTokens ?? counter.count(used.output(), model)),
  ]);
  return { usage: { ...reported, promptTokens, completionTokens }, source: 'counted' };
}

function usageOf(
  used: MeasuredUsage,
  { model, measure }: PricingContext,
  counter: TokenCounter,
): CompleteUsage | Promise<CompleteUsage> {
  const reported = believable(used.usage);
  const measured = measure?.usageOf?.(reported);
  if (measured === undefined) return completeUsage(reported, used, model, counter);
  const isReported =
    (reported?.promptTokens ?? 0) > 0 && measured.promptTokens === reported?.promptTokens;
  return { usage: measured, source: isReported ? 'upstream' : 'counted' };
}

/**
 * The usage of images that are charged by tokens: as reported, or what the model is known to take
 * for this order.
 */
async function imageUsage(
  used: MeasuredUsage,
  { model, price }: PricingContext,
  order: ImageOrder,
  counter: TokenCounter,
) {
  if (price.kind === 'call') return undefined;
  const reported = believable(used.usage);
  const completionTokens = expectedImageTokens(model, order);
  const { promptTokens = 0, completionTokens: drawn = 0 } = reported ?? {};
  // Images are the output: a report of the prompt alone leaves them out.
  const isReported = drawn > 0 || (promptTokens > 0 && completionTokens === undefined);
  if (isReported) return completeUsage(reported, used, model, counter);
  if (completionTokens === undefined) return undefined;
  const { usage } = await completeUsage(reported, used, model, counter);
  return { usage: { ...usage, completionTokens }, source: 'counted' as const };
}

/** Each at its own price; at that of the requested model where the site has none by tokens. */
function priceOthers(
  others: Usage['others'],
  { price, otherPrice }: PricingContext,
): readonly PricedUsage[] | undefined {
  if (others === undefined || price.kind === 'call') return undefined;
  return others.map(({ model, usage }) => {
    const own = otherPrice?.(model);
    return { model, usage, price: own?.kind === 'ratio' ? own : price };
  });
}

/** What replies do not report: tools that a model calls in each request, and the hour. */
function withUnreported(usage: Usage, price: ModelPrice, now: number): Usage {
  const details = price.kind === 'call' ? undefined : price.details;
  if (details === undefined) return usage;
  const { toolCalls = details.alwaysCalled } = usage;
  const tiers = tiersAt(usage.tiers, details, now);
  return toolCalls === usage.toolCalls && tiers === usage.tiers
    ? usage
    : { ...usage, toolCalls, tiers };
}

/**
 * Counts what the upstream did not report. Where it reported everything, nothing is counted or
 * waited for. `now`: milliseconds, of the charge.
 */
export async function chargeUsage(
  used: MeasuredUsage,
  pricing: PricingContext,
  counter: TokenCounter,
  now: number,
): Promise<UsageCharge> {
  const { model, price, groupRatio, quotaPerUnit, measure } = pricing;
  const ordered = measure?.images;
  if (ordered === undefined) {
    const { usage: counted, source } = await usageOf(used, pricing, counter);
    const usage = withUnreported(counted, price, now);
    const others = priceOthers(usage.others, pricing);
    const charge = priceUsage(usage, price, groupRatio, quotaPerUnit, others);
    return { usage, source, price, others, charge };
  }
  // Only images that were both ordered and generated are charged.
  const images = { ...ordered, count: Math.min(ordered.count, used.images ?? ordered.count) };
  const byTokens = await imageUsage(used, pricing, images, counter);
  if (byTokens !== undefined)
    return {
      ...byTokens,
      price,
      charge: priceUsage(byTokens.usage, price, groupRatio, quotaPerUnit),
    };
  const charge = priceImages(model, price, images, groupRatio, quotaPerUnit);
  const { usage, source } = await completeUsage(believable(used.usage), used, model, counter);
  return { usage, source, price: imagePrice(price), images, charge };
}
