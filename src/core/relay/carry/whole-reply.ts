/** A forwarded reply in one piece: what it says, before it goes on as it came. */

import type { Usage } from '../../canonical/chat.ts';
import { failureInside, failureMessage } from '../../canonical/kit/failure.ts';
import { recordOf, textOf } from '../../canonical/kit/read-json.ts';
import type { PassThrough } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { type JsonObject, parseObject } from '../../kernel/json.ts';
import { type CollectedReply, headerText } from '../../upstream/exchange.ts';
import { type Body, readBody } from '../body/body-fields.ts';
import type { ClientReply } from '../context.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';
import { type Attempt, type AttemptResult, gatewayFailed, readProviderFailure, upstreamFailed } from '../job.ts';
import { corsHeaders, idHeaders } from '../reply.ts';

/** What goes on and what it used, or the failed attempt that it is: by its status, or by what it says although that was 200. */
export type WholeReply =
  | { readonly failed: AttemptResult }
  | {
      readonly failed?: undefined;
      readonly usage: Usage | undefined;
      readonly images?: number;
      readonly reply: CollectedReply;
    };

type Rewrite = PassThrough<unknown>['rewrite'];

/** An error, or words where the answer should be. */
function isFailure(body: Body, format: ForwardFormat): boolean {
  const error = body.get('error');
  if (recordOf(error) !== undefined || textOf(error) !== undefined) return true;
  const answer = format.answerField;
  return answer !== undefined && !body.has(answer) && failureMessage(body.parse()) !== undefined;
}

/** Never throws: what is malformed inside, wherever it is looked at, is no answer. */
export function readWholeReply(attempt: Attempt, format: ForwardFormat, given: CollectedReply, rewrite?: Rewrite): WholeReply {
  try {
    return readReply(attempt, format, given, rewrite);
  } catch (error) {
    return { failed: gatewayFailed(new AppError('bad_response_body', {}, { cause: error })) };
  }
}

function readReply(attempt: Attempt, format: ForwardFormat, given: CollectedReply, rewrite: Rewrite): WholeReply {
  const { provider } = attempt.channel;
  const reply = rewrite?.reply === undefined ? given : rewritten(given, rewrite.reply);
  const { status, bytes } = reply;
  if (status < 200 || status > 299) return { failed: upstreamFailed(attempt, readProviderFailure(provider, reply)) };
  const blank = bytes.length > 0 && (bytes[0] as number) <= 0x20;
  const fields = readBody(blank ? Buffer.from(bytes.toString('utf8').trim()) : bytes);
  if (fields === null) {
    if (bytes.length === 0) return { failed: gatewayFailed(new AppError('empty_response')) };
    // A transcript as plain text or as subtitles goes on; a page that some proxy put in its place does not.
    const isPage = /^text\/html\b/i.test(headerText(reply.headers, 'content-type'));
    return format.plain === undefined || isPage
      ? { failed: gatewayFailed(new AppError('bad_response_body')) }
      : { usage: undefined, reply };
  }
  if (isFailure(fields, format)) {
    return {
      failed: upstreamFailed(
        attempt,
        failureInside(fields.parse(), (failure) => provider.readFailure(failure)),
      ),
    };
  }
  const usage = format.replyUsage(fields.get(format.usageField), fields);
  const images = format.images?.(fields);
  // It will be counted, so it must be whole.
  if (usage === undefined && images === undefined) fields.parse();
  return { usage, images, reply };
}

/** The reply as its provider puts it right; as it came where it is no JSON object. */
function rewritten(reply: CollectedReply, rewrite: (body: JsonObject) => JsonObject): CollectedReply {
  if (reply.status < 200 || reply.status > 299) return reply;
  const body = parseObject(reply.bytes.toString('utf8').trim());
  return body === undefined ? reply : { ...reply, bytes: Buffer.from(JSON.stringify(rewrite(body as JsonObject))) };
}

export function sendWholeReply(response: ClientReply, reply: CollectedReply, requestId: string): void {
  response.writeHead(reply.status, {
    ...corsHeaders,
    ...idHeaders(requestId),
    'content-type': headerText(reply.headers, 'content-type') || 'application/json',
    'content-length': reply.bytes.length,
  });
  response.end(reply.bytes);
}
