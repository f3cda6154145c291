import type { AssistantPart } from '../../../canonical/chat.ts';
import type { ChatReply, StreamPart } from '../../../canonical/chat-reply.ts';
import { sourcesByText } from '../../../canonical/kit/sources.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';
import { ResponseStreamEncoder } from './stream.ts';

/** A part of a whole reply as the parts of a stream. */
function streamed(part: AssistantPart, index: number): StreamPart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text-delta', text: part.text }];
    case 'refusal':
      return [{ type: 'refusal-delta', text: part.text }];
    case 'reasoning': {
      const { text, id, origin = 'openai-chat', signature, redacted } = part;
      const thinking: StreamPart = { type: 'reasoning-delta', text, id };
      if (redacted !== undefined)
        return [thinking, { type: 'reasoning-redacted', data: redacted, origin, id }];
      return signature === undefined
        ? [thinking]
        : [thinking, { type: 'reasoning-signature', signature, origin, id }];
    }
    case 'tool-call':
      return [
        { type: 'tool-call-delta', index, id: part.id, name: part.name, arguments: part.arguments },
      ];
    case 'image':
      return part.data === undefined
        ? [{ type: 'text-delta', text: `![image](${part.url ?? ''})` }]
        : [{ type: 'image', mediaType: part.mediaType ?? 'image/png', data: part.data }];
    case 'audio':
      return [];
  }
}

/** This format has one answer; further choices have no place in it. */
function partsOf({ id, choices: [choice], usage }: ChatReply): StreamPart[] {
  const { content = [], annotations } = choice ?? {};
  const sources = sourcesByText({ content, annotations });
  const parts = content.flatMap((part, index) => [
    ...streamed(part, index),
    ...(sources.get(part) ?? []).map(
      (annotation): StreamPart => ({ type: 'annotation', annotation }),
    ),
  ]);
  if (choice !== undefined)
    parts.push({ type: 'finish', reason: choice.finish, raw: choice.rawFinish });
  if (usage !== undefined) parts.push({ type: 'usage', usage });
  return [{ type: 'start', id }, ...parts];
}

/** A reply is a stream that came all at once. */
export function writeReply(reply: ChatReply, context: ReplyContext): JsonObject {
  const encoder = new ResponseStreamEncoder(context);
  for (const part of partsOf(reply)) encoder.push(part);
  return encoder.finalResponse();
}
