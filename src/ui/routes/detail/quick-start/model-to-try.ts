/** What the first steps choose among the models of a new channel. */
import type { PricingRow } from '../../../../core/contract/catalog.ts';

export interface OfferedModel {
  readonly name: string;
  readonly priced: boolean;
}

/** Those with a price first, each in the upstream's order. */
export function pricedFirst(
  models: readonly string[],
  unpriced: readonly string[],
): readonly OfferedModel[] {
  const without = new Set(unpriced);
  const offered = [...new Set(models)].map((name) => ({ name, priced: !without.has(name) }));
  return [...offered.filter(({ priced }) => priced), ...offered.filter(({ priced }) => !priced)];
}

/**
 * The model with which the channel is tested and then tried: one that answers chats and has a
 * price, of those that the vendor is known for before others.
 */
export function modelToTry(
  chosen: readonly string[],
  rows: readonly Pick<PricingRow, 'model_name' | 'playground' | 'unpriced'>[],
  known: readonly string[],
): string | undefined {
  const own = new Set(chosen);
  const chats = rows
    .filter((row) => own.has(row.model_name) && row.playground === 'chat' && !row.unpriced)
    .map((row) => row.model_name);
  return known.find((name) => chats.includes(name)) ?? chats[0];
}
