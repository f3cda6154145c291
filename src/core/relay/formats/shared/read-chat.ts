import type { ChatRequest } from '../../../canonical/chat.ts';
import type { RequestBody } from '../../body/request-body.ts';
import type { ConversationFormat } from './caller-format.ts';

const readRequests = new WeakMap<RequestBody, ChatRequest>();

interface ReadableChat {
  readonly body: RequestBody;
  /** The name in the caller's request. */
  readonly model: string;
  readonly stream: boolean;
}

/**
 * The canonical form of a caller's conversation, read once however many channels are tried. Throws
 * AppError.
 */
export function readChat(
  format: ConversationFormat,
  { body, model, stream }: ReadableChat,
): ChatRequest {
  let request = readRequests.get(body);
  if (request === undefined) {
    request = format.readRequest(body.parse(), { model, stream });
    readRequests.set(body, request);
  }
  return request;
}
