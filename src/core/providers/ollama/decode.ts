/**
 * Replies of `/api/chat` and `/api/generate`, whole or line by line
 * (docs/rules/providers.md#ollama-replies).
 */
import type { ChatReply, FinishReason, StreamPart } from '../../canonical/chat-reply.ts';
import { createStreamCollector } from '../../canonical/kit/collect-stream.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { errorFromBody } from '../../canonical/kit/failure.ts';
import {
  countOf,
  type Loose,
  recordOf,
  recordsOf,
  replyObject,
  textOf,
} from '../../canonical/kit/read-json.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import type { Usage } from '../../canonical/usage.ts';

function readUsage(line: Loose): Usage | undefined {
  const promptTokens = countOf(line.prompt_eval_count);
  const completionTokens = countOf(line.eval_count);
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const { prompt_eval_count, prompt_eval_duration, eval_count, eval_duration } = line;
  const raw = { prompt_eval_count, prompt_eval_duration, eval_count, eval_duration };
  return { promptTokens, completionTokens, raw: [raw] };
}

/** Each line adds to the reply; the line with `done` has its finish reason and usage. */
export class OllamaStreamDecoder implements StreamDecoder {
  /** The start time, used as the reply's id: Ollama gives it no other. */
  #began: string | undefined;
  #calls = 0;
  #done = false;

  push(event: StreamEvent): readonly StreamPart[] {
    return parseEventData(event.data).flatMap((value) => this.pushValue(value));
  }

  pushValue(value: unknown): readonly StreamPart[] {
    const line = recordOf(value);
    if (line === undefined || this.#done) return [];
    if (line.error) {
      this.#done = true;
      return [{ type: 'error', error: errorFromBody(line) }];
    }
    this.#began ??= textOf(line.created_at);
    const message = recordOf(line.message) ?? line;
    const parts: StreamPart[] = [];
    const thinking = textOf(message.thinking);
    if (thinking !== undefined) parts.push({ type: 'reasoning-delta', text: thinking });
    const text = textOf(message.content) ?? textOf(message.response);
    if (text !== undefined) parts.push({ type: 'text-delta', text });
    for (const call of recordsOf(message.tool_calls)) parts.push(...this.#readCall(call));
    return line.done === true ? [...parts, ...this.#finish(line)] : parts;
  }

  end(): readonly StreamPart[] {
    if (this.#done) return [];
    this.#done = true;
    return [{ type: 'error', error: { status: 502, message: 'the answer broke off' } }];
  }

  /** Calls come whole. */
  #readCall(call: Loose): StreamPart[] {
    const target = recordOf(call.function);
    const name = textOf(target?.name);
    if (name === undefined) return [];
    const index = this.#calls++;
    const id = textOf(call.id) ?? callIdFor(this.#began ?? 'reply', index);
    return [
      { type: 'tool-call-delta', index, id, name, arguments: argumentsToText(target?.arguments) },
    ];
  }

  #finish(line: Loose): StreamPart[] {
    this.#done = true;
    const raw = textOf(line.done_reason) ?? null;
    const ended: FinishReason = raw === 'length' ? 'length' : 'stop';
    const reason = this.#calls > 0 && ended === 'stop' ? 'tool-calls' : ended;
    const usage = readUsage(line);
    const reported: StreamPart[] = usage === undefined ? [] : [{ type: 'usage', usage }];
    return [...reported, { type: 'finish', reason, raw }];
  }
}

/** Throws ReplyFailure, AppError('bad_response_body'). */
export function readOllamaReply(body: unknown): ChatReply {
  const decoder = new OllamaStreamDecoder();
  const collector = createStreamCollector();
  collector.push(decoder.pushValue(replyObject(body)));
  collector.push(decoder.end());
  return collector.reply();
}
