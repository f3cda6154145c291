import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { anthropicForward } from './anthropic.ts';
import type { ForwardFormat } from './forward-format.ts';
import { geminiForward } from './gemini.ts';
import { openAiChatForward, openAiCompletionsForward } from './openai.ts';

const formats: Partial<Record<WireFormat, ForwardFormat>> = {
  'openai-chat': openAiChatForward,
  'openai-completions': openAiCompletionsForward,
  'anthropic-messages': anthropicForward,
  'gemini-generate': geminiForward,
  // Never streamed; its usage reads like a chat's.
  'openai-embeddings': { ...openAiChatForward, format: 'openai-embeddings' },
};

/** Undefined: this format is always translated. */
export function forwardFormat(format: WireFormat): ForwardFormat | undefined {
  return formats[format];
}
