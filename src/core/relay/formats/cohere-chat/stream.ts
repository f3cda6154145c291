/** Canonical parts → Cohere's events (Cohere API reference, Chat with Streaming). */
import type { StreamPart } from '../../../canonical/chat-reply.ts';
import { writeDataUri } from '../../../canonical/kit/media.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { cohereFamily } from '../families/cohere.ts';
import type { ReplyContext, StreamEncoder } from '../shared/chat-translation.ts';
import { writeCitation, writeFinish, writeUsage } from './write-fields.ts';

type ContentKind = 'text' | 'thinking';

function event(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function messageEvent(type: string, index: number, message: JsonObject): string {
  return event(type, { index, delta: { message } });
}

/** Gets calls one after another (shared/call-sequence.ts). */
export class CohereStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  #givenId: string | undefined;
  #started = false;
  /** Number of the newest content block. */
  #block = -1;
  #open: ContentKind | undefined;
  #openCall: number | undefined;
  #called = false;
  #answer = '';
  #citations = 0;
  #usage: Usage | undefined;
  #finish: Extract<StreamPart, { type: 'finish' }> | undefined;

  constructor(context: ReplyContext) {
    this.#context = context;
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        this.#givenId ??= part.id;
        return '';
      case 'usage':
        this.#usage = mergeUsage(this.#usage, part.usage);
        return '';
      case 'error':
        return '';
    }
    // This format has one answer; further choices have no place in it.
    if ((part.choice ?? 0) !== 0) return '';
    switch (part.type) {
      case 'finish':
        this.#finish = part;
        return '';
      case 'text-delta':
      case 'refusal-delta':
        return this.#text(part.text);
      case 'reasoning-delta':
        return this.#content('thinking', part.text);
      case 'image':
        return this.#text(`![image](${writeDataUri(part.mediaType, part.data)})`);
      case 'annotation':
        return this.#cite(part);
      case 'tool-call-delta':
        return this.#toolCall(part);
      default:
        return '';
    }
  }

  end(usage?: Usage): string {
    const text = this.#start() + this.#closeContent() + this.#closeCall();
    const { reason = 'stop', stopSequence } = this.#finish ?? {};
    const finish = writeFinish({ reason, stopSequence, called: this.#called });
    const delta = { finish_reason: finish, usage: writeUsage(usage ?? this.#usage ?? {}) };
    return `${text}${event('message-end', { delta })}data: [DONE]\n\n`;
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return cohereFamily.errorEvent(error);
  }

  #start(): string {
    if (this.#started) return '';
    this.#started = true;
    const message = {
      role: 'assistant',
      content: [],
      tool_plan: '',
      tool_calls: [],
      citations: [],
    };
    return event('message-start', { id: this.#givenId ?? this.#context.id, delta: { message } });
  }

  #text(text: string): string {
    this.#answer += text;
    return this.#content('text', text);
  }

  #content(kind: ContentKind, text: string): string {
    if (text === '') return '';
    const started = this.#start();
    const delta = () => messageEvent('content-delta', this.#block, { content: { [kind]: text } });
    if (this.#open === kind) return started + delta();
    const closed = this.#closeContent() + this.#closeCall();
    this.#open = kind;
    this.#block += 1;
    return (
      started +
      closed +
      messageEvent('content-start', this.#block, { content: { type: kind, [kind]: '' } }) +
      delta()
    );
  }

  #closeContent(): string {
    if (this.#open === undefined) return '';
    this.#open = undefined;
    return event('content-end', { index: this.#block });
  }

  #cite({ annotation }: Extract<StreamPart, { type: 'annotation' }>): string {
    const citation = writeCitation(annotation, this.#answer);
    if (citation === undefined) return '';
    const index = this.#citations++;
    return (
      this.#start() +
      messageEvent('citation-start', index, { citations: citation }) +
      event('citation-end', { index })
    );
  }

  #toolCall({
    index,
    id,
    name,
    arguments: text,
  }: Extract<StreamPart, { type: 'tool-call-delta' }>): string {
    if (this.#openCall === index) return this.#arguments(index, text);
    if (name === undefined) return '';
    const before = this.#start() + this.#closeContent() + this.#closeCall();
    this.#openCall = index;
    this.#called = true;
    const opened = {
      id: id ?? `call_${this.#context.id}_${index}`,
      type: 'function',
      function: { name, arguments: '' },
    };
    return (
      before +
      messageEvent('tool-call-start', index, { tool_calls: opened }) +
      this.#arguments(index, text)
    );
  }

  #arguments(index: number, fragment: string): string {
    return fragment === ''
      ? ''
      : messageEvent('tool-call-delta', index, {
          tool_calls: { function: { arguments: fragment } },
        });
  }

  #closeCall(): string {
    const index = this.#openCall;
    if (index === undefined) return '';
    this.#openCall = undefined;
    return event('tool-call-end', { index });
  }
}
