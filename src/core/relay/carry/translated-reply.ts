/** A provider's whole reply to a chat, decoded; or why it is none. */

import type { AssistantPart, ChatReply, ChatRequest } from '../../canonical/chat.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { CollectedReply } from '../../upstream/exchange.ts';
import { type Attempt, type AttemptResult, gatewayFailed, readProviderFailure, upstreamFailed } from '../job.ts';

export type DecodedReply = { readonly failed: AttemptResult } | { readonly failed?: undefined; readonly reply: ChatReply };

/** What reading a reply threw, as the failed attempt that it means. */
export function replyFailed(attempt: Attempt, error: unknown): AttemptResult {
  if (error instanceof ReplyFailure) return upstreamFailed(attempt, error.error);
  return gatewayFailed(error instanceof AppError ? error : new AppError('bad_response_body', {}, { cause: error }));
}

/** What `decode` returns or throws. */
export function decodedOrFailed(attempt: Attempt, decode: () => ChatReply): DecodedReply {
  try {
    return { reply: decode() };
  } catch (error) {
    return { failed: replyFailed(attempt, error) };
  }
}

export function decodeChatReply(
  attempt: Attempt,
  { status, headers, bytes }: CollectedReply,
  adapter: OperationAdapter<'chat'>,
  call: Call,
  request: ChatRequest,
): DecodedReply {
  if (status < 200 || status > 299) {
    const error = readProviderFailure(attempt.channel.provider, { status, headers, bytes });
    return { failed: upstreamFailed(attempt, error) };
  }
  return decodedOrFailed(attempt, () => adapter.decode(parseJson(bytes.toString('utf8').trim()), call, request));
}

function textOfPart(part: AssistantPart): string {
  if (part.type === 'tool-call') return part.name + part.arguments;
  return part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal' ? part.text : '';
}

/** What a reply says, for counting where it told no usage. */
export function generatedTextOfChat({ choices }: ChatReply): GeneratedText {
  const text = choices.flatMap(({ content }) => content.map(textOfPart)).join('');
  const calls = choices.map(({ content }) => content.filter((part) => part.type === 'tool-call').length);
  return { text, toolCalls: Math.max(0, ...calls) };
}
