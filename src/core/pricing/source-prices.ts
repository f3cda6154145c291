/** Prices of models as a source states them (docs/rules/pricing.md#price-sources). Pure. */
import { type Decimal, decimal, multiply, toNumber } from '../kernel/decimal.ts';
import { bareModelName, knownModels } from '../models/known-models.ts';
import type { FoundModel } from '../models/sources/found-model.ts';
import { readModelList } from '../models/sources/read-list.ts';
import { catalogueDetails } from './catalogue-details.ts';
import { ratioAtUnit } from './catalogue-prices.ts';
import type { UnreadablePrice } from './expression-terms.ts';
import type { ModelPrice } from './find-price.ts';
import { readGatewayPrices } from './gateway-prices.ts';
import { findListPrice } from './list-prices.ts';
import { listEntries, type SourcePrice, type SourcePrices, withDetails } from './source-entries.ts';

/** Public lists by name. Each address is its own source, 2026-11-28. */
export const publicLists: Readonly<Record<string, string>> = {
  litellm:
    'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  'models.dev': 'https://models.dev/api.json',
  openrouter: 'https://openrouter.ai/api/v1/models',
};

/** The list prices that the program knows. */
export const cataloguePrices: SourcePrices = {
  find: (model) => {
    const price = findListPrice(model);
    if (price === undefined) return undefined;
    // Which tools a model calls unasked is no price.
    const { alwaysCalled: _, ...details } = catalogueDetails(model) ?? {};
    if (price.kind === 'ratio') return { ...entriesOf(price), ...withDetails(details) };
    return price.perSecond === undefined
      ? entriesOf(price)
      : { details: { perSecond: details.perSecond ?? {} } };
  },
  unreadable: new Map(),
};

function entriesOf(price: ModelPrice): SourcePrice {
  if (price.kind === 'call') return { ModelPrice: toNumber(price.price) };
  return {
    ModelRatio: toNumber(price.modelRatio),
    CompletionRatio: toNumber(price.completionRatio),
    CacheRatio: toNumber(price.cacheRatio),
    CreateCacheRatio: toNumber(price.cacheWriteRatio),
    ...(price.audioRatio !== undefined && {
      AudioRatio: toNumber(price.audioRatio),
      AudioCompletionRatio: toNumber(price.audioCompletionRatio),
    }),
    ImageRatio: toNumber(price.imageRatio),
  };
}

/**
 * The prices of a list in any known format, or of another gateway's `/api/pricing`. `day`: see
 * {@link readModelList}. Undefined: it is neither.
 */
export function readSource(text: string, day: string): SourcePrices | undefined {
  const gateway = readGatewayPrices(text);
  if (gateway !== undefined) return gateway;
  const list = readModelList(text, day);
  if (list === undefined) return undefined;
  const found = new Map<string, FoundModel[]>();
  const unread = new Map<string, UnreadablePrice>();
  for (const model of list.models) {
    const name = bareModelName(model.name);
    if (model.unread !== undefined)
      for (const one of [name, model.name]) unread.set(one, model.unread);
    if (model.price === undefined && model.secondPrices === undefined) continue;
    const known = found.get(name);
    if (known === undefined) found.set(name, [model]);
    else known.push(model);
  }
  const find = (model: string) => {
    const { row, facts } = knownModels.find(bareModelName(model));
    const chosen = chooseServer(
      found.get(bareModelName(model)) ?? [],
      model,
      row?.vendor ?? facts.vendor,
    );
    if (chosen?.price !== undefined) return listEntries(chosen.price);
    return chosen?.secondPrices && { details: { perSecond: chosen.secondPrices } };
  };
  const unreadable = new Map([...unread].filter(([name]) => find(name) === undefined));
  return { find, unreadable };
}

/**
 * The vendor's own price, of the very name before others; then the only one: several resellers'
 * prices are none.
 */
function chooseServer(
  found: readonly FoundModel[],
  name: string,
  vendor: string | undefined,
): FoundModel | undefined {
  return (
    found.find((model) => model.name === name && model.server === vendor) ??
    found.find((model) => model.name === name) ??
    found.find(({ server }) => server === vendor) ??
    found.find((model) => model.vendor === vendor && model.server === 'openrouter') ??
    (found.length === 1 ? found[0] : undefined)
  );
}

/**
 * Entries of a site with this QuotaPerUnit: a ratio counts its quota, everything else is in units
 * or relative.
 */
export function atUnit(price: SourcePrice, quotaPerUnit: Decimal): SourcePrice {
  const { ModelRatio: ratio } = price;
  return ratio === undefined
    ? price
    : { ...price, ModelRatio: toNumber(ratioAtUnit(decimal(ratio), quotaPerUnit)) };
}

/** `factor` times as much: what is relative to the input stays. */
export function withMargin(price: SourcePrice, factor: number): SourcePrice {
  const times = (value: number) => toNumber(multiply(decimal(value), decimal(factor)));
  const { ModelRatio, ModelPrice, details } = price;
  const { tools, perSecond } = details ?? {};
  const timesEach = (prices: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(prices).map(([name, value]) => [name, times(value)]));
  return {
    ...price,
    ...(ModelRatio !== undefined && { ModelRatio: times(ModelRatio) }),
    ...(ModelPrice !== undefined && { ModelPrice: times(ModelPrice) }),
    ...((tools ?? perSecond) && {
      details: {
        ...details,
        ...(tools && { tools: timesEach(tools) }),
        ...(perSecond && { perSecond: timesEach(perSecond) }),
      },
    }),
  };
}
