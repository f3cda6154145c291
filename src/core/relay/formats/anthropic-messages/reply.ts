import type { AssistantPart } from '../../../canonical/chat.ts';
import type { Annotation, ChatChoice, ChatReply } from '../../../canonical/chat-reply.ts';
import { carrySignature } from '../../../canonical/kit/foreign-signature.ts';
import { writeDataUri } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { sourcesByText } from '../../../canonical/kit/sources.ts';
import { argumentsToObject } from '../../../canonical/kit/tool-calls.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';
import { effectiveFinish, prefixedId } from '../shared/reply-fields.ts';
import {
  writeAnthropicUsage,
  writeCallId,
  writeCitation,
  writeStopReason,
} from './write-fields.ts';

function writePart(part: AssistantPart, sources: readonly Annotation[] = []): JsonObject[] {
  switch (part.type) {
    case 'text':
    case 'refusal': {
      const citations = sources.length > 0 ? sources.map(writeCitation) : undefined;
      return part.text === '' ? [] : [compact({ type: 'text', text: part.text, citations })];
    }
    case 'reasoning': {
      const own = part.origin === 'anthropic-messages';
      if (part.redacted !== undefined) {
        const data = own ? part.redacted : carrySignature(part);
        return [{ type: 'redacted_thinking', data }];
      }
      // Thinking that is not shown consists of its signature alone.
      if (part.text === '' && part.signature === undefined) return [];
      const signature = own ? part.signature : undefined;
      return [
        { type: 'thinking', thinking: part.text, signature: signature ?? carrySignature(part) },
      ];
    }
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: writeCallId(part.id),
          name: part.name,
          input: argumentsToObject(part.arguments),
        },
      ];
    case 'image':
      return [
        {
          type: 'text',
          text: `![image](${part.url ?? writeDataUri(part.mediaType ?? 'image/png', part.data ?? '')})`,
        },
      ];
    default:
      return [];
  }
}

function writeContent(choice: ChatChoice): JsonObject[] {
  const sources = sourcesByText(choice);
  return choice.content.flatMap((part) => writePart(part, sources.get(part)));
}

function stopReasonOf(choice: ChatChoice): string {
  if (choice.content.some((part) => part.type === 'refusal')) return 'refusal';
  const called = choice.content.some((part) => part.type === 'tool-call');
  return writeStopReason(
    effectiveFinish(choice.finish, called),
    choice.rawFinish,
    choice.stopSequence,
  );
}

/** This format has one answer; further choices have no place in it. */
export function writeReply(reply: ChatReply, context: ReplyContext): JsonObject {
  const choice = reply.choices[0];
  return {
    id: prefixedId('msg_', reply.id, context),
    type: 'message',
    role: 'assistant',
    model: context.model,
    content: choice === undefined ? [] : writeContent(choice),
    stop_reason: choice === undefined ? 'end_turn' : stopReasonOf(choice),
    stop_sequence: choice?.stopSequence ?? null,
    usage: writeAnthropicUsage(reply.usage ?? {}),
  };
}
