/** Canonical messages → those of `/api/chat` (docs/rules/providers.md#ollama-requests). */

import type {
  AssistantMessage,
  ChatMessage,
  ImagePart,
  ToolMessage,
  UserMessage,
} from '../../canonical/chat.ts';
import { append } from '../../canonical/kit/append.ts';
import { assistantText, plainText } from '../../canonical/kit/plain-turns.ts';
import { compact } from '../../canonical/kit/read-json.ts';
import { argumentsToObject } from '../../canonical/kit/tool-calls.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

function imageData({ data }: ImagePart): string {
  if (data === undefined)
    throw new AppError('unsupported_feature', { detail: 'images by file id' });
  return data;
}

function writeImages(
  parts: UserMessage['content'] | ToolMessage['content'],
): readonly string[] | undefined {
  const images = parts.flatMap((part) => (part.type === 'image' ? [imageData(part)] : []));
  return images.length > 0 ? images : undefined;
}

function writeUser({ content }: UserMessage): JsonObject {
  const texts = content.filter((part) => part.type !== 'image');
  return compact({ role: 'user', content: plainText(texts), images: writeImages(content) });
}

function writeAssistant({ content }: AssistantMessage): JsonObject {
  const thinking = content
    .flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
    .join('');
  const calls = content.flatMap((part) => {
    if (part.type !== 'tool-call') return [];
    return [{ function: { name: part.name, arguments: argumentsToObject(part.arguments) } }];
  });
  return compact({
    role: 'assistant',
    content: assistantText(content),
    thinking: thinking === '' ? undefined : thinking,
    tool_calls: calls.length > 0 ? calls : undefined,
  });
}

/** Results are identified by the function's name. */
function writeTool({ content, isError }: ToolMessage, name: string | undefined): JsonObject {
  const text = plainText(content.filter((part) => part.type !== 'image'));
  return compact({
    role: 'tool',
    content: isError === true ? `Error: ${text}` : text,
    tool_name: name,
  });
}

/** Call id → name of the function that was called. */
function calledNames(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { role, content } of messages) {
    if (role !== 'assistant') continue;
    for (const part of content) if (part.type === 'tool-call') names.set(part.id, part.name);
  }
  return names;
}

/**
 * Throws AppError('unsupported_feature') for audio, files and images that are not there as bytes.
 */
export function writeOllamaMessages(messages: readonly ChatMessage[]): JsonObject[] {
  const names = calledNames(messages);
  const write = (message: ChatMessage): JsonObject => {
    switch (message.role) {
      case 'system':
        return { role: 'system', content: plainText(message.content) };
      case 'user':
        return writeUser(message);
      case 'assistant':
        return writeAssistant(message);
      case 'tool':
        return writeTool(message, message.name ?? names.get(message.callId));
    }
  };
  const written: JsonObject[] = [];
  // Images in results follow in a user message after all results.
  let shown: string[] = [];
  for (const [at, message] of messages.entries()) {
    written.push(write(message));
    if (message.role === 'tool') append(shown, writeImages(message.content) ?? []);
    if (shown.length === 0 || messages[at + 1]?.role === 'tool') continue;
    written.push({ role: 'user', content: '', images: shown });
    shown = [];
  }
  return written;
}
