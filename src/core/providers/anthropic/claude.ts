/** Claude at any host: the messages body and its replies, without URL and credentials. */

import type { ChatRequest } from '../../canonical/chat.ts';
import type { ChatReply } from '../../canonical/chat-reply.ts';
import { countOf, recordOf } from '../../canonical/kit/read-json.ts';
import {
  fitToolNames,
  restoreNamesInReply,
  restoreNamesInStream,
} from '../../canonical/kit/tool-names.ts';
import type { StreamDecoder } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { readMessageReply } from '../anthropic-messages/decode-chat.ts';
import { MessageStreamDecoder } from '../anthropic-messages/decode-stream.ts';
import { answersByTool, writeMessagesBody } from './encode-chat.ts';

/** Names of functions. */
const toolNames = { limit: 128 };

/** Throws AppError('unsupported_feature'). */
export function writeClaudeBody(request: ChatRequest, call: Call): JsonObject {
  return writeMessagesBody(fitToolNames(request, toolNames), call);
}

/** Throws ReplyFailure and AppError('bad_response_body'). */
export function readClaudeReply(
  body: unknown,
  call: Call,
  request: ChatRequest | undefined,
): ChatReply {
  return restoreNamesInReply(
    readMessageReply(body, answersByTool(request, call)),
    request,
    toolNames,
  );
}

export function createClaudeDecoder(call: Call, request: ChatRequest | undefined): StreamDecoder {
  return restoreNamesInStream(
    new MessageStreamDecoder(answersByTool(request, call)),
    request,
    toolNames,
  );
}

/** The answer to `count_tokens`. Throws AppError('bad_response_body'). */
export function readTokenCount(body: unknown): number {
  const count = countOf(recordOf(body)?.input_tokens);
  if (count === undefined) throw new AppError('bad_response_body', { detail: 'no count in it' });
  return count;
}
