import type { AssistantPart, ChatRequest, ToolResultPart, UserPart } from '../../../canonical/chat.ts';

function textOfPart(part: UserPart | AssistantPart | ToolResultPart): string | undefined {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
    case 'file':
      return part.text;
    case 'tool-call':
      return part.arguments;
    default:
      return undefined;
  }
}

/** Every text a model would read, for the check of sensitive words (relay 5). Images, audio and data are passed over. */
export function collectText(request: ChatRequest): string[] {
  return request.messages.flatMap((message) => message.content.flatMap((part) => textOfPart(part) || []));
}
