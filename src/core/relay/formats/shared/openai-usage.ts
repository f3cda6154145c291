import { compact } from '../../../canonical/kit/read-json.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject } from '../../../kernel/json.ts';

/** Usage as chat and text completions report it (docs/rules/formats.md#usage-across-formats). */
export function writeOpenAiUsage(usage: Usage): JsonObject {
  const prompt = usage.promptTokens ?? 0;
  const completion = usage.completionTokens ?? 0;
  const long = usage.cacheWrite1hTokens ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: compact({
      cached_tokens: usage.cachedTokens ?? 0,
      cached_creation_tokens: usage.cacheWriteTokens,
      // As Kimi and Qwen say it.
      cache_creation: long > 0 ? { ephemeral_1h_input_tokens: long } : undefined,
      audio_tokens: usage.promptAudioTokens,
      image_tokens: usage.promptImageTokens,
    }),
    completion_tokens_details: compact({
      reasoning_tokens: usage.reasoningTokens ?? 0,
      audio_tokens: usage.completionAudioTokens,
      image_tokens: usage.completionImageTokens || undefined,
    }),
  };
}
