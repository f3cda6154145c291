/** Canonical request → the v3 body (docs/rules/providers.md#zhipu-v3). */

import type { ChatMessage, ChatRequest } from '../../canonical/chat.ts';
import { assistantText, plainText } from '../../canonical/kit/plain-turns.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

/** A system message is a turn of its own, followed by an agreement. */
function writeMessage(message: ChatMessage): JsonObject[] {
  switch (message.role) {
    case 'system':
      return [
        { role: 'system', content: plainText(message.content) },
        { role: 'user', content: 'Okay' },
      ];
    case 'user':
      return [{ role: 'user', content: plainText(message.content) }];
    case 'assistant':
      return [{ role: 'assistant', content: assistantText(message.content) }];
    case 'tool':
      throw new AppError('unsupported_feature', { detail: 'tools' });
  }
}

function clamp(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.min(0.99, Math.max(0.01, value));
}

/**
 * Left out silently: output limits, stop sequences, penalties, candidate counts, seeds, log
 * probabilities, response formats and thinking settings. Throws AppError('unsupported_feature') for
 * tools, images, audio and files.
 */
export function writeV3Chat(request: ChatRequest): JsonObject {
  if ((request.tools ?? []).length > 0)
    throw new AppError('unsupported_feature', { detail: 'tools' });
  return compact({
    prompt: request.messages.flatMap(writeMessage),
    temperature: clamp(request.temperature),
    top_p: clamp(request.topP),
    request_id: request.origin === 'openai-chat' ? request.extra.request_id : undefined,
    // Without it each event may hold the whole text so far.
    incremental: request.stream ? true : undefined,
  });
}
