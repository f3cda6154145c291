/** Client formats that can be translated to any provider that chats, by name. */
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { anthropicMessages } from './anthropic-messages/index.ts';
import { geminiGenerate } from './gemini-generate/index.ts';
import { openAiChat } from './openai-chat/index.ts';
import { openAiCompletions } from './openai-completions/index.ts';
import { openAiResponses } from './openai-responses/index.ts';
import type { ChatWireFormat } from './shared/conversation-format.ts';

const formats: readonly ChatWireFormat[] = [openAiChat, openAiCompletions, openAiResponses, anthropicMessages, geminiGenerate];

/** Undefined: requests in this format only travel untouched. */
export function chatWireFormat(format: WireFormat): ChatWireFormat | undefined {
  return formats.find((one) => one.format === format);
}
