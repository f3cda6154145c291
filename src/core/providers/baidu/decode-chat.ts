/** Replies and streams of the v1 interface (docs/rules/providers.md#baidu-v1-chat). */

import type { AssistantPart } from '../../canonical/chat.ts';
import type { ChatReply, FinishReason, StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { finishFromOpenAi } from '../../canonical/kit/finish-reasons.ts';
import { countOf, type Loose, recordOf, textOf } from '../../canonical/kit/read-json.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import { baiduError, interfaceEnded } from './failure.ts';

/** Cumulative in streams; a total of zero means not reported. */
function readUsage(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  const total = countOf(usage?.total_tokens);
  const promptTokens = countOf(usage?.prompt_tokens);
  if (!usage || !total || promptTokens === undefined) return undefined;
  return { promptTokens, completionTokens: Math.max(0, total - promptTokens), raw: [usage] };
}

function readFinish(root: Loose, called: boolean): FinishReason {
  if (called) return 'tool-calls';
  if (root.is_truncated === true) return 'length';
  const finish = finishFromOpenAi(textOf(root.finish_reason) ?? 'stop');
  return finish === 'tool-calls' ? 'stop' : finish;
}

/**
 * Throws ReplyFailure on an error behind status 200, on what is no JSON, and
 * AppError('bad_response_body').
 */
export function replyOfBaidu(body: unknown): Loose {
  const root = recordOf(body);
  if (root === undefined) throw new ReplyFailure(interfaceEnded(410));
  const error = baiduError(root);
  if (error !== undefined) throw new ReplyFailure(error);
  return root;
}

export function readBaiduReply(body: unknown): ChatReply {
  const root = replyOfBaidu(body);
  const id = textOf(root.id);
  const call = recordOf(root.function_call);
  const name = textOf(call?.name);
  const content: AssistantPart[] = [];
  const text = textOf(root.result);
  if (text !== undefined) content.push({ type: 'text', text });
  if (name !== undefined) {
    content.push({
      type: 'tool-call',
      id: callIdFor(id ?? 'reply', 0),
      name,
      arguments: argumentsToText(call?.arguments),
    });
  }
  if (content.length === 0 && root.result === undefined)
    throw new AppError('bad_response_body', { detail: 'no result in it' });
  const finish = readFinish(root, name !== undefined);
  const rawFinish = textOf(root.finish_reason) ?? null;
  return { id, choices: [{ index: 0, content, finish, rawFinish }], usage: readUsage(root.usage) };
}

/** `result` is what is new; there is no terminator, `is_end` marks the last event. */
export class BaiduStreamDecoder implements StreamDecoder {
  #id: string | undefined;
  #last: Loose | undefined;
  #called = false;
  #produced = false;
  #failed = false;

  get ended(): number {
    return this.#hasEnded ? 1 : 0;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    for (const value of parseEventData(event.data)) {
      const chunk = recordOf(value);
      if (chunk !== undefined && !this.#failed) this.#readChunk(chunk, parts);
    }
    return parts;
  }

  end(): readonly StreamPart[] {
    if (this.#failed) return [];
    if (this.#last === undefined) return [{ type: 'error', error: interfaceEnded(410) }];
    if (!this.#hasEnded)
      return this.#produced
        ? []
        : [{ type: 'error', error: { status: 502, code: 'empty_response' } }];
    const raw = textOf(this.#last.finish_reason) ?? null;
    return [{ type: 'finish', reason: readFinish(this.#last, this.#called), raw }];
  }

  get #hasEnded(): boolean {
    return this.#last?.is_end === true || textOf(this.#last?.finish_reason) !== undefined;
  }

  #readChunk(chunk: Loose, parts: StreamPart[]): void {
    const error = baiduError(chunk);
    if (error !== undefined) {
      this.#failed = true;
      parts.push({ type: 'error', error });
      return;
    }
    if (this.#last === undefined) {
      this.#id = textOf(chunk.id);
      parts.push({ type: 'start', id: this.#id });
    }
    this.#last = chunk;
    const text = textOf(chunk.result);
    if (text !== undefined) parts.push({ type: 'text-delta', text });
    this.#readCall(recordOf(chunk.function_call), parts);
    this.#produced ||= text !== undefined || this.#called;
    const usage = readUsage(chunk.usage);
    if (usage !== undefined) parts.push({ type: 'usage', usage });
  }

  /** One call, whole in one event. */
  #readCall(call: Loose | undefined, parts: StreamPart[]): void {
    const name = textOf(call?.name);
    if (name === undefined || this.#called) return;
    this.#called = true;
    const id = callIdFor(this.#id ?? 'reply', 0);
    parts.push({
      type: 'tool-call-delta',
      index: 0,
      id,
      name,
      arguments: argumentsToText(call?.arguments),
    });
  }
}
