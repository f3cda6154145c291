/** Stored and forwarded files as replies (docs/rules/files.md#serving). */
import { pipeline } from 'node:stream/promises';
import type { ContentReply, ContentRequest } from '../files/content-reply.ts';
import { headerText } from '../upstream/exchange.ts';
import type { RelayContext } from './context.ts';
import { corsHeaders, idHeaders } from './reply.ts';

/** The part of a file that a request asks for. */
export function contentRequest({
  request: { method = 'GET', headers },
}: RelayContext): ContentRequest {
  const given = (name: string): string | undefined => headerText(headers, name) || undefined;
  return {
    method,
    range: given('range'),
    ifRange: given('if-range'),
    ifNoneMatch: given('if-none-match'),
  };
}

export async function sendContent(
  { response, requestId }: RelayContext,
  { status, headers, body }: ContentReply,
): Promise<void> {
  response.writeHead(status, { ...corsHeaders, ...idHeaders(requestId), ...headers });
  if (body === undefined) return void response.end();
  try {
    await pipeline(body, response);
  } catch {
    // The client left, or the upstream broke off: the connection is closed, and nothing more can be
    // said.
    response.destroy();
  }
}
