import type { ChatChoice, ChatReply } from '../../../canonical/chat-reply.ts';
import { writeDataUri } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import type { ReplyContext } from '../shared/chat-translation.ts';
import { writeCitation, writeFinish, writeUsage } from './write-fields.ts';

/** Text beside tool calls is the plan for them. */
function writeMessage({ content, annotations = [] }: ChatChoice): JsonObject {
  let text = '';
  const thinking: JsonObject[] = [];
  const calls: JsonObject[] = [];
  for (const part of content) {
    if (part.type === 'text' || part.type === 'refusal') text += part.text;
    else if (part.type === 'reasoning' && part.text !== '')
      thinking.push({ type: 'thinking', thinking: part.text });
    else if (part.type === 'image')
      text += `![image](${part.url ?? writeDataUri(part.mediaType ?? 'image/png', part.data ?? '')})`;
    else if (part.type === 'tool-call')
      calls.push({
        id: part.id,
        type: 'function',
        function: { name: part.name, arguments: part.arguments },
      });
  }
  const called = calls.length > 0;
  const blocks = called || text === '' ? thinking : [...thinking, { type: 'text', text }];
  const citations = annotations.flatMap((annotation) => writeCitation(annotation, text) ?? []);
  return compact({
    role: 'assistant',
    content: called && blocks.length === 0 ? undefined : blocks,
    tool_plan: called && text !== '' ? text : undefined,
    tool_calls: called ? calls : undefined,
    citations: citations.length > 0 ? citations : undefined,
  });
}

/** This format has one answer; further choices have no place in it. */
export function writeReply(reply: ChatReply, context: ReplyContext): JsonObject {
  const choice = reply.choices[0] ?? { index: 0, content: [], finish: 'stop', rawFinish: null };
  const called = choice.content.some((part) => part.type === 'tool-call');
  return {
    id: reply.id ?? context.id,
    finish_reason: writeFinish({
      reason: choice.finish,
      stopSequence: choice.stopSequence,
      called,
    }),
    message: writeMessage(choice),
    usage: writeUsage(reply.usage ?? {}),
  };
}
