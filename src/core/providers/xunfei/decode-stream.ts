/** The frames of a reply (docs/rules/providers.md#spark-chat). */
import type { ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { countOf, type Loose, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { argumentsToText, callIdFor } from '../../canonical/kit/tool-calls.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import { isModerated, sparkError } from './failure.ts';

/** `choices.status` of the last frame. */
const last = 2;

/** A reply is complete with status 2; a socket that closes earlier broke off. */
export class SparkStreamDecoder implements StreamDecoder {
  #id: string | undefined;
  #started = false;
  #hasOutput = false;
  #called = false;
  #done = false;

  get done(): boolean {
    return this.#done;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    for (const value of parseEventData(event.data)) {
      const frame = recordOf(value);
      if (frame !== undefined && !this.#done) this.#readFrame(frame, parts);
    }
    return parts;
  }

  end(): readonly StreamPart[] {
    if (this.#done) return [];
    this.#done = true;
    return [
      {
        type: 'error',
        error: { status: 502, type: 'xunfei_error', message: 'the answer broke off' },
      },
    ];
  }

  #readFrame(frame: Loose, parts: StreamPart[]): void {
    const header = recordOf(frame.header) ?? {};
    const error = sparkError(header.code, header.message);
    if (error !== undefined) return this.#fail(error, parts);
    if (!this.#started) {
      this.#started = true;
      this.#id = textOf(header.sid);
      parts.push({ type: 'start', id: this.#id });
    }
    const payload = recordOf(frame.payload) ?? {};
    const choices = recordOf(payload.choices) ?? {};
    for (const entry of recordsOf(choices.text)) this.#readEntry(entry, parts);
    const usage = usageFromOpenAi(recordOf(payload.usage)?.text);
    if (usage !== undefined) parts.push({ type: 'usage', usage });
    if ((countOf(choices.status) ?? countOf(header.status)) !== last) return;
    this.#done = true;
    parts.push({ type: 'finish', reason: this.#called ? 'tool-calls' : 'stop', raw: null });
  }

  #readEntry(entry: Loose, parts: StreamPart[]): void {
    const reasoning = textOf(entry.reasoning_content);
    if (reasoning !== undefined) parts.push({ type: 'reasoning-delta', text: reasoning });
    const text = textOf(entry.content);
    if (text !== undefined) {
      this.#hasOutput = true;
      parts.push({ type: 'text-delta', text });
    }
    const call = recordOf(entry.function_call);
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

  /** Output that the moderation cuts off is filtered output, not an error. */
  #fail(error: ProviderError, parts: StreamPart[]): void {
    this.#done = true;
    if (this.#hasOutput && isModerated(error))
      parts.push({ type: 'finish', reason: 'content-filter', raw: error.code ?? null });
    else parts.push({ type: 'error', error });
  }
}
