/**
 * Dify's answers: streams, and whole replies read as streams of one event
 * (docs/rules/providers.md#dify-replies).
 */
import type { ChatReply, ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { createStreamCollector } from '../../canonical/kit/collect-stream.ts';
import { parseEventData } from '../../canonical/kit/event-data.ts';
import { type Loose, recordOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { StreamDecoder, StreamEvent } from '../../canonical/pass-through.ts';
import type { Call } from '../../canonical/provider.ts';
import type { Usage } from '../../canonical/usage.ts';
import { conversationPrefix } from './encode-chat.ts';
import { difyError } from './failure.ts';
import { ThinkMarks } from './think-marks.ts';

const workflowEvents = new Set(['workflow_started', 'workflow_finished']);
const nodeEvents = new Set(['node_started', 'node_finished']);

/** A step of a workflow as one line; undefined for other events. */
function debugLine(event: string, data: Loose): string | undefined {
  const status = event.endsWith('_finished') ? ` ${textOf(data.status) ?? ''}`.trimEnd() : '';
  if (workflowEvents.has(event)) return `Workflow: ${textOf(data.workflow_id) ?? ''}${status}\n`;
  return nodeEvents.has(event) ? `Node: ${textOf(data.node_type) ?? ''}${status}\n` : undefined;
}

export class DifyStreamDecoder implements StreamDecoder {
  readonly #debug: boolean;
  readonly #baseUrl: string;
  readonly #marks = new ThinkMarks();
  #started = false;
  #done = false;
  /** Lines reported of the workflow; each counts as an output token. */
  #lines = 0;

  constructor({ options, baseUrl }: Call) {
    this.#debug = options.difyDebug === true;
    this.#baseUrl = baseUrl;
  }

  push(event: StreamEvent): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    for (const value of parseEventData(event.data)) {
      const body = recordOf(value);
      if (body !== undefined && !this.#done) this.#read(body, parts);
    }
    return parts;
  }

  /** A reply is complete with `message_end`. */
  end(): readonly StreamPart[] {
    return this.#done ? [] : this.#fail({ status: 502, message: 'the answer broke off' });
  }

  #read(body: Loose, parts: StreamPart[]): void {
    const event = textOf(body.event);
    if (event === 'error' || event === undefined) {
      if (event !== undefined || textOf(body.code) !== undefined)
        parts.push(...this.#fail(difyError(body)));
      return;
    }
    this.#start(body, parts);
    switch (event) {
      case 'message':
      case 'agent_message':
        this.#emit(this.#marks.push(textOf(body.answer) ?? ''), parts);
        // A whole reply, which names the kind of application: nothing follows.
        if (body.mode !== undefined) this.#finish(body, parts);
        break;
      case 'message_file':
        this.#emitFile(body, parts);
        break;
      case 'message_end':
        this.#finish(body, parts);
        break;
      default:
        this.#emitStep(event, recordOf(body.data) ?? {}, parts);
    }
  }

  #start(body: Loose, parts: StreamPart[]): void {
    const conversation = textOf(body.conversation_id);
    if (this.#started || conversation === undefined) return;
    this.#started = true;
    parts.push({ type: 'start', id: conversationPrefix + conversation });
  }

  #emit(text: string, parts: StreamPart[]): void {
    if (text !== '') parts.push({ type: 'text-delta', text });
  }

  /** Addresses may lack the host. */
  #emitFile({ url, belongs_to: owner }: Loose, parts: StreamPart[]): void {
    const address = textOf(url);
    if (address === undefined || owner === 'user' || !URL.canParse(address, this.#baseUrl)) return;
    this.#emit(`${this.#marks.end()}![image](${new URL(address, this.#baseUrl).href})\n`, parts);
  }

  #emitStep(event: string, data: Loose, parts: StreamPart[]): void {
    const line = this.#debug ? debugLine(event, data) : undefined;
    if (line === undefined) return;
    this.#lines += 1;
    parts.push({ type: 'reasoning-delta', text: line });
  }

  #finish(body: Loose, parts: StreamPart[]): void {
    this.#done = true;
    this.#emit(this.#marks.end(), parts);
    const usage = this.#withLines(usageFromOpenAi(recordOf(body.metadata)?.usage));
    if (usage !== undefined) parts.push({ type: 'usage', usage });
    parts.push({ type: 'finish', reason: 'stop', raw: null });
  }

  #withLines(usage: Usage | undefined): Usage | undefined {
    if (usage?.completionTokens === undefined || this.#lines === 0) return usage;
    return { ...usage, completionTokens: usage.completionTokens + this.#lines };
  }

  #fail(error: ProviderError): StreamPart[] {
    this.#done = true;
    return [{ type: 'error', error }];
  }
}

/** Throws ReplyFailure for an error behind status 200 and for a body that is no reply. */
export function readDifyReply(body: unknown, call: Call): ChatReply {
  const decoder = new DifyStreamDecoder(call);
  const collector = createStreamCollector();
  collector.push(decoder.push({ event: '', data: JSON.stringify(replyObject(body)) }));
  collector.push(decoder.end());
  return collector.reply();
}
