/** What an answer costs about, while it is coming. */
import type { PriceFields } from '../../../components/priced-model.ts';
import { roughTokens } from './message.ts';

/** In quota. `ratio`: of the group. */
export function roughCost(
  price: PriceFields,
  ratio: number,
  {
    prompt,
    output,
    quotaPerUnit,
  }: { readonly prompt: number; readonly output: number; readonly quotaPerUnit: number },
): number {
  if (price.quota_type === 1) return Math.round(price.model_price * ratio * quotaPerUnit);
  return Math.round(ratio * price.model_ratio * (prompt + output * price.completion_ratio));
}

export const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + roughTokens(text), 0);
