/** Canonical request → `chat-messages` (docs/rules/providers.md#dify). */

import type { ChatMessage, ChatRequest, UserPart } from '../../canonical/chat.ts';
import { endUser } from '../../canonical/kit/end-user.ts';
import { assistantText } from '../../canonical/kit/plain-turns.ts';
import { compact, textOf } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject } from '../../kernel/json.ts';

/**
 * Replies are named by their conversation, with the prefix of chat completions' ids. That id, sent
 * back as `conversation_id`, continues the conversation.
 */
export const conversationPrefix = 'chatcmpl-';

/**
 * One user name for all callers that give none: conversations and uploaded files belong to the user
 * that created them.
 */
const anonymous = 'turnpike';

export function userOf(request: ChatRequest): string {
  return endUser(request) ?? anonymous;
}

function conversationOf({ origin, extra }: ChatRequest): string | undefined {
  const id = origin === 'openai-chat' ? textOf(extra.conversation_id) : undefined;
  return id?.startsWith(conversationPrefix) === true ? id.slice(conversationPrefix.length) : id;
}

/** Texts of a message that is not the assistant's. */
function textsOf(message: Exclude<ChatMessage, { role: 'assistant' }>): string[] {
  return message.content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    return part.type === 'file' && part.text !== undefined ? [part.text] : [];
  });
}

/** Tool results are written as the user's text: Dify runs its own tools. */
function writeTurn(message: ChatMessage): string {
  if (message.role === 'assistant') return `ASSISTANT: \n${assistantText(message.content)}\n`;
  const name = message.role === 'system' ? 'SYSTEM' : 'USER';
  const texts = message.role === 'system' ? [textsOf(message).join('\n')] : textsOf(message);
  return texts.map((text) => `${name}: \n${text}\n`).join('');
}

/**
 * Messages that Dify does not have yet: all after the last reply where it keeps the conversation
 * itself.
 */
export function newMessages(request: ChatRequest): readonly ChatMessage[] {
  const { messages } = request;
  if (conversationOf(request) === undefined) return messages;
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/** A question alone goes as it is; a conversation is written down turn by turn. */
function writeQuery(messages: readonly ChatMessage[]): string {
  const [only] = messages;
  if (messages.length === 1 && only?.role === 'user') return textsOf(only).join('\n');
  return messages.map(writeTurn).join('');
}

/** Files are named by address, or by the id under which they were uploaded. */
function writeFile(part: Exclude<UserPart, { type: 'text' }>): JsonObject[] {
  if (part.type === 'file' && part.text !== undefined) return [];
  if (part.type === 'audio') throw new AppError('unsupported_feature', { detail: 'audio input' });
  const type = part.type === 'file' ? 'document' : 'image';
  if (part.url !== undefined) return [{ type, transfer_method: 'remote_url', url: part.url }];
  return [{ type, transfer_method: 'local_file', upload_file_id: part.fileId ?? '' }];
}

function filesOf(messages: readonly ChatMessage[]): JsonObject[] {
  return messages.flatMap((message) =>
    message.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [] : writeFile(part)))
      : [],
  );
}

/**
 * `inputs` of the caller fill the application's variables. Left out silently, as the application
 * decides on them: tools, sampling, output limits, response formats and thinking settings. Throws
 * AppError('unsupported_feature') for audio.
 */
export function writeDifyChat(request: ChatRequest): JsonObject {
  const messages = newMessages(request);
  const files = filesOf(messages);
  const { inputs } = request.extra;
  return compact({
    inputs: request.origin === 'openai-chat' && isObject(inputs) ? (inputs as JsonObject) : {},
    query: writeQuery(messages),
    response_mode: request.stream ? 'streaming' : 'blocking',
    user: userOf(request),
    conversation_id: conversationOf(request),
    auto_generate_name: false,
    files: files.length > 0 ? files : undefined,
  });
}
