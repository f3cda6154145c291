/** Text completions for upstreams that only chat: the prompt is one user message (spec, providers-international 4.12). */

import type { AssistantPart, ChatRequest, FinishReason, StreamPart, Usage } from '../../../canonical/chat.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { openAiFinish, openAiKeepAlive, openAiTerminator, prefixedId } from '../openai-chat/index.ts';
import { type ChatWireFormat, eventStream, type ReplyContext, type StreamEncoder } from '../shared/conversation-format.ts';
import { errorBody } from '../shared/error-body.ts';
import { Fields, readModel } from '../shared/fields.ts';
import { writeOpenAiUsage } from '../shared/openai-usage.ts';

/** What a chat cannot do. `echo: false` and the like ask for nothing. */
const impossible = ['echo', 'logprobs', 'suffix'] as const;

function readPrompt(fields: Fields): string {
  const prompt = fields.raw('prompt');
  if (prompt === undefined || prompt === '') return fields.fail('field prompt is required');
  const texts = fields.texts('prompt') ?? [];
  if (texts.length !== 1) throw new AppError('unsupported_feature', { detail: 'several prompts' });
  return texts[0] ?? '';
}

function readRequest(body: JsonObject): ChatRequest {
  const fields = new Fields(body, 'invalid_text_request');
  const model = readModel(fields);
  for (const name of impossible) {
    const value = fields.raw(name);
    if (value !== undefined && value !== false && value !== '') throw new AppError('unsupported_feature', { detail: name });
  }
  return {
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: readPrompt(fields) }] }],
    stream: fields.flag('stream') ?? false,
    maxOutputTokens: fields.count('max_tokens'),
    temperature: fields.number('temperature'),
    topP: fields.number('top_p'),
    stop: fields.texts('stop'),
    seed: fields.number('seed'),
    frequencyPenalty: fields.number('frequency_penalty'),
    presencePenalty: fields.number('presence_penalty'),
    candidateCount: fields.count('n'),
    user: fields.text('user'),
    origin: 'openai-completions',
    extra: {},
  };
}

function textOfParts(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === 'text' || part.type === 'refusal' ? part.text : '')).join('');
}

class CompletionStreamEncoder implements StreamEncoder {
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
      text += this.#chunk(`[{"text":"","index":${index},"logprobs":null,"finish_reason":"${openAiFinish[reason]}"}]`);
    }
    const total = usage ?? this.#usage;
    if (this.#context.includeUsage === true && total !== undefined) {
      text += this.#chunk(`[],"usage":${JSON.stringify(writeOpenAiUsage(total))}`);
    }
    return text + openAiTerminator;
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return `data: ${JSON.stringify(errorBody('openai', error))}\n\n${openAiTerminator}`;
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

export const openAiCompletions: ChatWireFormat = {
  format: 'openai-completions',
  readRequest,
  writeReply: (reply, context) =>
    compact({
      id: prefixedId('cmpl-', reply.id, context),
      object: 'text_completion',
      created: context.created,
      model: context.model,
      choices: reply.choices.map((choice) => ({
        text: textOfParts(choice.content),
        index: choice.index,
        logprobs: null,
        finish_reason: openAiFinish[choice.finish],
      })),
      usage: reply.usage === undefined ? undefined : writeOpenAiUsage(reply.usage),
    }),
  streamContentType: eventStream,
  createStreamEncoder: (context) => new CompletionStreamEncoder(context),
  keepAlive: openAiKeepAlive,
};
