/** Gemini at any host: the generateContent body and its replies, without URL and credentials. */
import type { ChatRequest } from '../../canonical/chat.ts';
import type { ChatReply } from '../../canonical/chat-reply.ts';
import {
  fitToolNames,
  restoreNamesInReply,
  restoreNamesInStream,
} from '../../canonical/kit/tool-names.ts';
import type { StreamDecoder } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import { readGenerateReply } from './decode-chat.ts';
import { GenerateStreamDecoder } from './decode-stream.ts';
import { type EncodedGemini, writeGenerateBody } from './encode-chat.ts';

/** Names of functions. */
const toolNames = { limit: 64, refused: /[^a-zA-Z0-9_.:-]/g, letterFirst: true };

/** Names calls where Google gives neither an id of the reply nor of the call. */
function fallbackId({ now }: Pick<Call, 'now'>): string {
  return now.getTime().toString(36);
}

/** Throws AppError for media that cannot be sent and for malformed `extra_body`. */
export function writeGeminiBody(request: ChatRequest, call: Call): EncodedGemini {
  return writeGenerateBody(fitToolNames(request, toolNames), call);
}

/** Throws ReplyFailure, and AppError('empty_response' | 'bad_response_body'). */
export function readGeminiReply(
  body: unknown,
  call: Call,
  request: ChatRequest | undefined,
): ChatReply {
  return restoreNamesInReply(readGenerateReply(body, fallbackId(call)), request, toolNames);
}

export function createGeminiDecoder(call: Call, request: ChatRequest | undefined): StreamDecoder {
  const decoder = new GenerateStreamDecoder(fallbackId(call), request?.maxOutputTokens);
  return restoreNamesInStream(decoder, request, toolNames);
}
