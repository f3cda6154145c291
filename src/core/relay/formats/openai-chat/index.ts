/** OpenAI chat completions as a client format (spec, providers-international 3.1, 4.2). */

import type { Annotation, AudioPart, ChatChoice, FinishReason, StreamPart, Usage } from '../../../canonical/chat.ts';
import { writeDataUri } from '../../../canonical/kit/media.ts';
import { compact } from '../../../canonical/kit/read-json.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { type ChatWireFormat, eventStream, type ReplyContext, type StreamEncoder } from '../shared/conversation-format.ts';
import { errorBody } from '../shared/error-body.ts';
import { writeOpenAiUsage } from '../shared/openai-usage.ts';
import { readChatRequest } from './request.ts';

export const openAiFinish: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

export const openAiKeepAlive = ': PING\n\n';
export const openAiTerminator = 'data: [DONE]\n\n';

/** The upstream's id where it already is one of this format's. */
export function prefixedId(prefix: string, given: string | undefined, context: ReplyContext): string {
  return given?.startsWith(prefix) === true ? given : prefix + context.id;
}

function writeAnnotation({ url, title, startIndex, endIndex }: Annotation): JsonObject {
  return { type: 'url_citation', url_citation: compact({ url, title, start_index: startIndex, end_index: endIndex }) };
}

/** Gemini's proofs, of a call or of the message, where Google's own chat interface has them. */
function extraContent(signature: string | undefined): JsonObject | undefined {
  return signature === undefined ? undefined : { google: { thought_signature: signature } };
}

function extraField(signature: string | undefined): string {
  return signature === undefined ? '' : `,"extra_content":${JSON.stringify(extraContent(signature))}`;
}

function writeAudio({ id, data, transcript, expiresAt }: AudioPart): JsonObject {
  return compact({ id, data: data === '' ? undefined : data, transcript, expires_at: expiresAt });
}

/** Callers that wrote the older `functions` read their call, the only one, in `function_call`. */
function speaksOfFunctions({ request }: ReplyContext): boolean {
  return request?.tools?.some((tool) => tool.type === 'function' && tool.source?.origin === 'openai-chat') === true;
}

function finishWord(reason: FinishReason, called: boolean, functions: boolean): string {
  const finish = effectiveFinish(reason, called);
  return functions && finish === 'tool-calls' ? 'function_call' : openAiFinish[finish];
}

function writeMessage(choice: ChatChoice, functions: boolean): JsonObject {
  let text = '';
  let reasoning = '';
  let refusal: string | null = null;
  let audio: JsonObject | undefined;
  let signature: string | undefined;
  const calls: JsonObject[] = [];
  for (const part of choice.content) {
    switch (part.type) {
      case 'text':
        text += part.text;
        signature = part.signature ?? signature;
        break;
      case 'reasoning':
        reasoning += part.text;
        break;
      case 'refusal':
        refusal = (refusal ?? '') + part.text;
        break;
      case 'image':
        text += `![image](${part.url ?? writeDataUri(part.mediaType ?? 'image/png', part.data ?? '')})`;
        break;
      case 'audio':
        audio = { ...writeAudio(part), format: part.format };
        break;
      case 'tool-call': {
        const target = { name: part.name, arguments: part.arguments };
        calls.push(compact({ id: part.id, type: 'function', function: target, extra_content: extraContent(part.signature) }));
      }
    }
  }
  return compact({
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== null) ? null : text,
    reasoning_content: reasoning === '' ? undefined : reasoning,
    refusal,
    ...(functions ? { function_call: calls[0]?.function } : { tool_calls: calls.length > 0 ? calls : undefined }),
    annotations: choice.annotations?.map(writeAnnotation),
    audio,
    extra_content: extraContent(signature),
  });
}

/** A model that called tools and says `stop` means the calls. */
export function effectiveFinish(reason: FinishReason, called: boolean): FinishReason {
  return called && reason === 'stop' ? 'tool-calls' : reason;
}

function writeChoice(choice: ChatChoice, functions: boolean): JsonObject {
  const called = choice.content.some((part) => part.type === 'tool-call');
  return {
    index: choice.index,
    message: writeMessage(choice, functions),
    logprobs: choice.logprobs ?? null,
    finish_reason: finishWord(choice.finish, called, functions),
  };
}

interface ChoiceState {
  called: boolean;
  finish: FinishReason | undefined;
}

/** Chunks are put together as text: the head never changes within a stream, and only the delta is serialised. */
class ChatStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  readonly #choices = new Map<number, ChoiceState>();
  readonly #functions: boolean;
  #givenId: string | undefined;
  #head: string | undefined;
  #usage: Usage | undefined;

  constructor(context: ReplyContext) {
    this.#context = context;
    this.#functions = speaksOfFunctions(context);
  }

  push(part: StreamPart): string {
    switch (part.type) {
      case 'start':
        this.#givenId ??= part.id;
        return '';
      case 'text-delta':
        return this.#delta(part.choice, `"content":${JSON.stringify(part.text)}${extraField(part.signature)}`, part.logprobs);
      case 'reasoning-delta':
        return this.#delta(part.choice, `"reasoning_content":${JSON.stringify(part.text)}`);
      case 'refusal-delta':
        return this.#delta(part.choice, `"refusal":${JSON.stringify(part.text)}`);
      case 'tool-call-delta':
        return this.#toolCall(part);
      case 'image': {
        const image = `![image](${writeDataUri(part.mediaType, part.data)})`;
        return this.#delta(part.choice, `"content":${JSON.stringify(image)}`);
      }
      case 'audio':
        return this.#delta(part.choice, `"audio":${JSON.stringify(writeAudio(part))}`);
      case 'annotation':
        return this.#delta(part.choice, `"annotations":[${JSON.stringify(writeAnnotation(part.annotation))}]`);
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
      const reason = finishWord(finish ?? 'stop', called, this.#functions);
      text += `${this.#headText()}[{"index":${index},"delta":{},"logprobs":null,"finish_reason":"${reason}"}]}\n\n`;
    }
    const total = usage ?? this.#usage;
    if (this.#context.includeUsage === true && total !== undefined) {
      text += `${this.#headText()}[],"usage":${JSON.stringify(writeOpenAiUsage(total))}}\n\n`;
    }
    return text + openAiTerminator;
  }

  fail(error: Parameters<StreamEncoder['fail']>[0]): string {
    return `data: ${JSON.stringify(errorBody('openai', error))}\n\n${openAiTerminator}`;
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

  #choice(index: number): ChoiceState {
    let state = this.#choices.get(index);
    if (state === undefined) {
      state = { called: false, finish: undefined };
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

export const openAiChat: ChatWireFormat = {
  format: 'openai-chat',
  readRequest: readChatRequest,
  writeReply: (reply, context) =>
    compact({
      id: prefixedId('chatcmpl-', reply.id, context),
      object: 'chat.completion',
      created: context.created,
      model: context.model,
      choices: reply.choices.map((choice) => writeChoice(choice, speaksOfFunctions(context))),
      usage: reply.usage === undefined ? undefined : writeOpenAiUsage(reply.usage),
    }),
  streamContentType: eventStream,
  createStreamEncoder: (context) => new ChatStreamEncoder(context),
  keepAlive: openAiKeepAlive,
};
