/** Prices of models as a source states them (docs/rules/pricing.md#price-sources). Pure. */
import { decimal, multiply, toNumber } from '../kernel/decimal.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import { bareModelName, knownModels } from '../models/known-models.ts';
import type { FoundModel } from '../models/sources/found-model.ts';
import { readModelList } from '../models/sources/read-list.ts';
import { catalogueDetails, relativePrices } from './catalogue-details.ts';
import { ratiosOf } from './catalogue-prices.ts';
import type { PriceDetailsEntry } from './details.ts';
import type { ModelPrice } from './find-price.ts';
import { findListPrice } from './list-prices.ts';
import type { PriceOptions } from './tables.ts';

export const sourceTables = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
] as const satisfies readonly (keyof PriceOptions)[];
export type SourceTable = (typeof sourceTables)[number];

/** Entries of the price options. What a source leaves out stays as it is. */
export interface SourcePrice extends Readonly<Partial<Record<SourceTable, number>>> {
  readonly details?: PriceDetailsEntry;
}

/** The price of a model by its name; undefined: the source has none. */
export type FindSourcePrice = (model: string) => SourcePrice | undefined;

/** Public lists by name. Each address is its own source, 2026-11-28. */
export const publicLists: Readonly<Record<string, string>> = {
  litellm:
    'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  'models.dev': 'https://models.dev/api.json',
  openrouter: 'https://openrouter.ai/api/v1/models',
};

/** The list prices that the program knows. */
export const cataloguePrice: FindSourcePrice = (model) => {
  const price = findListPrice(model);
  if (price === undefined) return undefined;
  // Which tools a model calls unasked is no price.
  const { alwaysCalled: _, ...details } = catalogueDetails(model) ?? {};
  return { ...entriesOf(price), ...(price.kind === 'ratio' && withDetails(details)) };
};

/** Nothing, where there is nothing besides the ratios. */
function withDetails(details: PriceDetailsEntry): Pick<SourcePrice, 'details'> {
  return Object.keys(details).length === 0 ? {} : { details };
}

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
export function readSource(text: string, day: string): FindSourcePrice | undefined {
  const rows = gatewayRows(text);
  if (rows !== undefined) return (model) => rows.get(model);
  const list = readModelList(text, day);
  if (list === undefined) return undefined;
  const found = new Map<string, FoundModel[]>();
  for (const model of list.models) {
    if (model.price === undefined) continue;
    const name = bareModelName(model.name);
    const known = found.get(name);
    if (known === undefined) found.set(name, [model]);
    else known.push(model);
  }
  return (model) => {
    const { row, facts } = knownModels.find(bareModelName(model));
    const chosen = chooseServer(
      found.get(bareModelName(model)) ?? [],
      model,
      row?.vendor ?? facts.vendor,
    );
    return chosen && listEntries(chosen);
  };
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

function listEntries({ price }: FoundModel): SourcePrice | undefined {
  if (price === undefined) return undefined;
  const ratios = ratiosOf(price);
  const { modelRatio, completionRatio, cacheRatio, cacheWriteRatio } = ratios;
  const { audioRatio, audioCompletionRatio, imageRatio } = ratios;
  return {
    ModelRatio: modelRatio ?? 0,
    ...(completionRatio !== undefined && { CompletionRatio: completionRatio }),
    ...(price.cacheRead !== undefined && { CacheRatio: cacheRatio }),
    ...(price.cacheWrite !== undefined && { CreateCacheRatio: cacheWriteRatio }),
    ...(audioRatio !== undefined && { AudioRatio: audioRatio }),
    ...(audioCompletionRatio !== undefined && { AudioCompletionRatio: audioCompletionRatio }),
    ...(imageRatio !== undefined && { ImageRatio: imageRatio }),
    ...withDetails(relativePrices(price)),
  } as SourcePrice;
}

/** Fields of a row of `/api/pricing`, ours and New API's, and the option of each. */
const gatewayFields = {
  completion_ratio: 'CompletionRatio',
  cache_ratio: 'CacheRatio',
  cache_creation_ratio: 'CreateCacheRatio',
  create_cache_ratio: 'CreateCacheRatio',
  audio_ratio: 'AudioRatio',
  audio_completion_ratio: 'AudioCompletionRatio',
  image_ratio: 'ImageRatio',
} as const satisfies Record<string, SourceTable>;

function gatewayRows(text: string): ReadonlyMap<string, SourcePrice> | undefined {
  const reply = parseJson(text);
  const data = isObject(reply) && Array.isArray(reply['data']) ? reply['data'] : [];
  const rows = data.filter(isObject).filter((row) => typeof row['model_name'] === 'string');
  if (rows.length === 0) return undefined;
  return new Map(
    rows.flatMap((row) => {
      const price = row['unpriced'] === true ? undefined : gatewayEntries(row);
      return price === undefined ? [] : [[String(row['model_name']), price] as const];
    }),
  );
}

function gatewayEntries(row: Readonly<Record<string, unknown>>): SourcePrice | undefined {
  const number = (name: string): number | undefined => {
    const value = row[name];
    return isFactor(value) ? value : undefined;
  };
  if (row['quota_type'] === 1) {
    const price = number('model_price');
    // One per second is none for a video.
    if (isObject(row['video_ratios'])) return undefined;
    return price === undefined ? undefined : { ModelPrice: price };
  }
  const modelRatio = number('model_ratio');
  if (modelRatio === undefined) return undefined;
  const more = Object.entries(gatewayFields).flatMap(([name, table]) => {
    const value = number(name);
    return value === undefined ? [] : [[table, value] as const];
  });
  return { ModelRatio: modelRatio, ...Object.fromEntries(more), ...gatewayDetails(row) };
}

const isFactor = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value);

function factors(value: unknown): Readonly<Record<string, number>> | undefined {
  const entries = Object.entries(isObject(value) ? value : {}).filter(([, one]) => isFactor(one));
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Record<string, number>);
}

function steps(value: unknown): PriceDetailsEntry['steps'] {
  const found = (Array.isArray(value) ? value : []).filter(isObject).flatMap((step) => {
    const { above, input, output } = step;
    const isStep = Number.isSafeInteger(above) && Number(above) > 0;
    return isStep && isFactor(input) && isFactor(output)
      ? [{ above: Number(above), input, output }]
      : [];
  });
  return found.length === 0 ? undefined : found;
}

function peakHours(value: unknown): PriceDetailsEntry['peakHours'] {
  const found = (Array.isArray(value) ? value : []).filter(isObject).flatMap((hours) => {
    const [days, from, to] = [hours['days'], Number(hours['from']), Number(hours['to'])];
    const isDay = (day: unknown) => Number.isInteger(day) && Number(day) >= 0 && Number(day) <= 6;
    const isMinute = (time: number) => Number.isInteger(time) && time >= 0 && time <= 1440;
    return Array.isArray(days) && days.every(isDay) && isMinute(from) && isMinute(to)
      ? [{ days: days.map(Number), from, to }]
      : [];
  });
  return found.length === 0 ? undefined : found;
}

/** The details of a row of `/api/pricing` (core/contract/catalog.ts); New API has none. */
function gatewayDetails({ details }: Readonly<Record<string, unknown>>) {
  if (!isObject(details)) return {};
  const known = {
    steps: steps(details['steps']),
    factors: factors(details['factors']),
    tools: factors(details['tools']),
    peakHours: peakHours(details['peak_hours']),
    longCacheWrite: details['long_cache_write_ratio'],
    cachedAudio: details['cached_audio_ratio'],
    cachedImage: details['cached_image_ratio'],
    thinking: details['thinking_ratio'],
  };
  const kept = Object.entries(known).filter(
    ([, value]) => (typeof value === 'object' && value !== null) || isFactor(value),
  );
  return withDetails(Object.fromEntries(kept));
}

/** `factor` times as much: what is relative to the input stays. */
export function withMargin(price: SourcePrice, factor: number): SourcePrice {
  const times = (value: number) => toNumber(multiply(decimal(value), decimal(factor)));
  const { ModelRatio, ModelPrice, details } = price;
  const tools = Object.entries(details?.tools ?? {}).map(([tool, value]) => [tool, times(value)]);
  return {
    ...price,
    ...(ModelRatio !== undefined && { ModelRatio: times(ModelRatio) }),
    ...(ModelPrice !== undefined && { ModelPrice: times(ModelPrice) }),
    ...(tools.length > 0 && { details: { ...details, tools: Object.fromEntries(tools) } }),
  };
}
