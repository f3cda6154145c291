/** Whether a model costs nothing (docs/rules/console-api.md#model-square). */

/** What a row of the price list says. */
interface ListedPrice {
  readonly model_ratio: number;
  readonly model_price: number;
  readonly details?: { readonly tools: Readonly<Record<string, number>> } | undefined;
}

/** Tools that its vendor runs have prices of their own, also of a model whose tokens are free. */
export function hasPaidTools({ details }: Pick<ListedPrice, 'details'>): boolean {
  return Object.values(details?.tools ?? {}).some((price) => price > 0);
}

/** Of a model that has a price. */
export function isFree(price: ListedPrice): boolean {
  return price.model_ratio === 0 && price.model_price === 0 && !hasPaidTools(price);
}
