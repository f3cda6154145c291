/** Recognises a conversation by its beginning (docs/rules/providers.md#cache-key). */
import { createHash } from 'node:crypto';
import type { ChatRequest } from '../chat.ts';
import { endUser } from './end-user.ts';

/** Hexadecimal digits; the vendor takes up to 64 characters. */
const digits = 32;

/** Marks for the cache move on as the conversation grows. */
const withoutMarks = (name: string, value: unknown) =>
  name === 'cacheControl' ? undefined : value;

/**
 * The same for every request of one conversation: a hash of its end user, its instructions and its
 * first message. Undefined: there is no message yet.
 */
export function conversationKey(request: ChatRequest): string | undefined {
  const first = request.messages.findIndex(({ role }) => role !== 'system');
  if (first === -1) return undefined;
  const beginning = [endUser(request) ?? '', request.messages.slice(0, first + 1)];
  return createHash('sha256')
    .update(JSON.stringify(beginning, withoutMarks))
    .digest('hex')
    .slice(0, digits);
}
