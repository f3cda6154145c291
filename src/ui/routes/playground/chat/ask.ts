/** One streamed answer of the relay. */
import { isObject, type JsonObject } from '../../../../core/kernel/json.ts';
import { PlaygroundError, postAsUser, readError, requestIdOf } from '../post.ts';
import { readEvents } from '../read-events.ts';
import type { ChatSettings, WireMessage } from './message.ts';

export interface Question extends ChatSettings {
  readonly messages: readonly WireMessage[];
  /** What the page calls the request. */
  readonly key: string;
}

/** A piece of the answer. */
export interface AnswerPiece {
  readonly text?: string;
  readonly reasoning?: string;
  readonly outputTokens?: number;
}

export interface AnswerSink {
  /** The request has an id; its charge will be logged under it. */
  started(requestId: string | undefined): void;
  piece(piece: AnswerPiece): void;
}

/**
 * Resolves at the end of the answer. Throws PlaygroundError; what `signal` aborts is thrown as it
 * comes.
 */
export type Ask = (question: Question, sink: AnswerSink, signal: AbortSignal) => Promise<void>;

export const askRelay: Ask = async (
  { messages, model, group, temperature, maxTokens, key },
  sink,
  signal,
) => {
  const body = {
    messages,
    stream: true,
    stream_options: { include_usage: true },
    model,
    group,
    max_tokens: maxTokens,
    temperature,
  };
  const response = await postAsUser('/pg/chat/completions', body, signal, key);
  sink.started(requestIdOf(response));
  if (response.body === null) return;
  try {
    for await (const data of readEvents(response.body)) {
      if (data === '[DONE]') return;
      const event = parse(data);
      const error = readError(event, 0);
      if (error !== undefined) throw new PlaygroundError(error);
      if (event !== undefined) sink.piece(readPiece(event));
    }
  } catch (cause) {
    if (signal.aborted || cause instanceof PlaygroundError) throw cause;
    throw new PlaygroundError({ status: 0, code: 'stream_broken', type: '', text: '' }, { cause });
  }
};

function parse(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function asMarkdown({ image_url }: { image_url?: { url?: string } }): string {
  return `![image](${image_url?.url ?? ''})`;
}

function readPiece({ choices, usage }: JsonObject): AnswerPiece {
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  const delta = isObject(choice) && isObject(choice['delta']) ? choice['delta'] : {};
  const reasoning = delta['reasoning_content'] ?? delta['reasoning'];
  const tokens = isObject(usage) ? usage['completion_tokens'] : undefined;
  const { content, images } = delta;
  const text = Array.isArray(images) ? images.map(asMarkdown).join('') : content;
  return {
    ...(typeof text === 'string' && { text }),
    ...(typeof reasoning === 'string' && { reasoning }),
    ...(typeof tokens === 'number' && { outputTokens: tokens }),
  };
}
