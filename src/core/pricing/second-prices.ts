/** Prices by the second of video (docs/rules/pricing.md#second-prices). */
import { compare, type Decimal, decimal, zero } from '../kernel/decimal.ts';

/** What a video is priced by. */
export interface VideoMeasure {
  readonly seconds: number;
  /** `720P`. */
  readonly resolution: string;
  /** It was ordered without sound. */
  readonly silent?: boolean;
}

/**
 * Currency units for a second by resolution in capitals, ` SILENT` behind one without sound; `*`, which
 * is always there, is every other one.
 */
export type SecondPrices = ReadonlyMap<string, Decimal>;

/** The name of every other resolution. */
export const otherResolutions = '*';

type Entry = Readonly<Record<string, number>>;

/**
 * The operator's prices over the catalogue's, resolution by resolution. What is not listed costs what
 * the highest price is, so that nothing is sold below its list price. `lowest`: of those that are
 * not free, to which the others are compared. Undefined: there are none.
 */
export function readSecondPrices(
  known: Entry | undefined,
  own: Entry | undefined,
): { readonly prices: SecondPrices; readonly lowest: Decimal } | undefined {
  const prices = new Map<string, Decimal>();
  for (const [name, price] of [...Object.entries(known ?? {}), ...Object.entries(own ?? {})])
    prices.set(name.toUpperCase(), decimal(price));
  const sorted = [...prices.values()].sort(compare);
  const highest = sorted.at(-1);
  if (highest === undefined) return undefined;
  if (!prices.has(otherResolutions)) prices.set(otherResolutions, highest);
  return { prices, lowest: sorted.find((price) => compare(price, zero) > 0) ?? highest };
}

/** The price of a second of this video. */
export function secondPrice(
  { resolution, silent = false }: VideoMeasure,
  prices: SecondPrices,
): Decimal {
  const names = silent ? [`${resolution} SILENT`, resolution] : [resolution];
  const found = [...names, otherResolutions].flatMap((name) => prices.get(name) ?? []);
  if (found[0] === undefined) throw new RangeError('prices by the second without any');
  return found[0];
}
