/**
 * Collects a stream into one reply, and turns a reply into a stream, for callers that requested the
 * other form.
 */
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { AssistantPart, AudioPart, ReasoningPart, TextPart, ToolCallPart } from '../chat.ts';
import type {
  Annotation,
  ChatChoice,
  ChatReply,
  FinishReason,
  ProviderError,
  StreamPart,
} from '../chat-reply.ts';
import type { Usage } from '../usage.ts';
import { append } from './append.ts';
import { ReplyFailure } from './failure.ts';
import { sourcesByText } from './sources.ts';
import { mergeUsage } from './usage.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Delta = Exclude<StreamPart, { type: 'start' | 'usage' | 'error' }>;

class ChoiceCollector {
  readonly #content: Writable<AssistantPart>[] = [];
  readonly #calls = new Map<number, Writable<ToolCallPart>>();
  readonly #annotations: Annotation[] = [];
  readonly #logprobs: JsonValue[] = [];
  /** The audio part that is still open, and its chunks. */
  #openAudio: Writable<AudioPart> | undefined;
  #audioChunks: Buffer[] = [];
  #finish: Extract<StreamPart, { type: 'finish' }> | undefined;

  push(part: Delta): void {
    switch (part.type) {
      case 'text-delta':
        this.#emit(part);
        if (part.logprobs) this.#logprobs.push(part.logprobs);
        break;
      case 'refusal-delta':
        this.#refuse(part.text);
        break;
      case 'reasoning-delta':
        this.#reasoning(part.id).text += part.text;
        break;
      case 'reasoning-signature':
        Object.assign(this.#reasoning(part.id), { signature: part.signature, origin: part.origin });
        break;
      case 'reasoning-redacted':
        this.#content.push({
          type: 'reasoning',
          text: '',
          redacted: part.data,
          origin: part.origin,
          id: part.id,
        });
        break;
      case 'tool-call-delta':
        this.#call(part);
        break;
      case 'image':
        this.#content.push({ type: 'image', mediaType: part.mediaType, data: part.data });
        break;
      case 'audio':
        this.#addAudio(part);
        break;
      case 'annotation':
        this.#annotations.push(part.annotation);
        break;
      case 'finish':
        this.#finish = part;
    }
  }

  /** A text that was signed is complete. */
  #emit({ text, signature, phase }: Extract<StreamPart, { type: 'text-delta' }>): void {
    let last = this.#content.at(-1);
    if (last?.type !== 'text' || last.signature !== undefined || phase !== undefined) {
      last = phase === undefined ? { type: 'text', text: '' } : { type: 'text', text: '', phase };
      this.#content.push(last);
    }
    last.text += text;
    if (signature !== undefined) last.signature = signature;
  }

  #refuse(text: string): void {
    const last = this.#content.at(-1);
    if (last?.type === 'refusal') last.text += text;
    else this.#content.push({ type: 'refusal', text });
  }

  #addAudio({ choice: _, ...piece }: Extract<StreamPart, { type: 'audio' }>): void {
    const last = this.#content.at(-1);
    if (last?.type !== 'audio' || last.format !== piece.format) {
      this.#joinAudio();
      this.#openAudio = piece;
      this.#audioChunks = [Buffer.from(piece.data, 'base64')];
      this.#content.push(piece);
      return;
    }
    const { data, transcript, id = last.id, expiresAt = last.expiresAt } = piece;
    if (data !== '') this.#audioChunks.push(Buffer.from(data, 'base64'));
    if (transcript !== undefined) last.transcript = (last.transcript ?? '') + transcript;
    Object.assign(last, { id, expiresAt });
  }

  #joinAudio(): void {
    if (this.#openAudio !== undefined && this.#audioChunks.length > 1)
      this.#openAudio.data = Buffer.concat(this.#audioChunks).toString('base64');
  }

  /** The open thinking part: the last part, unless it already has a signature or another id. */
  #reasoning(id: string | undefined): Writable<ReasoningPart> {
    const last = this.#content.at(-1);
    const continues =
      last?.type === 'reasoning' && last.signature === undefined && last.redacted === undefined;
    if (continues && (id === undefined || last.id === undefined || last.id === id)) return last;
    const part: Writable<ReasoningPart> = {
      type: 'reasoning',
      text: '',
      ...(id === undefined ? {} : { id }),
    };
    this.#content.push(part);
    return part;
  }

  #call(delta: Extract<StreamPart, { type: 'tool-call-delta' }>): void {
    let call = this.#calls.get(delta.index);
    if (call === undefined) {
      call = { type: 'tool-call', id: delta.id ?? '', name: delta.name ?? '', arguments: '' };
      this.#calls.set(delta.index, call);
      this.#content.push(call);
    }
    call.arguments += delta.arguments;
    if (delta.signature !== undefined) call.signature = delta.signature;
  }

  reply(index: number): ChatChoice {
    const { reason = 'stop' as FinishReason, raw = null, stopSequence } = this.#finish ?? {};
    const logprobs = joinLogprobs(this.#logprobs);
    this.#joinAudio();
    return {
      index,
      content: this.#content,
      finish: reason,
      rawFinish: raw,
      ...(stopSequence === undefined ? {} : { stopSequence }),
      ...(this.#annotations.length === 0 ? {} : { annotations: this.#annotations }),
      ...(logprobs === undefined ? {} : { logprobs }),
    };
  }
}

/** Lists under the same name (`content`, `refusal`) are appended; anything else is kept once. */
function joinLogprobs(reported: readonly JsonValue[]): JsonValue | undefined {
  if (!reported.every(isObject)) return reported.at(-1);
  const joined: Record<string, JsonValue | JsonValue[]> = {};
  for (const [name, value] of reported.flatMap((one) => Object.entries(one as JsonObject))) {
    const before = joined[name];
    if (Array.isArray(before) && isList(value)) append(before, value);
    else joined[name] = isList(value) ? [...value] : value;
  }
  return reported.length === 0 ? undefined : joined;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export interface StreamCollector {
  push(parts: readonly StreamPart[]): void;
  /** What has come; call once. Throws ReplyFailure where the stream held an error. */
  reply(): ChatReply;
}

export function createStreamCollector(): StreamCollector {
  const choices = new Map<number, ChoiceCollector>();
  let start: { id?: string; model?: string } = {};
  let usage: Usage | undefined;
  let error: ProviderError | undefined;

  const choiceOf = (index: number): ChoiceCollector => {
    const known = choices.get(index) ?? new ChoiceCollector();
    choices.set(index, known);
    return known;
  };
  const take = (part: StreamPart) => {
    if (part.type === 'error') error ??= part.error;
    else if (part.type === 'start') start = { id: part.id, model: part.model };
    else if (part.type === 'usage') usage = mergeUsage(usage, part.usage);
    else choiceOf(part.choice ?? 0).push(part);
  };
  return {
    push: (parts) => parts.forEach(take),
    reply: () => {
      if (error !== undefined) throw new ReplyFailure(error);
      const ordered = [...choices].sort(([a], [b]) => a - b);
      return { ...start, choices: ordered.map(([index, choice]) => choice.reply(index)), usage };
    },
  };
}

function textDelta({ text, signature, phase }: TextPart, choice: number): StreamPart {
  return {
    type: 'text-delta',
    text,
    ...(phase === undefined ? {} : { phase }),
    ...(signature === undefined ? {} : { signature }),
    choice,
  };
}

function partsOf(part: AssistantPart, choice: number, nextCall: () => number): StreamPart[] {
  switch (part.type) {
    case 'text':
      return [textDelta(part, choice)];
    case 'refusal':
      return [{ type: 'refusal-delta', text: part.text, choice }];
    case 'reasoning':
      return partsOfReasoning(part, choice);
    case 'tool-call': {
      const { id, name, signature } = part;
      return [
        {
          type: 'tool-call-delta',
          index: nextCall(),
          id,
          name,
          arguments: part.arguments,
          signature,
          choice,
        },
      ];
    }
    case 'image':
      if (part.data === undefined) return [];
      return [{ type: 'image', mediaType: part.mediaType ?? 'image/png', data: part.data, choice }];
    case 'audio':
      return [{ ...part, choice }];
  }
}

function partsOfReasoning(
  { text, signature, redacted, origin, id }: ReasoningPart,
  choice: number,
): StreamPart[] {
  const parts: StreamPart[] = [];
  if (text !== '') parts.push({ type: 'reasoning-delta', text, id, choice });
  if (origin === undefined) return parts;
  if (signature !== undefined)
    parts.push({ type: 'reasoning-signature', signature, origin, id, choice });
  if (redacted !== undefined)
    parts.push({ type: 'reasoning-redacted', data: redacted, origin, id, choice });
  return parts;
}

function partsOfChoice(choice: ChatChoice): StreamPart[] {
  const { index, content, finish, rawFinish, stopSequence, logprobs } = choice;
  let calls = 0;
  const sources = sourcesByText(choice);
  const parts = content.flatMap((part) => [
    ...partsOf(part, index, () => calls++),
    ...(sources.get(part) ?? []).map(
      (annotation): StreamPart => ({ type: 'annotation', annotation, choice: index }),
    ),
  ]);
  const text = parts.findIndex((part) => part.type === 'text-delta');
  if (logprobs !== undefined && text !== -1)
    parts[text] = { ...parts[text], logprobs } as StreamPart;
  return [
    ...parts,
    { type: 'finish', reason: finish, raw: rawFinish, stopSequence, choice: index },
  ];
}

/** A stream equivalent to the reply, in as few parts as possible. */
export function streamOfReply({ id, model, choices, usage }: ChatReply): readonly StreamPart[] {
  const parts: StreamPart[] = [{ type: 'start', id, model }, ...choices.flatMap(partsOfChoice)];
  return usage === undefined ? parts : [...parts, { type: 'usage', usage }];
}
