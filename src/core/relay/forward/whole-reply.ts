/** A forwarded reply in one piece: what it says, before it goes on as it came. */
import type { ServerResponse } from 'node:http';
import { AppError } from '../../kernel/errors.ts';
import type { Usage } from '../../providers/canonical.ts';
import { errorFromBody } from '../../providers/kit/failure.ts';
import { recordOf } from '../../providers/kit/read-json.ts';
import { type CollectedReply, headerText } from '../../upstream/send.ts';
import { readBody } from '../body-fields.ts';
import { type Attempt, type AttemptResult, gatewayFailed, readProviderFailure, upstreamFailed } from '../job.ts';
import { corsHeaders, idHeaders } from '../reply.ts';
import type { ForwardFormat } from './forward-format.ts';

/** What it used, or the failed attempt that it is: by its status, or by what it says although the status was 200. */
export type WholeReply = { readonly failed: AttemptResult } | { readonly failed?: undefined; readonly usage: Usage | undefined };

export function readWholeReply(attempt: Attempt, format: ForwardFormat, reply: CollectedReply): WholeReply {
  const { status, bytes } = reply;
  if (status < 200 || status > 299)
    return { failed: upstreamFailed(attempt, readProviderFailure(attempt.channel.provider, reply)) };
  const blank = bytes.length > 0 && (bytes[0] as number) <= 0x20;
  const fields = readBody(blank ? Buffer.from(bytes.toString('utf8').trim()) : bytes);
  if (fields === null) {
    if (bytes.length === 0) return { failed: gatewayFailed(new AppError('empty_response')) };
    // A transcript as plain text or as subtitles.
    return format.plain === undefined ? { failed: gatewayFailed(new AppError('bad_response_body')) } : { usage: undefined };
  }
  const error = recordOf(fields.get('error'));
  if (error !== undefined) return { failed: upstreamFailed(attempt, errorFromBody({ error })) };
  return { usage: format.replyUsage(fields.get(format.usageField)) };
}

export function sendWholeReply(response: ServerResponse, reply: CollectedReply, requestId: string): void {
  response.writeHead(reply.status, {
    ...corsHeaders,
    ...idHeaders(requestId),
    'content-type': headerText(reply.headers, 'content-type') || 'application/json',
    'content-length': reply.bytes.length,
  });
  response.end(reply.bytes);
}

/** Every text in a reply, for counting where it told no usage. */
export function replyText(bytes: Buffer): string {
  const texts: string[] = [];
  JSON.parse(bytes.toString('utf8'), (key, value) => {
    if (typeof value === 'string' && replyTextKeys.has(key)) texts.push(value);
    return value as unknown;
  });
  return texts.join('');
}
const replyTextKeys = new Set(['content', 'reasoning_content', 'text', 'thinking', 'arguments', 'name', 'refusal']);
