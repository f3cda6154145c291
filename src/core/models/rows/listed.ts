import { ratioTo } from '../../kernel/decimal.ts';
import type { ListPrice, ModelRow } from '../schema.ts';

/** What rows of one list share: at least where they come from. */
type Shared = Pick<ModelRow, 'source' | 'seen'> & Omit<Partial<ModelRow>, 'name' | 'price'>;

/** Name, list price in dollars per million tokens, and what else is known of the model. */
type ListedModel = readonly [
  name: string,
  price?: ListPrice | undefined,
  more?: Omit<Partial<ModelRow>, 'name' | 'price'>,
];

/** LiteLLM's public catalogue of models and prices, version 1.110.2. */
export const litellm = {
  source: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  seen: '2026-11-24',
} as const;

/** Pydantic's public catalogue of prices, version 0.1.8. It keeps models that have ended. */
export const genaiPrices = {
  source: 'https://github.com/pydantic/genai-prices/tree/main/prices',
  seen: '2026-11-28',
} as const;

/** A row for each model; what its own entry says goes before what the list shares. */
export function rowsFrom(shared: Shared, models: readonly ListedModel[]): readonly ModelRow[] {
  return models.map(([name, price, more]) => ({
    name,
    ...(price === undefined ? {} : { price }),
    ...shared,
    ...more,
  }));
}

/** Rows that say no more of models than when they ended: day → names, separated by spaces. */
export function endedOn(
  shared: Shared,
  days: Readonly<Record<string, string>>,
): readonly ModelRow[] {
  return Object.entries(days).flatMap(([ends, names]) =>
    names.split(' ').map((name) => ({ name, ends, ...shared })),
  );
}

/**
 * A price with the steps of a list: dollars of input, output and, where it is not dearer by as much as
 * input, cache reads above so many tokens of prompt.
 */
export function stepped(
  price: Omit<ListPrice, 'steps'>,
  steps: readonly (readonly [above: number, input: number, output: number, cacheRead?: number])[],
): ListPrice {
  return {
    ...price,
    steps: steps.map(([above, input, output, cacheRead]) => ({
      above,
      input: ratioTo(input, price.input),
      output: ratioTo(output, price.output),
      ...(cacheRead !== undefined &&
        price.cacheRead !== undefined && { cacheRead: ratioTo(cacheRead, price.cacheRead) }),
    })),
  };
}
