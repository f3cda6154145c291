/** A forwarded reply in one piece: what it reports, before it is sent on unchanged. */

import { failureInside, failureMessage } from '../../canonical/kit/failure.ts';
import { listOf, recordOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import type { PassThrough } from '../../canonical/pass-through.ts';
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, parseObject } from '../../kernel/json.ts';
import { type GeneratedText, noGeneratedText } from '../../metering/countable.ts';
import { type CollectedReply, headerText } from '../../upstream/exchange.ts';
import type { Operation } from '../../vocabulary/operations.ts';
import { type Attempt, type AttemptResult, gatewayFailed, upstreamFailed } from '../attempt.ts';
import { type Body, readBody } from '../body/body-fields.ts';
import type { ClientReply } from '../client/client.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';
import { corsHeaders, idHeaders } from '../reply.ts';
import { noteModel } from './reply-facts.ts';
import { checkValues } from './reply-limits.ts';
import { readProviderFailure } from './upstream-reply.ts';

/**
 * The reply with its usage, or the failed attempt that it is: by its status, or by an error inside
 * although that was 200.
 */
export type WholeReply =
  | { readonly failed: AttemptResult }
  | {
      readonly failed?: undefined;
      readonly usage: Usage | undefined;
      readonly images?: number;
      readonly reply: CollectedReply;
      /** Its text, counted where it reported no usage. */
      readonly generated: () => GeneratedText;
    };

type Rewrite = PassThrough<unknown>['rewrite'];

/** An error, or a message where the answer should be. */
function isFailure(body: Body, format: ForwardFormat): boolean {
  const error = body.get('error');
  if (recordOf(error) !== undefined || textOf(error) !== undefined) return true;
  const answer = format.answerField;
  return answer !== undefined && !body.has(answer) && failureMessage(body.parse()) !== undefined;
}

/** Replies up to this many bytes are checked inside as well. */
const checkLimit = 256 * 1024;

/**
 * Whether it can be read as an answer of the format. Throws SyntaxError where it is malformed
 * inside.
 */
function isAnswer(
  body: Body,
  { answerField, answerKind = 'array', refusalField }: ForwardFormat,
): boolean {
  if (answerField === undefined) return true;
  if (body.kind(answerField) !== answerKind)
    return refusalField !== undefined && body.kind(refusalField) === 'object';
  if (body.bytes.length > checkLimit) return true;
  const answer = body.get(answerField);
  return answerKind === 'object' ? isObject(answer) : listOf(answer).every(isObject);
}

/** An answer of no items, where the format has none such. */
function isEmpty(body: Body, { answerField, needsItems, refusalField }: ForwardFormat): boolean {
  if (needsItems !== true || answerField === undefined || body.bytes.length > checkLimit)
    return false;
  if (refusalField !== undefined && body.kind(refusalField) === 'object') return false;
  return listOf(body.get(answerField)).length === 0;
}

/** How a reply is read. */
export interface ReadAs {
  readonly format: ForwardFormat;
  readonly operation: Operation;
  readonly rewrite?: Rewrite;
}

function asUnreadable(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('bad_response_body', {}, { cause: error });
}

/** Never throws: a reply that is malformed inside is a failed attempt. */
export function readWholeReply(
  attempt: Attempt,
  { format, operation, rewrite }: ReadAs,
  given: CollectedReply,
): WholeReply {
  try {
    checkValues(given.bytes, operation);
    return readReply(attempt, format, given, rewrite);
  } catch (error) {
    return { failed: gatewayFailed(asUnreadable(error)) };
  }
}

function readReply(
  attempt: Attempt,
  format: ForwardFormat,
  given: CollectedReply,
  rewrite: Rewrite,
): WholeReply {
  const { provider } = attempt.channel;
  const reply = rewrite?.reply === undefined ? given : rewritten(given, rewrite.reply);
  const { status, bytes } = reply;
  if (status < 200 || status > 299)
    return { failed: upstreamFailed(attempt, readProviderFailure(provider, reply)) };
  const blank = bytes.length > 0 && (bytes[0] as number) <= 0x20;
  const fields = readBody(blank ? Buffer.from(bytes.toString('utf8').trim()) : bytes);
  if (fields === null) {
    if (bytes.length === 0) return { failed: gatewayFailed(new AppError('empty_response')) };
    // A transcript as plain text or as subtitles is sent on; an HTML page of some proxy is not.
    const isPage = /^text\/html\b/i.test(headerText(reply.headers, 'content-type'));
    return format.plain === undefined || isPage
      ? { failed: gatewayFailed(new AppError('bad_response_body')) }
      : {
          usage: undefined,
          reply,
          generated: () => ({ text: bytes.toString('utf8'), toolCalls: 0 }),
        };
  }
  if (isFailure(fields, format)) {
    return {
      failed: upstreamFailed(
        attempt,
        failureInside(fields.parse(), (failure) => provider.readFailure(failure)),
      ),
    };
  }
  if (!isAnswer(fields, format))
    return { failed: gatewayFailed(new AppError('bad_response_body')) };
  if (isEmpty(fields, format)) return { failed: gatewayFailed(new AppError('empty_response')) };
  if (attempt.reply !== undefined) {
    noteModel(attempt.reply, textOf(fields.get('model')) ?? textOf(fields.get('modelVersion')));
  }
  const usage = format.replyUsage(fields.get(format.usageField), fields);
  const images = format.images?.(fields);
  // It will be counted, so it must be readable throughout.
  const counted =
    usage === undefined && images === undefined ? textOfAnswer(fields.parse(), format) : undefined;
  return { usage, images, reply, generated: () => counted ?? generatedTextOfReply(bytes, format) };
}

/** The reply as its provider completes it; unchanged where it is no JSON object. */
function rewritten(
  reply: CollectedReply,
  rewrite: (body: JsonObject) => JsonObject,
): CollectedReply {
  if (reply.status < 200 || reply.status > 299) return reply;
  const body = parseObject(reply.bytes.toString('utf8').trim());
  return body === undefined
    ? reply
    : { ...reply, bytes: Buffer.from(JSON.stringify(rewrite(body as JsonObject))) };
}

export function sendWholeReply(
  response: ClientReply,
  reply: CollectedReply,
  requestId: string,
): void {
  response.writeHead(reply.status, {
    ...corsHeaders,
    ...idHeaders(requestId),
    'content-type': headerText(reply.headers, 'content-type') || 'application/json',
    'content-length': reply.bytes.length,
  });
  response.end(reply.bytes);
}

const textKeys: ReadonlySet<string> = new Set([
  'content',
  'reasoning_content',
  'reasoning',
  'text',
  'thinking',
  'arguments',
  'name',
  'refusal',
]);
/** Arguments of tool calls: objects at Anthropic and Gemini, text at custom tools of Responses. */
const argumentKeys: ReadonlySet<string> = new Set(['input', 'args', 'action', 'operation']);
const callTypes: ReadonlySet<unknown> = new Set([
  'tool_use',
  'function_call',
  'custom_tool_call',
  'shell_call',
  'local_shell_call',
  'apply_patch_call',
  'tool_search_call',
]);

class TextCollector {
  readonly texts: string[] = [];
  readonly called: string[] = [];
  toolCalls = 0;

  collect(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.collect(item);
    if (!isObject(value)) return;
    if (callTypes.has(value['type'])) this.toolCalls += 1;
    for (const [key, item] of Object.entries(value)) {
      if (key === 'functionCall') this.toolCalls += 1;
      if (key === 'tool_calls' && Array.isArray(item)) this.#addCalls(item);
      if (argumentKeys.has(key))
        this.texts.push(typeof item === 'string' ? item : JSON.stringify(item));
      else if (typeof item !== 'string') this.collect(item);
      else if (textKeys.has(key)) this.texts.push(item);
    }
  }

  #addCalls(calls: readonly unknown[]): void {
    this.toolCalls += calls.length;
    for (const call of recordsOf(calls))
      this.called.push(textOf(recordOf(call['function'])?.['name']) ?? '');
  }
}

/**
 * Only the answer's member is read where the format names one: replies of Responses repeat the
 * request. Throws RangeError where it is nested too deep.
 */
function textOfAnswer(
  reply: Record<string, unknown>,
  { answerField }: ForwardFormat,
): GeneratedText {
  const collector = new TextCollector();
  collector.collect(answerField === undefined ? reply : reply[answerField]);
  const { texts, toolCalls, called } = collector;
  return { text: texts.join(''), toolCalls, called };
}

/** The text of a reply that reported usage. What cannot be read is no text. */
function generatedTextOfReply(bytes: Buffer, format: ForwardFormat): GeneratedText {
  try {
    return textOfAnswer(parseObject(bytes.toString('utf8')) ?? {}, format);
  } catch {
    return noGeneratedText;
  }
}
