/** Conversations for upstreams that take text in alternating turns and nothing else. */
import { AppError } from '../../kernel/errors.ts';
import type { AssistantPart, ChatMessage, ToolResultPart, UserPart } from '../chat.ts';
import { append } from './append.ts';
import { imageNote, withoutImages } from './markdown-images.ts';

const features = { image: 'images', audio: 'audio input', file: 'files' } as const;

/**
 * A message's text, parts joined by newlines. Throws AppError('unsupported_feature') for images,
 * audio and files.
 */
export function plainText(parts: readonly (UserPart | ToolResultPart)[]): string {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'file' && part.text !== undefined) return part.text;
    throw new AppError('unsupported_feature', { detail: features[part.type] });
  });
  return texts.join('\n');
}

/** The text of an earlier reply, with a note for each image; thinking is left out. */
export function assistantText(parts: readonly AssistantPart[]): string {
  return parts
    .map((part) => {
      if (part.type === 'image') return part.url ?? imageNote;
      return part.type === 'text' || part.type === 'refusal' ? withoutImages(part.text) : '';
    })
    .join('');
}

/** The system messages' text, joined by newlines, and the other messages. */
export function splitSystem(messages: readonly ChatMessage[]): {
  readonly system: string | undefined;
  readonly turns: readonly ChatMessage[];
} {
  const texts = messages.flatMap((message) =>
    message.role === 'system' ? message.content.map((part) => part.text) : [],
  );
  return {
    system: texts.length === 0 ? undefined : texts.join('\n'),
    turns: messages.filter((message) => message.role !== 'system'),
  };
}

/** Neighbouring messages of the user, or of the assistant, as one. */
export function mergeTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const merged: ChatMessage[] = [];
  /** Where text of the next message is appended: a copy of the last message. */
  let content: (UserPart | AssistantPart)[] = [];
  for (const message of messages) {
    const continues = message.role === merged.at(-1)?.role;
    if (message.role !== 'user' && message.role !== 'assistant') merged.push(message);
    else if (continues) append(content, message.content);
    else {
      content = [...message.content];
      merged.push({ ...message, content } as ChatMessage);
    }
  }
  return merged;
}
