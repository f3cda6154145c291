/** Default price tables are kept as `[value, 'names that have it']`: the value is the fact, the names are its list. */
export type PriceRow = readonly [value: number, names: string];

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

/** Ratio of a price in yuan per 1,000 tokens at the reference exchange of 7.3 (spec, billing 1 and 3: x × 500 ⁄ 7.3). */
export function yuan(perThousandTokens: number): number {
  return (perThousandTokens * 500) / 7.3;
}
