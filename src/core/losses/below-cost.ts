/** Prices below what a channel's upstream charges (docs/rules/losses.md#saving). Pure. */
import {
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  one,
  toNumber,
} from '../kernel/decimal.ts';
import { typeOfModel } from '../models/model-type.ts';
import { findPrice } from '../pricing/find-price.ts';
import { formatPrice } from '../pricing/format.ts';
import { findListPrice } from '../pricing/list-prices.ts';
import { type KindPrices, type PriceKind, pricesByKind } from '../pricing/price-per-million.ts';
import type { PriceTables } from '../pricing/tables.ts';
import { taskPrice } from '../pricing/task-price.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { CostPrices } from '../upstream/rules/channel-cost.ts';
import { usualVideoSeconds } from '../vocabulary/video-models.ts';

type PricedChannel = Pick<
  UpstreamChannel,
  'id' | 'name' | 'models' | 'modelMapping' | 'groups' | 'cost'
>;

/** A price that does not cover its cost: currency units per million tokens, or per call. */
export interface PriceBelowCost {
  readonly model: string;
  readonly channelId: number;
  readonly channel: string;
  readonly kind: keyof KindPrices;
  /** In the cheapest group of the channel that is not free. */
  readonly price: number;
  readonly cost: number;
}

/** `gpt-x output: 8 < 10 (#3 main)`. */
export function belowCostText({ model, kind, price, cost, channelId, channel }: PriceBelowCost) {
  const text = (amount: number) => formatPrice(decimal(amount)).text;
  return `${model} ${kind}: ${text(price)} < ${text(cost)} (#${channelId} ${channel})`;
}

/** Decimal places of a cost. */
const places = 12;

const statedKinds = {
  input: 'input',
  output: 'output',
  cached: 'cache_read',
  cache_write: 'cache_write',
  audio_input: 'audio_input',
  audio_output: 'audio_output',
  call: 'call',
} as const satisfies Partial<Record<keyof CostPrices, PriceKind>>;

/** `perSecond`: the site's price for a call to this model is one for a second of video. */
export function pricesBelowCost(
  channels: Iterable<PricedChannel>,
  tables: PriceTables,
  quotaPerUnit: Decimal,
  perSecond: (model: string) => boolean,
): readonly PriceBelowCost[] {
  const found: PriceBelowCost[] = [];
  for (const channel of channels) {
    const groupRatio = lowestRatio(channel.groups, tables);
    if (channel.cost === undefined || groupRatio === undefined) continue;
    for (const model of channel.models) {
      const set = findPrice(model, tables);
      if (set === undefined) continue;
      const price = typeOfModel(model) === 'video' ? taskPrice(set) : set;
      const sold = pricesByKind(price, groupRatio, quotaPerUnit);
      const costs = withWholeVideo(
        costsOf(channel, model, tables, quotaPerUnit),
        perSecond(model) ? 1 : usualVideoSeconds,
      );
      for (const [kind, cost] of Object.entries(costs) as [keyof KindPrices, Decimal][]) {
        const own = sold[kind];
        if (own === undefined || compare(own, cost) >= 0) continue;
        found.push({
          model,
          channelId: channel.id,
          channel: channel.name,
          kind,
          price: toNumber(own),
          cost: toNumber(cost),
        });
      }
    }
  }
  return found;
}

/** A price for a whole video covers one of the usual length at the lowest price of a second. */
function withWholeVideo(costs: KindPrices, seconds: number): KindPrices {
  const [second] = Object.entries(costs)
    .flatMap(([kind, cost]) => (kind.startsWith('second_') ? [cost] : []))
    .sort(compare);
  return second === undefined || costs.call !== undefined
    ? costs
    : { ...costs, call: multiply(second, decimal(seconds)) };
}

/** For whomever the groups are cheapest. Free ones are meant to be so. */
function lowestRatio(groups: readonly string[], tables: PriceTables): Decimal | undefined {
  const special = [...tables.groupGroupRatio.values()];
  return groups
    .flatMap((group) => [
      tables.groupRatio.get(group) ?? one,
      ...special.flatMap((ratios) => ratios.get(group) ?? []),
    ])
    .filter(({ digits }) => digits > 0n)
    .sort(compare)[0];
}

/** By kind, in currency units of the site. */
function costsOf(
  { cost, modelMapping }: PricedChannel,
  model: string,
  tables: PriceTables,
  quotaPerUnit: Decimal,
): KindPrices {
  if (cost === undefined) return {};
  const sent = modelMapping[model] ?? model;
  const inUnits = (price: Decimal) => divide(price, cost.rate, places);
  const stated = cost.models.get(sent) ?? cost.models.get(model);
  if (stated !== undefined)
    return Object.fromEntries(
      Object.entries(statedKinds).flatMap(([name, kind]) => {
        const price = stated[name as keyof typeof statedKinds];
        return price === undefined ? [] : [[kind, inUnits(price)]];
      }),
    );
  const { ratio } = cost;
  const base =
    cost.base === 'list'
      ? (findListPrice(sent, quotaPerUnit) ?? findListPrice(model, quotaPerUnit))
      : findPrice(model, tables);
  if (ratio === undefined || base === undefined) return {};
  return Object.fromEntries(
    Object.entries(pricesByKind(base, one, quotaPerUnit)).map(([kind, price]) => [
      kind,
      inUnits(multiply(price, ratio)),
    ]),
  );
}
