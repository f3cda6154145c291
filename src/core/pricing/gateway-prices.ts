/** The price list of another gateway, ours or New API's: its `/api/pricing`. Pure. */
import { decimal, multiply, toNumber } from '../kernel/decimal.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import { listedPrice } from './all-prices.ts';
import type { PriceDetailsEntry } from './details.ts';
import type { UnreadablePrice } from './expression-terms.ts';
import { readPriceExpression } from './price-expression.ts';
import { otherResolutions } from './second-prices.ts';
import {
  listEntries,
  type SourcePrice,
  type SourcePrices,
  type SourceTable,
  withDetails,
} from './source-entries.ts';

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

/** Undefined: the text is none. */
export function readGatewayPrices(text: string): SourcePrices | undefined {
  const reply = parseJson(text);
  const data = isObject(reply) && Array.isArray(reply['data']) ? reply['data'] : [];
  const rows = data.filter(isObject).filter((row) => typeof row['model_name'] === 'string');
  if (rows.length === 0) return undefined;
  const prices = new Map<string, SourcePrice>();
  const unreadable = new Map<string, UnreadablePrice>();
  for (const row of rows) {
    const price = row['unpriced'] === true ? undefined : gatewayEntries(row);
    if (typeof price === 'string') unreadable.set(String(row['model_name']), price);
    else if (price !== undefined) prices.set(String(row['model_name']), price);
  }
  return { find: (model) => prices.get(model), unreadable };
}

/** The entries of an expression, or why there are none. */
export function expressionEntries(expression: string): SourcePrice | UnreadablePrice {
  const read = readPriceExpression(expression);
  if (read.kind === 'unreadable') return read.reason;
  if (read.kind === 'call') return { ModelPrice: read.price };
  // It says all that there is: without hours there are none.
  return listEntries({ peakHours: [], ...read.price });
}

function gatewayEntries(
  row: Readonly<Record<string, unknown>>,
): SourcePrice | UnreadablePrice | undefined {
  // Then New API charges nothing by the ratios, which stay in the row.
  if (row['billing_mode'] === 'tiered_expr') return expressionEntries(String(row['billing_expr']));
  const number = (name: string): number | undefined => {
    const value = row[name];
    return isFactor(value) ? value : undefined;
  };
  if (row['quota_type'] === 1) {
    const price = number('model_price');
    const ratios = factors(row['video_ratios']);
    if (price === undefined) return undefined;
    if (!isObject(row['video_ratios'])) return { ModelPrice: price };
    // Where it names no resolution, none is known.
    return ratios && { details: { perSecond: secondsOf(price, ratios) } };
  }
  const modelRatio = number('model_ratio');
  if (modelRatio === undefined) return undefined;
  const more = Object.entries(gatewayFields).flatMap(([name, table]) => {
    const value = number(name);
    return value === undefined ? [] : [[table, value] as const];
  });
  return { ModelRatio: modelRatio, ...Object.fromEntries(more), ...gatewayDetails(row) };
}

/** A price by the second times the ratios of resolutions; of those without a ratio it is the price. */
function secondsOf(
  price: number,
  ratios: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const all = Object.entries({ [otherResolutions]: 1, ...ratios });
  return Object.fromEntries(
    all.map(([name, ratio]) => [
      name,
      toNumber(listedPrice(multiply(decimal(price), decimal(ratio)))),
    ]),
  );
}

const isFactor = (value: unknown): value is number => Number.isFinite(value) && Number(value) >= 0;

function factors(value: unknown): Readonly<Record<string, number>> | undefined {
  const entries = Object.entries(isObject(value) ? value : {}).filter(([, one]) => isFactor(one));
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Record<string, number>);
}

function steps(value: unknown): PriceDetailsEntry['steps'] {
  const found = (Array.isArray(value) ? value : []).filter(isObject).flatMap((step) => {
    const { above, input, output, cache_read: read, cache_write: write } = step;
    const isStep = Number.isSafeInteger(above) && Number(above) > 0;
    if (!isStep || !isFactor(input) || !isFactor(output)) return [];
    const caches = {
      ...(isFactor(read) && { cacheRead: read }),
      ...(isFactor(write) && { cacheWrite: write }),
    };
    return [{ above: Number(above), input, output, ...caches }];
  });
  return found.length === 0 ? undefined : found;
}

function cacheFactors(value: unknown): PriceDetailsEntry['cacheFactors'] {
  const found = Object.entries(isObject(value) ? value : {}).flatMap(([tier, caches]) => {
    const known = factors(caches);
    return known === undefined ? [] : [[tier, pick(known)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const pick = ({ read, write }: Readonly<Record<string, number>>) => ({
  ...(read !== undefined && { read }),
  ...(write !== undefined && { write }),
});

function peakHours(value: unknown): PriceDetailsEntry['peakHours'] {
  const found = (Array.isArray(value) ? value : []).filter(isObject).flatMap((hours) => {
    const days = hours['days'];
    const from = Number(hours['from']);
    const to = Number(hours['to']);
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
    cacheFactors: cacheFactors(details['cache_factors']),
    tools: factors(details['tools']),
    peakHours: peakHours(details['peak_hours']),
    longCacheWrite: details['long_cache_write_ratio'],
    cachedAudio: details['cached_audio_ratio'],
    cachedImage: details['cached_image_ratio'],
    thinking: details['thinking_ratio'],
    textOutput: details['text_output_ratio'],
  };
  const kept = Object.entries(known).filter(
    ([, value]) => (typeof value === 'object' && value !== null) || isFactor(value),
  );
  return withDetails(Object.fromEntries(kept));
}
