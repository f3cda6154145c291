import type { FinishReason, StreamPart } from '../../../canonical/chat-reply.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { Usage } from '../../../canonical/usage.ts';
import { doneEvent, openAiFamily } from '../families/openai.ts';
import type { ReplyContext, StreamEncoder } from '../shared/chat-translation.ts';
import { writeOpenAiUsage } from '../shared/openai-usage.ts';
import { openAiFinish, prefixedId } from '../shared/reply-fields.ts';

export class CompletionStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  readonly #finish = new Map<number, FinishReason>();
  #givenId: string | undefined;
  #head: string | undefined;
  #usage: Usage | undefined;

  constructor(context: ReplyContext) {
    this.#context = context;
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        this.#givenId ??= part.id;
        return '';
      case 'text-delta':
      case 'refusal-delta':
        return this.#chunk(
          `[{"text":${JSON.stringify(part.text)},"index":${part.choice ?? 0},"logprobs":null,"finish_reason":null}]`,
        );
      case 'usage':
        this.#usage = mergeUsage(this.#usage, part.usage);
        return '';
      case 'finish':
        this.#finish.set(part.choice ?? 0, part.reason);
        return '';
      default:
        return '';
    }
  }

  end(usage?: Usage): string {
    if (this.#finish.size === 0) this.#finish.set(0, 'stop');
    let text = '';
    for (const [index, reason] of this.#finish) {
      text += this.#chunk(
        `[{"text":"","index":${index},"logprobs":null,"finish_reason":"${openAiFinish[reason]}"}]`,
      );
    }
    const total = usage ?? this.#usage;
    if (this.#context.includeUsage === true && total !== undefined) {
      text += this.#chunk(`[],"usage":${JSON.stringify(writeOpenAiUsage(total))}`);
    }
    return text + doneEvent;
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return openAiFamily.errorEvent(error);
  }

  #chunk(choices: string): string {
    if (this.#head === undefined) {
      const { created, model } = this.#context;
      const id = prefixedId('cmpl-', this.#givenId, this.#context);
      this.#head = `data: ${JSON.stringify({ id, object: 'text_completion', created, model }).slice(0, -1)},"choices":`;
    }
    return `${this.#head}${choices}}\n\n`;
  }
}
