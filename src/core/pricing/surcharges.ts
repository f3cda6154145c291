/** What providers charge beside tokens for searches they run themselves (spec, billing 5, tool surcharges). */
import { type Decimal, decimal } from '../kernel/decimal.ts';

/** Units per 1,000 searches; the first pattern that fits a name decides. */
const searchPrices: readonly (readonly [pattern: RegExp, perThousand: number])[] = [
  [/claude/, 10],
  [/search-preview/, 25],
  [/^(o3|o4|gpt-5)/, 10],
  [/^(gpt-4|chatgpt-)/, 25],
];

/** Units per 1,000 searches; undefined: they cost nothing beside their tokens. */
export function searchPrice(model: string): Decimal | undefined {
  const price = searchPrices.find(([pattern]) => pattern.test(model))?.[1];
  return price === undefined ? undefined : decimal(price);
}

/** Searches of one answer: as told, and one for models that always search and never tell. */
export function searchCount(model: string, told: number | undefined): number | undefined {
  return told ?? (model.includes('search-preview') ? 1 : undefined);
}
