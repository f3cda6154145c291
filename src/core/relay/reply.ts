/** Writing to the client: headers every reply carries, JSON, errors. */
import type { ApiFamily } from '../vocabulary/wire-formats.ts';
import type { ClientReply } from './context.ts';
import type { FinalError } from './failure.ts';
import type { WrittenReply } from './formats/shared/call-format.ts';
import { errorBody } from './formats/shared/error-body.ts';

/** Our request id under the names that the family and the official SDKs look for. */
export function idHeaders(requestId: string): Record<string, string> {
  return { 'x-oneapi-request-id': requestId, 'x-request-id': requestId, 'request-id': requestId };
}

/** Token routes may be called from any page (spec, relay 19): no credentials are involved. */
export const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' } as const;

export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  connection: 'keep-alive',
  'x-accel-buffering': 'no',
} as const;

/** A reply that is written whole. */
export function sendWritten(response: ClientReply, { contentType, body }: WrittenReply, requestId: string): void {
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

export function sendJson(response: ClientReply, status: number, body: unknown, headers: Record<string, string>): void {
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
export function sendError(response: ClientReply, apiFamily: ApiFamily, error: FinalError, requestId: string): void {
  const headers: Record<string, string> = idHeaders(requestId);
  if (error.status === 429 || error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter ?? 1);
  if (error.final) headers['x-should-retry'] = 'false';
  sendJson(response, error.status, errorBody(apiFamily, error), headers);
}
