/** Default prices as vendors declare them (`prices.ts` in each vendor's folder). */

/** A value and the model names that have it, separated by spaces. */
export type PriceRow = readonly [value: number, names: string];

/**
 * A ratio by pattern of the model name. `*` matches any text; case is ignored. Among several
 * matching rules the one with the most literal characters applies, so their order does not matter.
 * A number in the option always takes precedence.
 */
export type RatioRule = readonly [pattern: string, ratio: number];

/** Absent: the vendor has no defaults of the kind. Ratio 1 is $2 per 1M prompt tokens. */
export interface VendorPrices {
  readonly modelRatio?: readonly PriceRow[];
  /** Prices per call, in currency units. A model listed here is never billed by ratio. */
  readonly modelPrice?: readonly PriceRow[];
  /** Price of cached input relative to input; other names pay the full price for cache reads. */
  readonly cacheRatio?: readonly PriceRow[];
  /** Price of cache writes relative to input; other names pay 1.25. */
  readonly cacheWriteRatio?: readonly PriceRow[];
  /** Price of audio input relative to text, and of audio output relative to audio input. */
  readonly audioRatio?: readonly PriceRow[];
  readonly audioCompletionRatio?: readonly PriceRow[];
  /** Output price relative to input price, as a value of the option. */
  readonly completionRatio?: readonly PriceRow[];
  /** Price of image tokens relative to text tokens. */
  readonly imageRatio?: readonly PriceRow[];
  /**
   * Output price relative to input price, for models that the option does not list. Without a rule:
   * 1.
   */
  readonly completionRules?: readonly RatioRule[];
  /**
   * Price of audio tokens relative to text tokens. Without a rule and an option, audio costs the
   * same as text.
   */
  readonly audioRules?: readonly RatioRule[];
  /** Price of audio output relative to audio input. */
  readonly audioCompletionRules?: readonly RatioRule[];
}

/** An option object (model → number) from rows. Throws RangeError when a name is listed twice. */
export function tableFromRows(
  ...groups: readonly (readonly PriceRow[])[]
): Readonly<Record<string, number>> {
  const table: Record<string, number> = {};
  for (const [value, names] of groups.flat()) {
    for (const name of names.trim().split(/\s+/)) {
      if (Object.hasOwn(table, name)) throw new RangeError(`listed twice: ${name}`);
      table[name] = value;
    }
  }
  return table;
}

/**
 * Ratio of a price in yuan per 1,000 tokens at the reference rate of 7.3 yuan per dollar: x × 500 ⁄
 * 7.3.
 */
export function yuan(perThousandTokens: number): number {
  return (perThousandTokens * 500) / 7.3;
}
