import type { ReasoningPart } from '../../../canonical/chat.ts';
import type { FinishReason, StreamPart } from '../../../canonical/chat-reply.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { Usage } from '../../../canonical/usage.ts';
import { writeDetail } from '../../../canonical/wires/openai/reasoning-details.ts';
import type { JsonValue } from '../../../kernel/json.ts';
import { doneEvent, openAiFamily } from '../families/openai.ts';
import type { ReplyContext, StreamEncoder } from '../shared/chat-translation.ts';
import { writeOpenAiUsage } from '../shared/openai-usage.ts';
import { prefixedId } from '../shared/reply-fields.ts';
import {
  extraField,
  finishReason,
  usesFunctions,
  writeAnnotation,
  writeAudio,
  writeImage,
} from './reply.ts';

interface ChoiceState {
  /** Thinking that no signature came for yet. */
  thinking: string;
  /** Blocks of signed thinking. */
  blocks: number;
  called: boolean;
  finish: FinishReason | undefined;
}

/**
 * Chunks are put together as text: the head never changes within a stream, and only the delta is
 * serialised.
 */
export class ChatStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  readonly #choices = new Map<number, ChoiceState>();
  readonly #functions: boolean;
  #givenId: string | undefined;
  #head: string | undefined;
  #usage: Usage | undefined;
  #images = 0;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#functions = usesFunctions(context);
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        this.#givenId ??= part.id;
        return '';
      case 'text-delta':
        return this.#delta(
          part.choice,
          `"content":${JSON.stringify(part.text)}${extraField(part.signature)}`,
          part.logprobs,
        );
      case 'reasoning-delta':
        return this.#think(part.choice, part.text);
      case 'reasoning-signature':
        return this.#signed(part.choice, part);
      case 'reasoning-redacted':
        return this.#signed(part.choice, { ...part, redacted: part.data });
      case 'refusal-delta':
        return this.#delta(part.choice, `"refusal":${JSON.stringify(part.text)}`);
      case 'tool-call-delta':
        return this.#toolCall(part);
      case 'image': {
        const image = { index: this.#images++, ...writeImage(part) };
        return this.#delta(part.choice, `"images":[${JSON.stringify(image)}]`);
      }
      case 'audio':
        return this.#delta(part.choice, `"audio":${JSON.stringify(writeAudio(part))}`);
      case 'annotation':
        return this.#delta(
          part.choice,
          `"annotations":[${JSON.stringify(writeAnnotation(part.annotation))}]`,
        );
      case 'usage':
        this.#usage = mergeUsage(this.#usage, part.usage);
        return '';
      case 'finish':
        this.#choice(part.choice ?? 0).finish = part.reason;
        return '';
      default:
        return '';
    }
  }

  end(usage?: Usage): string {
    let text = this.#choices.size === 0 ? this.#delta(0, '') : '';
    for (const [index, { called, finish }] of this.#choices) {
      const reason = finishReason(finish ?? 'stop', called, this.#functions);
      text += `${this.#headText()}[{"index":${index},"delta":{},"logprobs":null,"finish_reason":"${reason}"}]}\n\n`;
    }
    const total = usage ?? this.#usage;
    if (this.#context.includeUsage === true && total !== undefined) {
      text += `${this.#headText()}[],"usage":${JSON.stringify(writeOpenAiUsage(total))}}\n\n`;
    }
    return text + doneEvent;
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return openAiFamily.errorEvent(error);
  }

  #toolCall(part: Extract<StreamPart, { type: 'tool-call-delta' }>): string {
    if (this.#functions && part.index > 0) return '';
    const text = JSON.stringify(part.arguments);
    const first = part.name !== undefined;
    const identity = first
      ? `"id":${JSON.stringify(part.id ?? `call_${this.#context.id}_${part.index}`)},"type":"function",`
      : '';
    const name = first ? `"name":${JSON.stringify(part.name)},` : '';
    const target = `{${name}"arguments":${text}}`;
    const call = this.#functions
      ? `"function_call":${target}`
      : `"tool_calls":[{"index":${part.index},${identity}"function":${target}${extraField(part.signature)}}]`;
    const written = this.#delta(part.choice, call);
    this.#choice(part.choice ?? 0).called = true;
    return written;
  }

  /** The whole block: callers return it as it is. */
  #signed(
    choice: number | undefined,
    signed: Pick<ReasoningPart, 'signature' | 'redacted' | 'origin' | 'id'>,
  ): string {
    const { thinking = '', blocks = 0 } = this.#choices.get(choice ?? 0) ?? {};
    const detail = writeDetail({ ...signed, text: thinking }, blocks);
    if (detail === undefined) return '';
    const written = this.#delta(choice, `"reasoning_details":[${JSON.stringify(detail)}]`);
    Object.assign(this.#choice(choice ?? 0), { thinking: '', blocks: blocks + 1 });
    return written;
  }

  #think(choice: number | undefined, text: string): string {
    const written = this.#delta(choice, `"reasoning_content":${JSON.stringify(text)}`);
    this.#choice(choice ?? 0).thinking += text;
    return written;
  }

  #choice(index: number): ChoiceState {
    let state = this.#choices.get(index);
    if (state === undefined) {
      state = { called: false, finish: undefined, thinking: '', blocks: 0 };
      this.#choices.set(index, state);
    }
    return state;
  }

  #headText(): string {
    if (this.#head === undefined) {
      const { created, model } = this.#context;
      const id = prefixedId('chatcmpl-', this.#givenId, this.#context);
      const head = JSON.stringify({ id, object: 'chat.completion.chunk', created, model });
      this.#head = `data: ${head.slice(0, -1)},"choices":`;
    }
    return this.#head;
  }

  /** The first delta of a choice is preceded by the one chunk that carries its role. */
  #delta(choice: number | undefined, fields: string, logprobs?: JsonValue): string {
    const index = choice ?? 0;
    const head = this.#headText();
    let text = '';
    if (!this.#choices.has(index)) {
      this.#choice(index);
      text = `${head}[{"index":${index},"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}]}\n\n`;
    }
    if (fields === '') return text;
    const detail = logprobs === undefined ? 'null' : JSON.stringify(logprobs);
    return `${text}${head}[{"index":${index},"delta":{${fields}},"logprobs":${detail},"finish_reason":null}]}\n\n`;
  }
}
