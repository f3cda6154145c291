import { estimateTokens, type TokenFamily } from '../pricing/estimate-tokens.ts';

/**
 * Estimated tokens of texts, for models without a tokenizer here. No text has more tokens than
 * bytes (docs/rules/metering.md#hold-bound); the weights can add up to more.
 */
export function estimateTexts(texts: readonly string[], family: TokenFamily): number {
  const text = texts.join('\n');
  return Math.min(estimateTokens(text, family), Buffer.byteLength(text));
}
