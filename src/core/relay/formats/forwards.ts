import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { anthropicForward } from './anthropic-messages/forward.ts';
import { geminiForward } from './gemini-generate/forward.ts';
import { openAiResponsesCompactForward, openAiResponsesForward } from './openai-responses/forward.ts';
import { callForwards } from './shared/call-forward.ts';
import type { ForwardFormat } from './shared/forward-format.ts';
import { openAiChatForward, openAiCompletionsForward } from './shared/openai-forward.ts';

const formats: Partial<Record<WireFormat, ForwardFormat>> = {
  'openai-chat': openAiChatForward,
  'openai-completions': openAiCompletionsForward,
  'openai-responses': openAiResponsesForward,
  'openai-responses-compact': openAiResponsesCompactForward,
  'anthropic-messages': anthropicForward,
  'gemini-generate': geminiForward,
  ...Object.fromEntries(callForwards.map((one) => [one.format, one])),
};

/** Undefined: this format is always translated. */
export function forwardFormat(format: WireFormat): ForwardFormat | undefined {
  return formats[format];
}
