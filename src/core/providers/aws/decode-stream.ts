/**
 * Bedrock's frames → events: Claude's inside `chunk`, Converse's by their names, failures
 * (docs/rules/providers.md#bedrock-frames).
 */

import type { ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { asWritten } from '../../canonical/kit/anthropic-usage.ts';
import { type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { StreamDecoder, StreamEvent, StreamRewriter } from '../../canonical/pass-through.ts';
import { parseJson } from '../../kernel/json.ts';
import { errorEvent, invocationMetrics, NativeMessageStream } from '../anthropic/native-stream.ts';
import { bedrockError } from './failure.ts';
import { eventOfConverse } from './read-converse.ts';

type Frame =
  /** One of Claude's events, as JSON text. */
  | { readonly type: 'claude'; readonly json: string }
  | { readonly type: 'failure'; readonly error: ProviderError }
  | { readonly type: 'converse'; readonly data: Loose };

function readFrame({ event, data }: StreamEvent): Frame | undefined {
  const payload = recordOf(parseJson(data));
  if (payload === undefined) return undefined;
  if (event === 'chunk') {
    const bytes = textOf(payload.bytes);
    return bytes === undefined
      ? undefined
      : { type: 'claude', json: Buffer.from(bytes, 'base64').toString('utf8') };
  }
  const error = recordOf(payload.error);
  if (error !== undefined || event.endsWith('Exception'))
    return { type: 'failure', error: bedrockError(event, error ?? payload) };
  return { type: 'converse', data: payload };
}

/** Usage in Claude's form, from Bedrock's own counts. */
function readMetrics(event: Loose | undefined): Loose | undefined {
  const metrics = recordOf(event?.[invocationMetrics]);
  if (metrics === undefined) return undefined;
  return {
    input_tokens: metrics.inputTokenCount,
    output_tokens: metrics.outputTokenCount,
    cache_read_input_tokens: metrics.cacheReadInputTokenCount,
    cache_creation_input_tokens: metrics.cacheWriteInputTokenCount,
    [asWritten]: metrics,
  };
}

export class BedrockStreamDecoder implements StreamDecoder {
  readonly #messages: StreamDecoder;
  #counted = false;

  /** `messages` reads Claude's events. */
  constructor(messages: StreamDecoder) {
    this.#messages = messages;
  }

  get callsInTurn(): boolean | undefined {
    return this.#messages.callsInTurn;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const frame = readFrame(event);
    switch (frame?.type) {
      case 'claude':
        return this.#count(this.#messages.push({ event: '', data: frame.json }), frame.json);
      case 'failure':
        return this.#write({ type: 'error', error: frame.error });
      case 'converse': {
        const written = eventOfConverse(event.event, frame.data);
        return written === undefined ? [] : this.#write(written);
      }
      default:
        return [];
    }
  }

  end(): readonly StreamPart[] {
    return this.#messages.end();
  }

  #write(event: object): readonly StreamPart[] {
    return this.#messages.push({ event: '', data: JSON.stringify(event) });
  }

  /** Bedrock's counts are used where the model reported none. */
  #count(parts: readonly StreamPart[], json: string): readonly StreamPart[] {
    this.#counted ||= parts.some(
      (part) => part.type === 'usage' && part.usage.promptTokens !== undefined,
    );
    if (this.#counted || !json.includes(invocationMetrics)) return parts;
    const usage = readMetrics(recordOf(parseJson(json)));
    return usage === undefined
      ? parts
      : [...parts, ...this.#write({ type: 'message_delta', delta: {}, usage })];
  }
}

/** Bedrock's frames as the events that Anthropic's own callers read. */
export class BedrockNativeStream implements StreamRewriter {
  readonly #events = new NativeMessageStream();

  push(event: StreamEvent): string {
    const frame = readFrame(event);
    if (frame?.type === 'claude') return this.#events.write(frame.json);
    return frame?.type === 'failure' ? errorEvent(frame.error) : '';
  }
}
