import { AppError } from '../../../kernel/errors.ts';
import { type Exchange, exchangeError, headerText, type ResponseHeaders, replyTooLarge } from '../../../upstream/exchange.ts';
import type { Upstream } from '../../../upstream/send.ts';
import type { ClientReply } from '../../client/client.ts';

/** How an address is reached. */
export interface MediaSource {
  readonly upstream: Upstream;
  readonly proxy: string | undefined;
}

export interface MediaReply {
  readonly response: ClientReply;
  readonly signal: AbortSignal;
  /** The headers of the reply to the caller. What it throws refuses the media. */
  headersFor(status: number, headers: ResponseHeaders): Record<string, string>;
}

/** Bytes; of an error only the beginning is sent on. */
const largestMedia = 50 * 1024 * 1024;
const largestError = 4096;
/** Milliseconds without a byte, and for all of it: a film may be large, and its viewer far away. */
const idleLimit = 30_000;
const timeLimit = 600_000;
const mostRedirects = 3;

/**
 * Sends what is at an address to the caller as it comes, with the upstream's status where it is an error. `sourceOf` is asked at every
 * redirect and throws for addresses that are not allowed. Throws AppError, also amid the reply.
 */
export async function fetchMedia(first: URL, sourceOf: (url: URL) => MediaSource, reply: MediaReply): Promise<void> {
  let url = first;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const location = await stream(url, sourceOf(url), reply);
    if (location === undefined) return;
    if (!URL.canParse(location, url.href)) break;
    url = new URL(location, url);
  }
  throw new AppError('bad_response_body', { detail: 'too many redirects' });
}

/** Returns where a redirect leads, else undefined when everything is sent. */
function stream(url: URL, { upstream, proxy }: MediaSource, reply: MediaReply): Promise<string | undefined> {
  const { response, signal } = reply;
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined;
    let left = largestMedia;
    let status = 0;
    const onAbort = () => stop(new AppError('client_gone'));
    const settle = () => signal.removeEventListener('abort', onAbort);
    const stop = (error: unknown) => {
      settle();
      exchange?.abort();
      reject(error);
    };
    if (signal.aborted) return stop(new AppError('client_gone'));
    signal.addEventListener('abort', onAbort, { once: true });
    const limits = { firstByteTimeout: idleLimit, idleTimeout: idleLimit, totalTimeout: timeLimit };
    const request = { method: 'GET' as const, url: url.href, headers: { accept: 'image/*,video/*' }, proxy, ...limits };
    const start = (code: number, headers: ResponseHeaders) => {
      const location = headerText(headers, 'location');
      if (code >= 300 && code < 400 && location !== '') {
        settle();
        resolve(location);
        exchange?.abort();
        return;
      }
      status = code;
      if (code === 200 && Number(headerText(headers, 'content-length') || 0) > largestMedia) throw replyTooLarge(largestMedia);
      if (code !== 200) left = largestError;
      response.writeHead(code === 200 ? 200 : errorStatus(code), reply.headersFor(code, headers));
    };
    const data = (chunk: Buffer) => {
      if (chunk.length > left) {
        if (status === 200) throw replyTooLarge(largestMedia);
        chunk = chunk.subarray(0, left);
      }
      left -= chunk.length;
      if (response.write(chunk)) return;
      exchange?.pause();
      response.once('drain', () => exchange?.resume());
    };
    try {
      exchange = upstream.send(request, {
        start,
        data,
        end: () => {
          settle();
          response.end();
          resolve(undefined);
        },
        fail: (kind, error) => stop(error instanceof AppError ? error : exchangeError(kind, error)),
      });
    } catch (error) {
      stop(error);
    }
  });
}

function errorStatus(status: number): number {
  return status >= 400 && status <= 599 ? status : 502;
}
