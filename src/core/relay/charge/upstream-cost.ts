/**
 * What the upstream charges for a request, where its reply states it or its channel names its cost
 * (docs/rules/channels.md#channel-cost).
 */
import { add, type Decimal, decimal, divide, multiply, one, zero } from '../../kernel/decimal.ts';
import { clampQuota } from '../../kernel/quota.ts';
import {
  type BillableUsage,
  type ChargeKind,
  type ChargeLine,
  chargeSeconds,
  type PricedUsage,
  priceUsage,
  searchTools,
} from '../../pricing/cost.ts';
import type { ModelPrice, RatioPrice } from '../../pricing/find-price.ts';
import { priceImages } from '../../pricing/images.ts';
import { findListPrice } from '../../pricing/list-prices.ts';
import { type SecondPrices, secondPrice, type VideoMeasure } from '../../pricing/second-prices.ts';
import type { ChannelCost, CostPrices } from '../../upstream/rules/channel-cost.ts';
import type { PricingContext, UsageCharge } from './charge.ts';

/** Costs are kept in thousandths of a quota, because a request may cost less than one. */
const perQuota = decimal(1000);
const perMillion = decimal('0.000001');
const perThousand = decimal('0.001');

/** Each kind of token at 1, so that the lines of a charge are its counts. */
const countEach: RatioPrice = {
  kind: 'ratio',
  modelRatio: one,
  completionRatio: one,
  cacheRatio: one,
  cacheWriteRatio: one,
  audioRatio: one,
  audioCompletionRatio: one,
  imageRatio: one,
};

interface CostedRequest {
  readonly upstreamModel: string;
  readonly pricing: PricingContext;
  readonly used: UsageCharge;
  /** The provider's replies state what they cost. */
  readonly statesCost?: boolean | undefined;
}

/** In thousandths of a quota, rounded once, half away from zero; undefined: unknown. */
export function upstreamCost(
  cost: ChannelCost | undefined,
  request: CostedRequest,
): number | undefined {
  const { pricing, used, statesCost } = request;
  const { statedCost } = used.usage;
  if (statesCost === true && statedCost !== undefined) {
    const stated = multiply(decimal(statedCost), pricing.quotaPerUnit);
    // What a reseller takes of list prices is a share of this, too.
    return cost?.base === 'list' && cost.ratio !== undefined
      ? inThousandths(multiply(stated, cost.ratio), cost.rate)
      : inThousandths(stated, one);
  }
  if (cost === undefined) return undefined;
  const quota = costInQuota(cost, request);
  return quota === undefined ? undefined : inThousandths(quota, cost.rate);
}

function inThousandths(quota: Decimal, rate: Decimal): number {
  return clampQuota(divide(multiply(quota, perQuota), rate, 0).digits);
}

/** In quota, as if one unit of the upstream's currency were one of the site's. */
function costInQuota(
  cost: ChannelCost,
  { upstreamModel, pricing, used }: CostedRequest,
): Decimal | undefined {
  const prices = cost.models.get(upstreamModel) ?? cost.models.get(pricing.model);
  if (prices !== undefined) {
    const calls = used.images?.count ?? 1;
    let units = add(priceTokens(used.usage, prices), multiply(prices.call ?? zero, decimal(calls)));
    for (const { model, usage } of used.others ?? [])
      units = add(units, priceTokens(usage, cost.models.get(model) ?? prices));
    return multiply(units, pricing.quotaPerUnit);
  }
  if (cost.ratio === undefined) return undefined;
  const lines = cost.base === 'site' ? siteLines(used) : listLines(upstreamModel, pricing, used);
  return lines === undefined ? undefined : multiply(sumOf(lines), cost.ratio);
}

/** Undefined: the model has no price of its own. */
function siteLines({ price, charge }: UsageCharge): readonly ChargeLine[] | undefined {
  return price.kind === 'ratio' && price.assumed === true ? undefined : charge.lines;
}

function listLines(
  upstreamModel: string,
  pricing: PricingContext,
  used: UsageCharge,
): readonly ChargeLine[] | undefined {
  const { quotaPerUnit, model } = pricing;
  // What an image costs follows from a ratio in units.
  const unit = used.images === undefined ? quotaPerUnit : undefined;
  const price = findListPrice(upstreamModel, unit) ?? findListPrice(model, unit);
  if (price === undefined) return undefined;
  if (price.kind === 'call' && price.perSecond !== undefined)
    return used.video && secondLines(used.video, price.perSecond, quotaPerUnit);
  if (used.images !== undefined)
    return priceImages(model, price, used.images, one, quotaPerUnit).lines;
  const others = listed(used.others, price, quotaPerUnit);
  return priceUsage(used.usage, price, one, quotaPerUnit, others).lines;
}

function secondLines(
  video: VideoMeasure,
  prices: SecondPrices,
  quotaPerUnit: Decimal,
): readonly ChargeLine[] {
  return chargeSeconds(video.seconds, secondPrice(video, prices), one, quotaPerUnit).lines;
}

/** At list prices; at that of the requested model where none is known. */
function listed(
  others: UsageCharge['others'],
  requested: ModelPrice,
  quotaPerUnit: Decimal,
): readonly PricedUsage[] | undefined {
  if (requested.kind === 'call') return undefined;
  return others?.map(({ model, usage }) => {
    const own = findListPrice(model, quotaPerUnit);
    return { model, usage, price: own?.kind === 'ratio' ? own : requested };
  });
}

function sumOf(lines: readonly ChargeLine[]): Decimal {
  return lines.reduce((sum, { count, ratio }) => add(sum, multiply(ratio, decimal(count))), zero);
}

/** In units of the upstream's currency. */
function priceTokens(usage: BillableUsage, prices: CostPrices): Decimal {
  const { input = zero, output = zero } = prices;
  const cacheWrite = prices.cache_write ?? input;
  const ofKind: Readonly<Partial<Record<ChargeKind, Decimal>>> = {
    input,
    cached: prices.cached ?? input,
    cacheWrite,
    cacheWrite1h: prices.cache_write_1h ?? cacheWrite,
    image: prices.image ?? input,
    audioIn: prices.audio_input ?? input,
    output,
    audioOut: prices.audio_output ?? output,
  };
  const searches = Object.entries(usage.toolCalls ?? {}).reduce(
    (count, [tool, calls]) => count + (searchTools.has(tool) ? calls : 0),
    0,
  );
  let sum = multiply(multiply(prices.web_search ?? zero, perThousand), decimal(searches));
  for (const { kind, count } of priceUsage(usage, countEach, one, one).lines)
    sum = add(sum, multiply(multiply(ofKind[kind] ?? zero, perMillion), decimal(count)));
  return sum;
}
