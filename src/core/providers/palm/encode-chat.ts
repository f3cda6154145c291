/** Canonical request → `generateMessage` (docs/rules/providers.md#palm). */

import type { ChatMessage, ChatRequest } from '../../canonical/chat.ts';
import { assistantText, plainText, splitSystem } from '../../canonical/kit/plain-turns.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

const user = '0';
const model = '1';

function writeMessage(message: ChatMessage): JsonObject {
  if (message.role === 'user') return { author: user, content: plainText(message.content) };
  const content =
    message.role === 'assistant' ? assistantText(message.content) : plainText(message.content);
  return { author: model, content };
}

/**
 * Left out silently: output limits, stop sequences, penalties, seeds, log probabilities and
 * thinking settings, for which the interface has no field. Throws AppError('unsupported_feature')
 * for tools, response formats, images, audio and files.
 */
export function writePalmChat(request: ChatRequest): JsonObject {
  if (request.tools !== undefined && request.tools.length > 0)
    throw new AppError('unsupported_feature', { detail: 'tools' });
  if (request.responseFormat !== undefined && request.responseFormat.type !== 'text')
    throw new AppError('unsupported_feature', { detail: 'response_format' });
  const { system, turns } = splitSystem(request.messages);
  return compact({
    prompt: compact({ context: system, messages: turns.map(writeMessage) }),
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    candidateCount: request.candidateCount,
  });
}
