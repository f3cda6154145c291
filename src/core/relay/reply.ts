/** Replies to the client: the headers that every reply has, JSON, errors. */
import type { ClientReply } from './client/client.ts';
import type { FinalError } from './failure.ts';
import type { ApiFamily } from './formats/families/api-family.ts';
import type { WrittenReply } from './formats/shared/call-reply.ts';

/** Our request id under the names that One API's clients and the official SDKs look for. */
export function idHeaders(requestId: string): Record<string, string> {
  return { 'x-oneapi-request-id': requestId, 'x-request-id': requestId, 'request-id': requestId };
}

/** Token routes may be called from any page: browsers send no credentials of their own there. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
} as const;

const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

/** The headers of a streamed reply. */
export function streamHeaders(
  requestId: string,
  contentType: string = eventStreamHeaders['content-type'],
): Record<string, string> {
  return {
    ...corsHeaders,
    ...idHeaders(requestId),
    ...eventStreamHeaders,
    'content-type': contentType,
  };
}

/** A reply that is written whole. */
export function sendWritten(
  response: ClientReply,
  { contentType, body }: WrittenReply,
  requestId: string,
): void {
  if (response.headersSent || response.destroyed) return;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.writeHead(200, {
    ...corsHeaders,
    ...idHeaders(requestId),
    ...(contentType === 'text/event-stream' ? eventStreamHeaders : { 'content-type': contentType }),
    'content-length': length,
  });
  response.end(body);
}

export function sendJson(
  response: ClientReply,
  status: number,
  body: unknown,
  headers: Record<string, string>,
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...corsHeaders,
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The error in the caller's format. Does nothing once the reply has begun. */
export function sendError(
  response: ClientReply,
  family: ApiFamily,
  error: FinalError,
  requestId: string,
): void {
  const headers: Record<string, string> = idHeaders(requestId);
  // What is refused for good names no time, unless there is one.
  if ((error.status === 429 && !error.final) || error.retryAfter !== undefined)
    headers['retry-after'] = String(error.retryAfter ?? 1);
  if (error.final) headers['x-should-retry'] = 'false';
  sendJson(response, error.status, family.errorBody(error), headers);
}
