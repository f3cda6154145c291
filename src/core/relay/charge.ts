/** What an outcome costs: its usage completed where the upstream left something out, then priced (spec, billing 5, 7). */
import { type Decimal, multiply } from '../kernel/decimal.ts';
import { tokensOfSeconds } from '../pricing/audio-tokens.ts';
import { type Charge, priceCalls, priceUsage } from '../pricing/cost.ts';
import { estimateTokens, tokenFamilyOf } from '../pricing/estimate-tokens.ts';
import type { ModelPrice } from '../pricing/find-price.ts';
import { expectedPictureTokens, type PictureOrder, pictureFactor, picturePrice } from '../pricing/pictures.ts';
import { searchCount } from '../pricing/surcharges.ts';
import type { Usage } from '../providers/canonical.ts';
import type { CallMeasure } from './measure.ts';

/** What was used, as far as it is known. */
export interface Used {
  /** What the upstream told; undefined where it told nothing. */
  readonly usage: Usage | undefined;
  /** The texts to count where it told nothing: what was asked and what reached the client. Called at most once. */
  readonly texts: () => { readonly prompt: string; readonly completion: string };
  /** Pictures that came, where that can be seen. */
  readonly pictures?: number;
  /** Seconds of speech that were made, where that is charged. */
  readonly spokenSeconds?: number;
}

export interface UsageCharge {
  readonly usage: Usage;
  readonly source: 'upstream' | 'counted';
  readonly charge: Charge;
  /** The price it was charged at: for pictures that of one of them. */
  readonly price: ModelPrice;
  /** The pictures charged for one by one. */
  readonly pictures?: PictureOrder;
}

/** Characters counted at most; what is beyond counts by the same density. */
const countLimit = 400_000;

/** Estimated tokens of a text of any length. */
export function countTokens(text: string, model: string): number {
  if (text === '') return 0;
  const family = tokenFamilyOf(model);
  if (text.length <= countLimit) return estimateTokens(text, family);
  return Math.ceil((estimateTokens(text.slice(0, countLimit), family) * text.length) / countLimit);
}

/** No answer holds more tokens than this: an upstream that says so has told nothing. */
const mostTokens = 1e9;

function believable(usage: Usage | undefined): Usage | undefined {
  return Object.values(usage ?? {}).some((count) => count > mostTokens) ? undefined : usage;
}

/** The upstream's figures; ours for each side it left out although there was something to count. */
function completeUsage(told: Usage | undefined, used: Used, model: string): Pick<UsageCharge, 'usage' | 'source'> {
  const hasPrompt = (told?.promptTokens ?? 0) > 0;
  const hasCompletion = told?.completionTokens !== undefined && (told.completionTokens > 0 || hasPrompt);
  if (told !== undefined && hasPrompt && hasCompletion) return { usage: told, source: 'upstream' };
  const { prompt, completion } = used.texts();
  const spoken = used.spokenSeconds === undefined ? undefined : tokensOfSeconds(used.spokenSeconds);
  const usage: Usage = {
    ...told,
    promptTokens: hasPrompt ? told?.promptTokens : countTokens(prompt, model),
    completionTokens: hasCompletion ? told?.completionTokens : (spoken ?? countTokens(completion, model)),
  };
  return { usage, source: 'counted' };
}

function usageOf(used: Used, model: string, measure: CallMeasure | undefined): Pick<UsageCharge, 'usage' | 'source'> {
  const told = believable(used.usage);
  const measured = measure?.usageOf?.(told);
  if (measured === undefined) return completeUsage(told, used, model);
  const isTold = (told?.promptTokens ?? 0) > 0 && measured.promptTokens === told?.promptTokens;
  return { usage: measured, source: isTold ? 'upstream' : 'counted' };
}

/** Whether pictures of this model are charged by tokens: those it told, or those it is known to take. */
function pictureUsage(used: Used, model: string, price: ModelPrice, order: PictureOrder) {
  if (price.kind === 'call') return undefined;
  const told = believable(used.usage);
  if ((told?.promptTokens ?? 0) + (told?.completionTokens ?? 0) > 0) return completeUsage(told, used, model);
  const completionTokens = expectedPictureTokens(model, order);
  if (completionTokens === undefined) return undefined;
  const { usage } = completeUsage(undefined, used, model);
  return { usage: { ...usage, completionTokens }, source: 'counted' as const };
}

export function chargeUsage(
  used: Used,
  model: string,
  price: ModelPrice,
  groupRatio: Decimal,
  quotaPerUnit: Decimal,
  measure?: CallMeasure,
): UsageCharge {
  const ordered = measure?.pictures;
  if (ordered === undefined) {
    const { usage: counted, source } = usageOf(used, model, measure);
    const searches = searchCount(model, counted.webSearchRequests);
    const usage = searches === counted.webSearchRequests ? counted : { ...counted, webSearchRequests: searches };
    return { usage, source, price, charge: priceUsage(usage, price, groupRatio, quotaPerUnit) };
  }
  // What did not come is not owed; what came unasked neither.
  const pictures = { ...ordered, count: Math.min(ordered.count, used.pictures ?? ordered.count) };
  const byTokens = pictureUsage(used, model, price, pictures);
  if (byTokens !== undefined) return { ...byTokens, price, charge: priceUsage(byTokens.usage, price, groupRatio, quotaPerUnit) };
  const each = picturePrice(price);
  const charge = priceCalls(multiply(each.price, pictureFactor(model, pictures)), pictures.count, groupRatio, quotaPerUnit);
  return { ...completeUsage(believable(used.usage), used, model), price: each, pictures, charge };
}
