/**
 * A caller's format: all that the relay knows about one way of asking and answering. One folder
 * each, one line in `formats/index.ts`; nothing outside compares names of formats.
 */
import type { Operations } from '../../../canonical/calls.ts';
import type { ReasoningPart } from '../../../canonical/chat.ts';
import type { Usage } from '../../../canonical/usage.ts';
import type { ErrorCode } from '../../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import type { Countable } from '../../../metering/countable.ts';
import type { MessageOverheads } from '../../../metering/countable-chat.ts';
import type { Operation } from '../../../vocabulary/operations.ts';
import type { WireFormat } from '../../../vocabulary/wire-formats.ts';
import type { BodyEdits, FieldReader, RequestBody } from '../../body/request-body.ts';
import type { FileFetcher } from '../../files/file-fetcher.ts';
import type { ApiFamily } from '../families/api-family.ts';
import type { CallOperation, CallReplyContext, WrittenReply } from './call-reply.ts';
import type { ChatTranslation } from './chat-translation.ts';
import type { ConversationState } from './conversation-state.ts';
import type { ForwardFormat } from './forward-format.ts';
import type { CallMeasure } from './measure.ts';

/** Where callers post. */
export interface FormatRoutes {
  /** Paths without trailing slash. */
  readonly paths?: readonly string[];
  /** Paths that name the model: its first group. */
  readonly pattern?: RegExp;
}

/** What is read from the address instead of the body. */
export interface CallAddress {
  /** The name in the caller's request, or the format's default. */
  readonly model: string;
  /** Path without query. */
  readonly path: string;
}

/** The format's own call that counts the tokens of a request. */
export interface TokenCountCall {
  readonly routes: FormatRoutes;
  /** The provider's operation of the same call. Absent: tokens are counted here. */
  readonly operation?: 'countTokens' | 'countGeminiTokens';
  /** The request that is to be counted. Absent: the body itself. */
  requestIn?(body: RequestBody): RequestBody;
  writeReply(tokens: number): JsonObject;
}

/** Thinking signatures that an upstream may refuse, because another account or vendor made them. */
export interface SignatureRules {
  /** Matches the error of an upstream that refuses them. */
  readonly refusal: RegExp;
  /**
   * The edits that take them out of a body; empty where it has none. `messages`: of so many only,
   * from the first, where the format says that it can.
   */
  without(body: RequestBody, messages?: number): BodyEdits;
  /**
   * An account is known to refuse those of all others: where the conversation came from another
   * one, they are taken out before the request is sent. Absent: they are sent, and taken out once refused.
   */
  readonly areAccounts?: boolean;
}

interface FormatBase {
  readonly name: WireFormat;
  readonly family: ApiFamily;
  readonly operation: Operation;
  readonly routes: FormatRoutes;
  /** The model of a request that names none. Absent: the model is required. */
  readonly defaultModel?: string;
  /** Whether `multipart/form-data` is taken; absent: JSON only. */
  readonly form?: 'allowed' | 'required';
  /** Code of errors about its body. */
  readonly invalidRequest: ErrorCode;
  /**
   * Refuses what no upstream could answer, without a deep look. Throws AppError with the format's
   * own code, {detail}.
   */
  check(body: RequestBody, address: CallAddress): void;
  /** Whether the caller wants events. `path`: without query. */
  streams(body: RequestBody, path: string): boolean;
  /** The limits of output tokens that a request names, by field, unchecked. */
  outputLimits(body: RequestBody): Readonly<Record<string, unknown>>;
  /**
   * The numbers of answers that a request names, by field, unchecked: the model may write their
   * product.
   */
  answerCounts(body: RequestBody): Readonly<Record<string, unknown>>;
  /** Prompts that are answered one by one. Absent: one. */
  promptCount?(body: RequestBody): number;
  /**
   * Fields that hold text of people: for the check of sensitive words, and for counting what cannot
   * be read.
   */
  readonly promptFields: readonly string[];
  /**
   * What is counted of a request that is no conversation. Undefined: its texts. Absent: the
   * canonical conversation, or the texts.
   */
  countableInput?(body: RequestBody): Countable | undefined;
  /** How its bytes are passed through. Absent: never. */
  readonly forward?: ForwardFormat;
  /**
   * What the call is held and charged by, where that is not the text of its body. Absent: as a
   * conversation.
   */
  measure?(body: RequestBody, model: string): CallMeasure | Promise<CallMeasure>;
  /**
   * Edits that put a system prompt first. `always`: also where the caller has one. Absent: there is
   * no place for it.
   */
  systemPromptEdits?(field: FieldReader, prompt: string, always: boolean): BodyEdits;
  readonly signatures?: SignatureRules;
  /**
   * Edits that give back the thinking of the assistant's turns, one list for each of them in order;
   * an empty one changes nothing. Absent: no vendor that is forwarded to asks for it.
   */
  thinkingEdits?(body: RequestBody, turns: readonly (readonly ReasoningPart[])[]): BodyEdits;
  /**
   * Edits that put a short note in place of images that earlier answers carry as text, and of those
   * beside the text unless the vendor takes them back (`takesImages`). Absent: its answers have none.
   */
  imageEdits?(field: FieldReader, takesImages: boolean): BodyEdits;
  /**
   * Edits for a conversation that a vendor found too long: without the oldest turns, where the
   * caller asks for that. Undefined: it is refused. Absent: always.
   */
  withoutOldest?(body: RequestBody): BodyEdits | undefined;
  /** Earlier responses that its requests may refer to. Absent: every request stands for itself. */
  readonly state?: ConversationState;
  /** Whether the body asks for a response that is worked on without its client. */
  isBackground?(body: RequestBody): boolean;
  /**
   * A forwarded reply in one piece, written as the stream that was requested; the function is given
   * the charged usage.
   */
  wholeAsStream?(reply: unknown, includeUsage: boolean): (usage: Usage | undefined) => WrittenReply;
  readonly tokenCount?: TokenCountCall;
  /** Log rows show the prompt without cache reads and writes, as this API's own usage does. */
  readonly logsPromptWithoutCache?: boolean;
}

/** A conversation, translated to every provider that chats. */
export interface ConversationFormat extends FormatBase, ChatTranslation {
  readonly kind: 'conversation';
  /** Tokens that a message, a tool or an image counts besides its text. */
  readonly overheads: MessageOverheads;
  /**
   * Callers read thinking in the text where the channel wants it so
   * (`setting.thinking_to_content`).
   */
  readonly readsThinkingInText?: boolean;
  /**
   * The format that a stream at this address is written in, where that differs. `url`: with query.
   */
  streamVariant?(url: string): ConversationFormat;
}

/** One request, one reply; translated to providers of the same operation. */
export interface CallFormat<O extends CallOperation> extends FormatBase {
  readonly kind: 'call';
  readonly operation: O;
  /**
   * The canonical form of a checked body. Throws AppError as `check` does, and for files that
   * cannot be fetched.
   */
  readRequest(
    body: RequestBody,
    address: CallAddress,
    files: () => FileFetcher,
  ): Operations[O]['request'] | Promise<Operations[O]['request']>;
  /** Images in a reply. */
  images?(reply: Operations[O]['reply']): number;
  writeReply(
    reply: Operations[O]['reply'],
    request: Operations[O]['request'],
    context: CallReplyContext,
  ): WrittenReply | Promise<WrittenReply>;
}

export type AnyCallFormat = { [O in CallOperation]: CallFormat<O> }[CallOperation];

/** Served only by providers that speak it: never translated. */
export interface PassThroughFormat extends FormatBase {
  readonly kind: 'pass-through';
}

/** A connection of many turns. */
export interface SessionFormat extends FormatBase {
  readonly kind: 'session';
}

export type CallerFormat = ConversationFormat | AnyCallFormat | PassThroughFormat | SessionFormat;

/**
 * {@link FormatBase.outputLimits} and {@link FormatBase.answerCounts} of formats with these fields
 * at the top.
 */
export const topLevelLimits: Pick<FormatBase, 'outputLimits' | 'answerCounts'> = {
  outputLimits: (body) =>
    Object.fromEntries(
      ['max_tokens', 'max_completion_tokens', 'max_output_tokens'].map((name) => [
        name,
        body.get(name),
      ]),
    ),
  answerCounts: (body) => ({ n: body.get('n'), best_of: body.get('best_of') }),
};

/** `stream` of a JSON body, or of a form, where every value is text. */
export function wantsStream(body: RequestBody): boolean {
  const stream: JsonValue | undefined = body.get('stream');
  return stream === true || stream === 'true';
}
