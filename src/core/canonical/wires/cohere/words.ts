/** Cohere's finish reasons and usage (docs/rules/providers.md#cohere-replies). */
import type { FinishReason, ProviderError } from '../../chat-reply.ts';
import { countOf, type Loose, recordOf, textOf } from '../../kit/read-json.ts';
import type { Usage } from '../../usage.ts';

const finishes: Readonly<Record<string, FinishReason>> = {
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
};

export function finishFromCohere(raw: string): FinishReason {
  return finishes[raw.toUpperCase()] ?? 'stop';
}

/** The error of a reply whose finish reason is one; undefined for others. */
export function brokenEnd(raw: string | undefined, reported: unknown): ProviderError | undefined {
  const code = raw?.toUpperCase();
  if (code !== 'ERROR' && code !== 'TIMEOUT') return undefined;
  return {
    status: code === 'TIMEOUT' ? 504 : 502,
    code,
    message: textOf(reported) ?? `the generation ended with ${code}`,
  };
}

/** Tokens as the model counted them, else as they are billed. */
export function usageFromCohere(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  const counts = recordOf(usage?.tokens) ?? recordOf(usage?.billed_units);
  if (usage === undefined || counts === undefined) return undefined;
  return {
    promptTokens: countOf(counts.input_tokens),
    completionTokens: countOf(counts.output_tokens),
    cachedTokens: countOf(usage.cached_tokens),
    raw: [usage],
  };
}

/** What an embedding or a reranking was charged, where it was by tokens. */
export function billedInput(reply: Loose): Usage | undefined {
  const meta = recordOf(reply.meta);
  const units = recordOf(meta?.billed_units);
  const promptTokens = countOf(units?.input_tokens);
  if (units === undefined || promptTokens === undefined) return undefined;
  return { promptTokens, raw: [{ billed_units: units, tokens: meta?.tokens }] };
}
