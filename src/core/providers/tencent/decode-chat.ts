/**
 * Replies and streams of `ChatCompletions` (docs/rules/providers.md#tencent-chat): read as OpenAI's
 * once they are spelled like them.
 */
import type { ChatReply, ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { recordOf } from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import { readChatReply } from '../openai-compatible/decode-chat.ts';
import { ChatStreamDecoder } from '../openai-compatible/decode-stream.ts';
import { tencentError } from './failure.ts';
import { toSnakeCase } from './spelling.ts';

/** Own errors are read before the keys are renamed; the rest is not known to be one. */
function unknownError(): ProviderError {
  return { status: 502, type: 'tencent_error' };
}

/**
 * The reply in its `Response`, spelled as OpenAI spells. Throws ReplyFailure on an error behind
 * status 200.
 */
export function replyOfTencent(body: unknown): unknown {
  const error = tencentError(body);
  if (error !== undefined) throw new ReplyFailure(error);
  return toSnakeCase(recordOf(body)?.Response);
}

export function readTencentReply(body: unknown): ChatReply {
  return readChatReply(replyOfTencent(body), usageFromOpenAi, unknownError);
}

/** Events are not wrapped; an error in place of a stream is. */
export class TencentStreamDecoder implements StreamDecoder {
  readonly #chunks = new ChatStreamDecoder(usageFromOpenAi, unknownError);
  #failed = false;

  get ended(): number {
    return this.#chunks.ended;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    return parseEventData(event.data).flatMap((value) => this.#read(value));
  }

  end(): readonly StreamPart[] {
    return this.#failed ? [] : this.#chunks.end();
  }

  #read(value: unknown): readonly StreamPart[] {
    if (this.#failed) return [];
    const error = tencentError(value);
    if (error === undefined) return this.#chunks.pushValue(toSnakeCase(value));
    this.#failed = true;
    return [{ type: 'error', error }];
  }
}
