/** A provider's reply to a chat: a whole one decoded, or what the parts of a stream add up to. */

import type { AssistantPart, ChatRequest } from '../../canonical/chat.ts';
import type { ChatReply, StreamPart } from '../../canonical/chat-reply.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { mergeUsage } from '../../canonical/kit/usage.ts';
import type { Call, OperationAdapter } from '../../canonical/provider.ts';
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { CollectedReply } from '../../upstream/exchange.ts';
import { type Attempt, type AttemptResult, gatewayFailed, upstreamFailed } from '../attempt.ts';
import type { ConversationFormat } from '../formats/shared/caller-format.ts';
import type { ReplyContext } from '../formats/shared/chat-translation.ts';
import type { RelayJob } from '../job.ts';
import { checkValues } from './reply-limits.ts';
import { readProviderFailure } from './upstream-reply.ts';

/** A request that is translated, and between what. */
export interface Translation {
  readonly adapter: OperationAdapter<'chat'>;
  readonly format: ConversationFormat;
  readonly request: ChatRequest;
  readonly call: Call;
}

/** What a reply in the caller's format depends on, besides the provider's answer. */
export function replyContextOf(job: RelayJob, request: ChatRequest): ReplyContext {
  return {
    id: job.deps.ids.alphanumeric(24),
    model: job.model,
    created: Math.floor(job.startedAt / 1000),
    includeUsage: job.includeUsage,
    keepsContent: job.policy.responseDays > 0,
    estimatedPromptTokens: job.promptTokens,
    previousId: job.previousId,
    request,
  };
}

export type DecodedReply =
  | { readonly failed: AttemptResult }
  | { readonly failed?: undefined; readonly reply: ChatReply };

/** An error thrown while a reply was read, as a failed attempt. */
export function replyFailed(attempt: Attempt, error: unknown): AttemptResult {
  if (error instanceof ReplyFailure) return upstreamFailed(attempt, error.error);
  return gatewayFailed(
    error instanceof AppError ? error : new AppError('bad_response_body', {}, { cause: error }),
  );
}

/** The result of `decode`, or the failed attempt that its error means. */
export function decodedOrFailed(attempt: Attempt, decode: () => ChatReply): DecodedReply {
  try {
    const reply = decode();
    if (reply.choices.length === 0) throw new AppError('bad_response_body');
    return { reply };
  } catch (error) {
    return { failed: replyFailed(attempt, error) };
  }
}

export function decodeChatReply(
  attempt: Attempt,
  { status, headers, bytes }: CollectedReply,
  { adapter, call, request }: Translation,
): DecodedReply {
  if (status < 200 || status > 299) {
    const error = readProviderFailure(attempt.channel.provider, { status, headers, bytes });
    return { failed: upstreamFailed(attempt, error) };
  }
  return decodedOrFailed(attempt, () => {
    checkValues(bytes, 'chat');
    return adapter.decode(parseJson(bytes.toString('utf8').trim()), call, request);
  });
}

function textOfPart(part: AssistantPart): string {
  if (part.type === 'tool-call') return part.name + part.arguments;
  return part.type === 'text' || part.type === 'reasoning' || part.type === 'refusal'
    ? part.text
    : '';
}

/** The text of a reply, counted where it reported no usage. */
export function generatedTextOfChat({ choices }: ChatReply): GeneratedText {
  const text = choices.flatMap(({ content }) => content.map(textOfPart)).join('');
  const calls = choices.map(({ content }) =>
    content.flatMap((part) => (part.type === 'tool-call' ? [part.name] : [])),
  );
  const toolCalls = Math.max(0, ...calls.map(({ length }) => length));
  return { text, toolCalls, called: calls.flat() };
}

/**
 * Whether a part is of the answer itself. A greeting, usage, empty texts and the name of a call only
 * promise one (docs/rules/streams.md#reply-begins).
 */
export function beginsReply(part: StreamPart): boolean {
  switch (part.type) {
    case 'start':
    case 'usage':
      return false;
    case 'text-delta':
      return part.text !== '' || part.signature !== undefined;
    case 'reasoning-delta':
    case 'refusal-delta':
      return part.text !== '';
    case 'tool-call-delta':
      return part.arguments !== '' || part.signature !== undefined;
    default:
      return true;
  }
}

/** Characters of a stream's text kept to be counted where no usage comes. */
const keepLimit = 1024 * 1024;

/** What the parts of a stream add up to. */
export class PartTally {
  usage: Usage | undefined;
  /** The finish reason has come. */
  finished = false;
  #text = '';
  #toolCalls = 0;
  readonly #called: string[] = [];
  #showsThinking = false;

  note(part: StreamPart): void {
    if (part.type === 'usage') this.usage = mergeUsage(this.usage, part.usage);
    else if (part.type === 'finish') this.finished = true;
    else if (part.type === 'tool-call-delta')
      this.#toolCalls = Math.max(this.#toolCalls, part.index + 1);
    else if (part.type === 'reasoning-delta') this.#showsThinking = true;
    if (this.#text.length > keepLimit) return;
    if (
      part.type === 'text-delta' ||
      part.type === 'reasoning-delta' ||
      part.type === 'refusal-delta'
    )
      this.#text += part.text;
    else if (part.type === 'audio') this.#text += part.transcript ?? '';
    else if (part.type === 'tool-call-delta') this.#noteCall(part);
  }

  #noteCall({
    name = '',
    arguments: text,
  }: Extract<StreamPart, { type: 'tool-call-delta' }>): void {
    if (name !== '') this.#called.push(name);
    this.#text += name + text;
  }

  get generated(): GeneratedText {
    return {
      text: this.#text,
      toolCalls: this.#toolCalls,
      called: this.#called,
      showsThinking: this.#showsThinking,
    };
  }
}

/**
 * Writes a reply before it is charged, because one that cannot be written costs nothing. The
 * function returns it with the charged usage: written again only where that was counted here.
 */
export function writeReply(
  format: ConversationFormat,
  reply: ChatReply,
  context: ReplyContext,
):
  | { readonly failed: Error }
  | { readonly failed?: undefined; readonly withUsage: (usage: Usage | undefined) => unknown } {
  const write = (usage: Usage | undefined) => format.writeReply({ ...reply, usage }, context);
  try {
    const written = write(reply.usage);
    return {
      withUsage: (usage) => (usage === undefined || usage === reply.usage ? written : write(usage)),
    };
  } catch (error) {
    return { failed: error as Error };
  }
}
