/** Cohere's chat reply → the canonical reply (docs/rules/providers.md#cohere-replies). */

import type { AssistantPart } from '../../canonical/chat.ts';
import type { ChatReply } from '../../canonical/chat-reply.ts';
import { errorFromBody, ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  type Loose,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import {
  brokenEnd,
  finishFromCohere,
  usageFromCohere,
} from '../../canonical/wires/cohere/words.ts';
import { AppError } from '../../kernel/errors.ts';

/** Arguments of a call; a call without any has nothing, or the text `null`. */
export function argumentsOf(raw: unknown): string {
  const text = argumentsToText(raw);
  return text.trim() === '' || text.trim() === 'null' ? '{}' : text;
}

function readContent(message: Loose, replyId: string): AssistantPart[] {
  const plan = textOf(message.tool_plan);
  const parts: AssistantPart[] = plan === undefined ? [] : [{ type: 'reasoning', text: plan }];
  for (const block of recordsOf(message.content)) {
    const text = textOf(block.text);
    const thinking = textOf(block.thinking);
    if (thinking !== undefined) parts.push({ type: 'reasoning', text: thinking });
    else if (text !== undefined) parts.push({ type: 'text', text });
  }
  for (const [index, call] of recordsOf(message.tool_calls).entries()) {
    const target = recordOf(call.function);
    const id = textOf(call.id) ?? callIdFor(replyId, index);
    parts.push({
      type: 'tool-call',
      id,
      name: textOf(target?.name) ?? '',
      arguments: argumentsOf(target?.arguments),
    });
  }
  return parts;
}

/** Citations are passed over. Throws ReplyFailure, and AppError('bad_response_body'). */
export function readChatReply(body: unknown): ChatReply {
  const reply = replyObject(body);
  const message = recordOf(reply.message);
  if (message === undefined) {
    if (typeof reply.message === 'string' || reply.error !== undefined)
      throw new ReplyFailure(errorFromBody(reply));
    throw new AppError('bad_response_body', { detail: 'the reply has no message' });
  }
  const id = textOf(reply.id);
  const content = readContent(message, id ?? 'reply');
  const rawFinish = textOf(reply.finish_reason);
  const broken = brokenEnd(rawFinish, reply.error);
  if (broken !== undefined && content.length === 0) throw new ReplyFailure(broken);
  const called = content.some((part) => part.type === 'tool-call');
  const finish = finishFromCohere(rawFinish ?? '');
  const choice = {
    index: 0,
    content,
    finish: called && finish === 'stop' ? ('tool-calls' as const) : finish,
    rawFinish: rawFinish ?? null,
  };
  return { id, choices: [choice], usage: usageFromCohere(reply.usage) };
}
