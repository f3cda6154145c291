/**
 * The text completion API that `claude-2*` and `claude-instant*` were served by
 * (docs/rules/providers.md#claude-legacy).
 */

import type { ChatMessage, ChatRequest } from '../../canonical/chat.ts';
import type { ChatReply, FinishReason, StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { errorFromBody, ReplyFailure } from '../../canonical/kit/failure.ts';
import {
  compact,
  type Loose,
  recordOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

const defaultMaxTokens = 4096;
const human = '\n\nHuman:';
const assistant = '\n\nAssistant:';

function textOfMessage(message: ChatMessage): string {
  const texts: string[] = [];
  for (const part of message.content) {
    if (part.type === 'text' || part.type === 'refusal') texts.push(part.text);
    else if (part.type !== 'reasoning')
      throw new AppError('unsupported_feature', { detail: `${part.type} (text completion API)` });
  }
  return texts.join('\n');
}

/**
 * System texts, then the turns, then the prompt for the assistant; a reply that the caller began is
 * continued.
 */
function writePrompt(messages: readonly ChatMessage[]): string {
  const system = messages.filter((message) => message.role === 'system').map(textOfMessage);
  const turns = messages.filter((message) => message.role !== 'system');
  const written = turns.map((turn) => {
    const text = textOfMessage(turn);
    return `${turn.role === 'assistant' ? assistant : human} ${turn.role === 'assistant' ? text.trimEnd() : text}`;
  });
  const opening = turns[0]?.role === 'user' ? '' : `${human} ...`;
  const closing = turns.at(-1)?.role === 'assistant' ? '' : assistant;
  return `${system.join('\n')}${opening}${written.join('')}${closing}`;
}

/**
 * Throws AppError('unsupported_feature') for tools, JSON schemas and everything but text.
 * Penalties, seed, thinking and the like never existed there and are left out.
 */
export function writeCompleteBody(request: ChatRequest, model: string): JsonObject {
  if (request.tools !== undefined)
    throw new AppError('unsupported_feature', { detail: 'tools (text completion API)' });
  if (request.responseFormat?.type === 'json-schema')
    throw new AppError('unsupported_feature', { detail: 'response_format (text completion API)' });
  const stops = request.stop?.filter((text) => text.trim() !== '') ?? [];
  return compact({
    model,
    prompt: writePrompt(request.messages),
    max_tokens_to_sample: request.maxOutputTokens || defaultMaxTokens,
    temperature: request.temperature === undefined ? undefined : Math.min(1, request.temperature),
    top_p: request.topP,
    top_k: request.topK,
    stop_sequences: stops.length > 0 ? stops : undefined,
    stream: request.stream ? true : undefined,
    metadata: request.user === undefined ? undefined : { user_id: request.user },
  });
}

function finishOf(raw: string | undefined): FinishReason {
  return raw === 'max_tokens' ? 'length' : 'stop';
}

/** Throws ReplyFailure and AppError('bad_response_body'). No usage is reported. */
export function readCompleteReply(body: unknown): ChatReply {
  const reply = replyObject(body);
  if (typeof reply.completion !== 'string') {
    if (reply.error !== undefined) throw new ReplyFailure(errorFromBody(reply));
    throw new AppError('bad_response_body', { detail: 'the reply has no completion' });
  }
  const rawFinish = textOf(reply.stop_reason);
  const choice = {
    index: 0,
    content: [{ type: 'text', text: reply.completion.trimStart() }] as const,
    finish: finishOf(rawFinish),
    rawFinish: rawFinish ?? null,
  };
  return { id: textOf(reply.id), model: textOf(reply.model), choices: [choice] };
}

export class CompleteStreamDecoder implements StreamDecoder {
  #started = false;
  #hasOutput = false;
  #failed = false;
  #raw: string | undefined;

  get ended(): number {
    return this.#raw === undefined ? 0 : 1;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    if (this.#failed) return [];
    return parseEventData(event.data).flatMap((value) => this.#read(recordOf(value) ?? {}));
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    if (!this.#hasOutput && this.#raw === undefined)
      return [{ type: 'error', error: { status: 502, code: 'empty_response' } }];
    return this.#raw === undefined
      ? []
      : [{ type: 'finish', reason: finishOf(this.#raw), raw: this.#raw }];
  }

  #read(data: Loose): StreamPart[] {
    if (data.error !== undefined) {
      this.#failed = true;
      return [{ type: 'error', error: errorFromBody(data) }];
    }
    if (typeof data.completion !== 'string') return [];
    const parts: StreamPart[] = [];
    if (!this.#started)
      parts.push({ type: 'start', id: textOf(data.id), model: textOf(data.model) });
    this.#started = true;
    this.#raw = textOf(data.stop_reason) ?? this.#raw;
    // The text follows `Assistant:`, so it begins with a space.
    const text = this.#hasOutput ? data.completion : data.completion.trimStart();
    this.#hasOutput ||= text !== '';
    return text === '' ? parts : [...parts, { type: 'text-delta', text }];
  }
}
