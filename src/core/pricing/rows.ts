/** Default prices as vendors declare them (`prices.ts` in each vendor's folder). */

/** `[value, 'names that have it']`: the value is the fact, the names are its list. */
export type PriceRow = readonly [value: number, names: string];

/**
 * A ratio that holds for a family of names. `*` stands for any text; case does not matter. Among rules that match, the one
 * with the most literal characters decides, so their order never matters. A number in the option always wins.
 */
export type RatioRule = readonly [pattern: string, ratio: number];

/** Absent: the vendor has no defaults of the kind. Ratio 1 is $2 per 1M prompt tokens. */
export interface VendorPrices {
  readonly modelRatio?: readonly PriceRow[];
  /** Prices per call, in currency units. A model listed here is never billed by ratio. */
  readonly modelPrice?: readonly PriceRow[];
  /** Price of cached input over input; a name that is not listed reads the cache at the full price. */
  readonly cacheRatio?: readonly PriceRow[];
  /** Output price over input price, as a value of the option. */
  readonly completionRatio?: readonly PriceRow[];
  /** An image's tokens over a text's. */
  readonly imageRatio?: readonly PriceRow[];
  /** Output price over input price, for models that the option does not name. No rule: 1. */
  readonly completionRules?: readonly RatioRule[];
  /** Price of audio tokens over text tokens. No rule and no option: audio tokens cost what text costs. */
  readonly audioRules?: readonly RatioRule[];
  /** Price of audio output over audio input. */
  readonly audioCompletionRules?: readonly RatioRule[];
}

/** An option object (model → number) from rows. Throws RangeError when a name is listed twice, so a table cannot contradict itself. */
export function tableFromRows(...groups: readonly (readonly PriceRow[])[]): Readonly<Record<string, number>> {
  const table: Record<string, number> = {};
  for (const [value, names] of groups.flat()) {
    for (const name of names.trim().split(/\s+/)) {
      if (Object.hasOwn(table, name)) throw new RangeError(`listed twice: ${name}`);
      table[name] = value;
    }
  }
  return table;
}

/** Ratio of a price in yuan per 1,000 tokens at the reference exchange of 7.3: x × 500 ⁄ 7.3. */
export function yuan(perThousandTokens: number): number {
  return (perThousandTokens * 500) / 7.3;
}
