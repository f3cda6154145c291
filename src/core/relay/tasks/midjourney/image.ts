/**
 * Drawn images through the gateway, for holders of an address that it gave away
 * (docs/rules/midjourney.md#images).
 */

import { once } from 'node:events';
import { type Download, type FileSource, openFile } from '../../../files/results/download.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Midjourney } from '../../../storage/storage.ts';
import { headerText, type ResponseHeaders, replyTooLarge } from '../../../upstream/exchange.ts';
import { addressOf, checkUrl } from '../../../upstream/guard.ts';
import type { ClientReply } from '../../client/client.ts';
import type { RelayContext } from '../../context.ts';
import { corsHeaders, idHeaders, sendJson } from '../../reply.ts';
import type { OpenCallDeps } from '../../task-call.ts';

/** Bytes; of an error only the beginning is sent on. */
const largestMedia = 50 * 1024 * 1024;
const largestError = 4096;

/**
 * Sends a file to the caller as it comes, with the upstream's status where it is an error. What
 * `headersFor` throws refuses the file. Throws also amid the reply.
 */
async function sendMedia(
  { status, headers, body }: Download,
  response: ClientReply,
  headersFor: (status: number, headers: ResponseHeaders) => Record<string, string>,
): Promise<void> {
  let left = status === 200 ? largestMedia : largestError;
  try {
    if (status === 200 && Number(headerText(headers, 'content-length') || 0) > left)
      throw replyTooLarge(left);
    response.writeHead(status === 200 ? 200 : errorStatus(status), headersFor(status, headers));
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (chunk.length > left && status === 200) throw replyTooLarge(largestMedia);
      const sent = chunk.subarray(0, left);
      left -= sent.length;
      if (!response.write(sent)) await drained(response, body);
      if (left === 0 && status !== 200) break;
    }
    response.end();
  } finally {
    body.destroy();
  }
}

/** Resolves when more may be written, or when nothing more comes. */
async function drained(response: ClientReply, body: Download['body']): Promise<void> {
  // The listener that was not called goes, too: there is one pair for each chunk.
  const over = new AbortController();
  const { signal } = over;
  try {
    await Promise.race([once(response, 'drain', { signal }), once(body, 'close', { signal })]);
  } finally {
    over.abort();
  }
}

function errorStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502;
}

/** Seconds that a finished image may be kept. */
const cacheTime = 86_400;
/** Milliseconds without a byte, and for all of it: a video may be large, and its viewer far away. */
const patience = 30_000;
const totalTimeout = 600_000;

/** The errors of this route have no code: browsers show the image or nothing. */
function refuse({ response, requestId }: RelayContext, status: number, error: string): void {
  sendJson(response, status, { error }, idHeaders(requestId));
}

/**
 * Where images of a task may come from: any public address, the address of its channel, and
 * FETCH_ALLOW_HOSTS. The channel's own is reached as its calls are, all others through the guard,
 * or through the channel's proxy.
 */
async function sourcesOf(
  { deps }: RelayContext,
  { channelId }: Midjourney,
  files: OpenCallDeps['files'],
) {
  const channel = deps.routing.find(channelId);
  const { baseUrl = '' } = channel ?? (await deps.storage.channels.find(channelId)) ?? {};
  const own = addressOf(baseUrl);
  return (url: URL): FileSource => {
    if (own !== undefined && addressOf(url) === own)
      return { upstream: deps.upstream, proxy: channel?.proxy };
    checkUrl(url, deps.guard);
    return channel?.proxy === undefined
      ? { upstream: files }
      : { upstream: deps.upstream, proxy: channel.proxy };
  };
}

/** Anything but a picture or a video could run in the visitor's browser as a page of this site. */
function isMedia(contentType: string): boolean {
  return /^(?:image|video)\//i.test(contentType);
}

export async function serveImage(context: RelayContext, { files }: OpenCallDeps): Promise<void> {
  const { deps, client, request, response, requestId, route } = context;
  const id = route.params?.['id'] ?? '';
  const signature = new URLSearchParams(request.url?.split('?')[1]).get('sig') ?? '';
  if (!deps.drawingImages.isValid(id, signature))
    return refuse(context, 403, 'midjourney_image_address_unsigned');
  const task = await deps.storage.midjourneys.findByMjId(id);
  if (task === null) return refuse(context, 400, 'midjourney_task_not_found');
  const address = task.imageUrl === '' ? task.videoUrl : task.imageUrl;
  if (!URL.canParse(address)) return refuse(context, 404, 'midjourney_image_not_found');
  const sourceOf = await sourcesOf(context, task, files);
  const cacheControl = task.status === 'SUCCESS' ? `public, max-age=${cacheTime}` : 'no-store';
  try {
    const signal = client.signal();
    const headers = { accept: 'image/*,video/*' };
    const found = await openFile({
      url: new URL(address),
      sourceOf,
      headers,
      patience,
      totalTimeout,
      signal,
    });
    await sendMedia(found, response, (status, received) => {
      const contentType = headerText(received, 'content-type') || 'image/jpeg';
      if (status === 200 && !isMedia(contentType))
        throw new AppError('bad_response_body', { detail: 'not an image' });
      return {
        ...corsHeaders,
        ...idHeaders(requestId),
        'content-type': status === 200 ? contentType : 'text/plain; charset=utf-8',
        'cache-control': status === 200 ? cacheControl : 'no-store',
        'x-content-type-options': 'nosniff',
        // Images may be SVG documents.
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      };
    });
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    if (error instanceof AppError && error.code === 'address_not_allowed')
      return refuse(context, 403, 'address_not_allowed');
    const isKnown = error instanceof AppError && error.code !== 'internal_error';
    refuse(context, 502, isKnown ? error.code : 'do_request_failed');
  }
}
