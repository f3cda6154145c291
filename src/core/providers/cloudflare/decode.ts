/**
 * Converts replies of a model's own interface into OpenAI's form; those already in it stay
 * unchanged (docs/rules/providers.md#cloudflare-run).
 */

import type { StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { type Loose, recordsOf } from '../../canonical/kit/read-json.ts';
import { wrapDecoder } from '../../canonical/kit/wrapped-decoder.ts';
import type { StreamDecoder } from '../../canonical/pass-through.ts';
import { isObject } from '../../kernel/json.ts';
import { cloudflareError, resultOf } from './failure.ts';

function isNative(body: Loose): boolean {
  return body.choices === undefined && body.response !== undefined;
}

/**
 * `{response, tool_calls}` → what OpenAI calls a message. A response by schema is no text but the
 * object.
 */
function asMessage({ response, tool_calls: calls }: Loose): Loose {
  const content =
    typeof response === 'string' || response === null ? response : JSON.stringify(response);
  return { content, tool_calls: recordsOf(calls).map((call) => ({ function: call })) };
}

/** Throws ReplyFailure on an error behind status 200. */
export function replyInOpenAi(body: unknown): Loose {
  const result = resultOf(body);
  return isNative(result)
    ? { choices: [{ message: asMessage(result) }], usage: result.usage }
    : result;
}

/** Feeds a decoder of OpenAI's chunks with the model's own events. */
export function inOpenAi(chunks: StreamDecoder): StreamDecoder {
  let failed = false;

  function read(value: unknown): readonly StreamPart[] {
    const error = isObject(value) ? cloudflareError(value) : undefined;
    if (error !== undefined) {
      failed = true;
      return [{ type: 'error', error }];
    }
    const native = isObject(value) && isNative(value);
    const chunk = native ? { choices: [{ delta: asMessage(value) }], usage: value.usage } : value;
    return chunks.push({ event: '', data: JSON.stringify(chunk) });
  }
  return wrapDecoder(chunks, {
    push(event) {
      if (failed) return [];
      const own = event.data.includes('"response"') || event.data.includes('"success"');
      return own ? parseEventData(event.data).flatMap(read) : chunks.push(event);
    },
    end: () => (failed ? [] : chunks.end()),
  });
}
