import { AppError } from '../../../kernel/errors.ts';
import { type Exchange, headerText, type ResponseHeaders } from '../../../upstream/exchange.ts';
import { checkUrl, type GuardPolicy } from '../../../upstream/guard.ts';
import type { Upstream } from '../../../upstream/send.ts';
import type { ClientReply } from '../../client/client.ts';

export interface VideoSource {
  readonly address: URL;
  /** Host and port of the channel that made it: reached as its calls are, all others through the guard. */
  readonly ownHost: string;
  readonly proxy: string | undefined;
  readonly guard: GuardPolicy;
  readonly inside: Upstream;
  readonly outside: Upstream;
}

export interface VideoReply {
  readonly response: ClientReply;
  readonly signal: AbortSignal;
  /** '': all of it. */
  readonly range: string;
  /** False: the headers only. */
  readonly withBody: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Milliseconds without progress. */
const idleTimeout = 60_000;
const mostRedirects = 3;
/** What of the upstream's headers is sent on. */
const forwarded = ['content-length', 'content-range', 'accept-ranges', 'last-modified', 'etag'] as const;
const passedStatuses: ReadonlySet<number> = new Set([200, 206, 416]);

/**
 * Sends a video as it comes. Throws AppError address_not_allowed for addresses that lead inside, result_gone where the upstream
 * has it no more, result_unreachable and client_gone, also amid the reply.
 */
export async function forwardVideo(source: VideoSource, reply: VideoReply): Promise<void> {
  let url = source.address;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const location = await stream(url, source, reply);
    if (location === undefined) return;
    if (!URL.canParse(location, url.href)) break;
    url = new URL(location, url);
  }
  throw new AppError('result_unreachable');
}

function upstreamFor(url: URL, { ownHost, guard, proxy, inside, outside }: VideoSource): Upstream {
  if (url.host === ownHost && /^https?:$/.test(url.protocol)) return inside;
  checkUrl(url, guard);
  return proxy === undefined ? outside : inside;
}

/** Anything but a video could run in a visitor's browser as a page of this site. */
function videoType(headers: ResponseHeaders): string {
  const type = headerText(headers, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type.startsWith('video/')) return type;
  if (type === '' || /^(?:application|binary)\/octet-stream$/.test(type)) return 'video/mp4';
  throw new AppError('result_unreachable');
}

function headersOf(status: number, headers: ResponseHeaders): Record<string, string> {
  const kept = forwarded.flatMap((name) => {
    const value = headerText(headers, name);
    return value === '' ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), 'content-type': status === 416 ? 'text/plain' : videoType(headers) };
}

/** Returns where a redirect leads, else undefined when everything is sent. */
function stream(
  url: URL,
  source: VideoSource,
  { response, signal, range, withBody, headers: own }: VideoReply,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined;
    const onAbort = () => fail(new AppError('client_gone'));
    const finish = () => signal.removeEventListener('abort', onAbort);
    const fail = (error: unknown) => {
      finish();
      exchange?.abort();
      // What was sent is cut off, so that the client does not take it for the whole.
      if (response.headersSent) response.destroy();
      reject(error);
    };
    const start = (status: number, headers: ResponseHeaders) => {
      const location = headerText(headers, 'location');
      if (status >= 300 && status < 400 && location !== '') {
        finish();
        resolve(location);
        return exchange?.abort();
      }
      if ([403, 404, 410].includes(status)) throw new AppError('result_gone');
      if (!passedStatuses.has(status)) throw new AppError('result_unreachable');
      response.writeHead(status, { ...own, ...headersOf(status, headers) });
      if (withBody) return;
      finish();
      response.end();
      resolve(undefined);
      exchange?.abort();
    };
    const data = (chunk: Buffer) => {
      if (response.write(chunk)) return;
      exchange?.pause();
      response.once('drain', () => exchange?.resume());
    };
    const end = () => {
      finish();
      response.end();
      resolve(undefined);
    };
    if (signal.aborted) return fail(new AppError('client_gone'));
    signal.addEventListener('abort', onAbort, { once: true });
    const headers = { accept: 'video/*', ...(range !== '' && { range }) };
    const limits = { firstByteTimeout: idleTimeout, idleTimeout };
    try {
      exchange = upstreamFor(url, source).send(
        { method: 'GET', url: url.href, headers, ...(source.proxy !== undefined && { proxy: source.proxy }), ...limits },
        {
          start,
          data,
          end,
          fail: (_kind, cause) => fail(cause instanceof AppError ? cause : new AppError('result_unreachable', {}, { cause })),
        },
      );
    } catch (error) {
      fail(error);
    }
  });
}
