/** What an answer costs about, while it is coming. */
import type { PriceFields } from '../../../components/priced-model.ts';
import { type ChatMessage, roughTokens } from './message.ts';

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

const fileTokens = ({ attachments = [] }: ChatMessage) =>
  attachments.reduce((sum, { tokens }) => sum + tokens, 0);

const known = new WeakMap<ChatMessage, number>();

/** Rough tokens of messages. Messages never change, so that each is counted once. */
export function tokensOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => {
    const tokens = known.get(message) ?? roughTokens(message.content) + fileTokens(message);
    known.set(message, tokens);
    return sum + tokens;
  }, 0);
}
