/**
 * What providers charge in addition to tokens for web searches they run themselves
 * (docs/rules/pricing.md#search-prices).
 */
import { type Decimal, decimal } from '../kernel/decimal.ts';

/** Currency units per 1,000 searches. The first pattern that matches the model name applies. */
const searchPrices: readonly (readonly [pattern: RegExp, perThousand: number])[] = [
  [/claude/, 10],
  [/search-preview/, 25],
  [/^(o3|o4|gpt-5)/, 10],
  [/^(gpt-4|chatgpt-)/, 25],
];

/** Currency units per 1,000 searches; undefined: no charge in addition to tokens. */
export function searchPrice(model: string): Decimal | undefined {
  const price = searchPrices.find(([pattern]) => pattern.test(model))?.[1];
  return price === undefined ? undefined : decimal(price);
}

/** Searches of one reply: as reported, and 1 for models that always search but never report it. */
export function searchCount(model: string, reported: number | undefined): number | undefined {
  return reported ?? (model.includes('search-preview') ? 1 : undefined);
}
