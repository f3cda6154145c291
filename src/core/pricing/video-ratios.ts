import { type Decimal, decimal, one } from '../kernel/decimal.ts';
import type { CallPrice } from './find-price.ts';
import { secondPrice, type VideoMeasure } from './second-prices.ts';

/** The option VideoRatios: model → resolution → ratio. */
export type VideoRatioTable = ReadonlyMap<string, ReadonlyMap<string, Decimal>>;

export function buildVideoRatios(
  option: Readonly<Record<string, Readonly<Record<string, number>>>>,
): VideoRatioTable {
  const ratiosOf = (ratios: Readonly<Record<string, number>>) =>
    new Map(
      Object.entries(ratios).map(([resolution, ratio]) => [
        resolution.toUpperCase(),
        decimal(ratio),
      ]),
    );
  return new Map(Object.entries(option).map(([model, ratios]) => [model, ratiosOf(ratios)]));
}

/** The entry of a model (docs/rules/pricing.md#video-ratios): its own, else that of the longest beginning of its name written with `*`. */
export function videoRatioEntry(
  model: string,
  table: VideoRatioTable,
): ReadonlyMap<string, Decimal> | undefined {
  const named = table.get(model);
  if (named !== undefined) return named;
  const starts = [...table.keys()].filter(
    (name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)),
  );
  const longest = starts.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : table.get(longest);
}

/**
 * What the model's price is multiplied by, under the names that log rows show
 * (docs/rules/pricing.md#video-ratios): its price is one per second. Undefined: the model has no
 * entry, and its price is one per video.
 */
export function videoRatios(
  model: string,
  { seconds, resolution }: VideoMeasure,
  table: VideoRatioTable,
): Readonly<Record<string, Decimal>> | undefined {
  const entry = videoRatioEntry(model, table);
  return entry === undefined
    ? undefined
    : { seconds: decimal(seconds), resolution: entry.get(resolution) ?? one };
}

/**
 * A video's price and what it is multiplied by: a price by the second of its own goes before the
 * option VideoRatios, which multiplies prices that the site has set (docs/rules/pricing.md#video-order).
 */
export function videoTerms(
  model: string,
  video: VideoMeasure,
  price: CallPrice,
  table: VideoRatioTable,
): { readonly price: CallPrice; readonly ratios?: Readonly<Record<string, Decimal>> } {
  if (price.perSecond !== undefined)
    return {
      price: { kind: 'call', price: secondPrice(video, price.perSecond) },
      ratios: { seconds: decimal(video.seconds) },
    };
  const ratios = videoRatios(model, video, table);
  return { price, ...(ratios && { ratios }) };
}
