/** What an outcome costs: its usage completed where the upstream left something out, then priced (spec, billing 5, 7). */

import type { Usage } from '../../canonical/chat.ts';
import { type Decimal, multiply } from '../../kernel/decimal.ts';
import type { Countable } from '../../metering/countable.ts';
import type { TokenCounter } from '../../metering/token-counter.ts';
import { tokensOfSeconds } from '../../pricing/audio-tokens.ts';
import { type Charge, priceCalls, priceUsage } from '../../pricing/cost.ts';
import type { ModelPrice } from '../../pricing/find-price.ts';
import { expectedImageTokens, type ImageOrder, imageFactor, imagePrice } from '../../pricing/images.ts';
import { searchCount } from '../../pricing/surcharges.ts';
import type { CallMeasure } from '../formats/shared/measure.ts';

/** What was used, as far as it is known. */
export interface MeasuredUsage {
  /** What the upstream told; undefined where it told nothing. */
  readonly usage: Usage | undefined;
  /** What is counted where it told nothing: what was asked. */
  readonly input: () => Countable;
  /** And what reached the client. */
  readonly output: () => Countable;
  /** Images that came, where that can be seen. */
  readonly images?: number;
  /** Seconds of speech that were made, where that is charged. */
  readonly spokenSeconds?: number;
}

/** What a request is charged by. */
export interface PricingContext {
  readonly model: string;
  readonly price: ModelPrice;
  readonly groupRatio: Decimal;
  readonly quotaPerUnit: Decimal;
  readonly measure?: CallMeasure;
}

export interface UsageCharge {
  readonly usage: Usage;
  readonly source: 'upstream' | 'counted';
  readonly charge: Charge;
  /** The price it was charged at: for images that of one of them. */
  readonly price: ModelPrice;
  /** The images charged for one by one. */
  readonly images?: ImageOrder;
}

/** No answer holds more tokens than this: an upstream that says so has told nothing. */
const mostTokens = 1e9;

/** What an upstream told, unless it is out of all measure. */
export function believable(usage: Usage | undefined): Usage | undefined {
  return Object.values(usage ?? {}).some((count) => count > mostTokens) ? undefined : usage;
}

function isSilent({ texts, images, tokens }: Countable): boolean {
  return tokens === 0 && images.length === 0 && texts.every((text) => text.trim() === '');
}

type CompleteUsage = Pick<UsageCharge, 'usage' | 'source'>;

/** The upstream's figures; ours for each side it left out although there was something to count. */
async function completeUsage(
  told: Usage | undefined,
  used: MeasuredUsage,
  model: string,
  counter: TokenCounter,
): Promise<CompleteUsage> {
  const hasPrompt = (told?.promptTokens ?? 0) > 0;
  const completion = told?.completionTokens ?? 0;
  // None for an answer that said something is none told (spec, billing 7).
  const hasCompletion = completion > 0 || (hasPrompt && told?.completionTokens === 0 && isSilent(used.output()));
  if (told !== undefined && hasPrompt && hasCompletion) return { usage: told, source: 'upstream' };
  const spoken = used.spokenSeconds === undefined ? undefined : tokensOfSeconds(used.spokenSeconds);
  const [promptTokens, completionTokens] = await Promise.all([
    hasPrompt ? told?.promptTokens : counter.count(used.input(), model),
    hasCompletion ? told?.completionTokens : (spoken ?? counter.count(used.output(), model)),
  ]);
  return { usage: { ...told, promptTokens, completionTokens }, source: 'counted' };
}

function usageOf(
  used: MeasuredUsage,
  { model, measure }: PricingContext,
  counter: TokenCounter,
): CompleteUsage | Promise<CompleteUsage> {
  const told = believable(used.usage);
  const measured = measure?.usageOf?.(told);
  if (measured === undefined) return completeUsage(told, used, model, counter);
  const isTold = (told?.promptTokens ?? 0) > 0 && measured.promptTokens === told?.promptTokens;
  return { usage: measured, source: isTold ? 'upstream' : 'counted' };
}

/** What images of this model used, where they are charged by tokens: those it told, or those it is known to take. */
async function imageUsage(used: MeasuredUsage, { model, price }: PricingContext, order: ImageOrder, counter: TokenCounter) {
  if (price.kind === 'call') return undefined;
  const told = believable(used.usage);
  if ((told?.promptTokens ?? 0) + (told?.completionTokens ?? 0) > 0) return completeUsage(told, used, model, counter);
  const completionTokens = expectedImageTokens(model, order);
  if (completionTokens === undefined) return undefined;
  const { usage } = await completeUsage(undefined, used, model, counter);
  return { usage: { ...usage, completionTokens }, source: 'counted' as const };
}

/** Counts what the upstream left out; what it told is not waited for. */
export async function chargeUsage(used: MeasuredUsage, terms: PricingContext, counter: TokenCounter): Promise<UsageCharge> {
  const { model, price, groupRatio, quotaPerUnit, measure } = terms;
  const ordered = measure?.images;
  if (ordered === undefined) {
    const { usage: counted, source } = await usageOf(used, terms, counter);
    const searches = searchCount(model, counted.webSearchRequests);
    const usage = searches === counted.webSearchRequests ? counted : { ...counted, webSearchRequests: searches };
    return { usage, source, price, charge: priceUsage(usage, price, groupRatio, quotaPerUnit) };
  }
  // What did not come is not owed; what came unasked neither.
  const images = { ...ordered, count: Math.min(ordered.count, used.images ?? ordered.count) };
  const byTokens = await imageUsage(used, terms, images, counter);
  if (byTokens !== undefined) return { ...byTokens, price, charge: priceUsage(byTokens.usage, price, groupRatio, quotaPerUnit) };
  const each = imagePrice(price);
  const charge = priceCalls(multiply(each.price, imageFactor(model, images)), images.count, groupRatio, quotaPerUnit);
  const { usage, source } = await completeUsage(believable(used.usage), used, model, counter);
  return { usage, source, price: each, images, charge };
}
