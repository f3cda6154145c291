import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { anthropicForward } from './anthropic.ts';
import { callForwards } from './calls.ts';
import type { ForwardFormat } from './forward-format.ts';
import { geminiForward } from './gemini.ts';
import { openAiChatForward, openAiCompletionsForward } from './openai.ts';
import { openAiResponsesCompactForward, openAiResponsesForward } from './openai-responses.ts';

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
