/** Providers' finish reasons (docs/rules/formats.md#finish-reasons). */
import type { FinishReason } from '../chat-reply.ts';

const openAi: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  // Zhipu and Tencent.
  sensitive: 'content-filter',
  model_context_window_exceeded: 'length',
};

/** Unknown reasons count as a plain stop. */
export function finishFromOpenAi(raw: string): FinishReason {
  return openAi[raw] ?? 'stop';
}

/**
 * Words that mean the server gave up: an error where nothing was produced (DeepSeek, OpenRouter).
 */
export function isFailureFinish(raw: string | null): boolean {
  return raw === 'insufficient_system_resource' || raw === 'error';
}

/** The model failed, however much it had generated (Zhipu): an error in any case. */
export function isBreakdown(raw: string | null): boolean {
  return raw === 'network_error';
}

const anthropic: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
  // Bedrock's, for the models it hosts.
  content_filtered: 'content-filter',
  guardrail_intervened: 'content-filter',
};

/** `end_turn`, `stop_sequence`, `pause_turn`, `compaction` and what may come are a stop. */
export function finishFromAnthropic(raw: string): FinishReason {
  return anthropic[raw] ?? 'stop';
}

const gemini: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  FINISH_REASON_UNSPECIFIED: 'stop',
  MAX_TOKENS: 'length',
  // A long answer that the vendor would go on with (Gemini 4).
  CONTINUATION: 'length',
  // The model failed at a call, or made no image: what came before stands, and nothing was held back.
  MALFORMED_FUNCTION_CALL: 'stop',
  MALFORMED_RESPONSE: 'stop',
  UNEXPECTED_TOOL_CALL: 'stop',
  TOO_MANY_TOOL_CALLS: 'stop',
  NO_IMAGE: 'stop',
};

/** Every other reason of Gemini is some filter. */
export function finishFromGemini(raw: string): FinishReason {
  return gemini[raw] ?? 'content-filter';
}
