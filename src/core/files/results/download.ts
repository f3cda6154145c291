/** Files of upstreams as streams, through the outbound guard (docs/rules/security.md#outbound-guard). */
import { Readable } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';
import { type Exchange, exchangeError, headerText, type ResponseHeaders, type WireRequest } from '../../upstream/exchange.ts';
import { checkUrl, type GuardPolicy, guardedConnector } from '../../upstream/guard.ts';
import { createUpstream, type Upstream } from '../../upstream/send.ts';

export interface Download {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Destroying it ends the download. */
  readonly body: Readable;
}

export interface DownloadRequest {
  readonly url: string;
  /** Of this address, and of every one that it redirects to. */
  readonly guard: GuardPolicy;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until the end; absent: no limit. */
  readonly totalTimeout?: number;
  /** Ends the download, also while its body is read. */
  readonly signal?: AbortSignal;
}

const patience = 60_000;
const maxRedirects = 3;

/** Throws AppError address_not_allowed, result_unreachable. Reading the body may fail, too. */
export async function download(request: DownloadRequest): Promise<Download> {
  const upstream = createUpstream({ connect: guardedConnector(request.guard) });
  try {
    const found = await follow(upstream, request);
    found.body.once('close', () => void upstream.close());
    return found;
  } catch (error) {
    await upstream.close();
    if (error instanceof AppError && error.code === 'address_not_allowed') throw error;
    throw new AppError('result_unreachable', {}, { cause: error });
  }
}

async function follow(
  upstream: Upstream,
  { url, guard, headers = {}, totalTimeout, signal }: DownloadRequest,
): Promise<Download> {
  let next = new URL(url);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    checkUrl(next, guard);
    const wire = {
      method: 'GET',
      url: next.href,
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
      firstByteTimeout: patience,
      idleTimeout: patience,
      ...(totalTimeout !== undefined && { totalTimeout }),
    } as const;
    const reply = await open(upstream, wire, signal);
    const location = headerText(reply.headers, 'location');
    if (reply.status < 300 || reply.status >= 400 || location === '') return reply;
    reply.body.destroy();
    next = new URL(location, next);
  }
  throw new Error('too many redirects');
}

function open(upstream: Upstream, request: WireRequest, signal?: AbortSignal): Promise<Download> {
  return new Promise((resolve, reject) => {
    let exchange: Exchange | undefined;
    const body = new Readable({
      read: () => exchange?.resume(),
      destroy: (error, done) => {
        exchange?.abort();
        done(error);
      },
    });
    // It may break before anybody reads it.
    body.on('error', reject);
    const stop = () => body.destroy(signal?.reason as Error);
    body.once('close', () => signal?.removeEventListener('abort', stop));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) return stop();
    exchange = upstream.send(request, {
      start: (status, headers) => resolve({ status, headers, body }),
      data: (chunk) => {
        if (!body.push(chunk)) exchange?.pause();
      },
      end: () => void body.push(null),
      fail: (kind, error) => void body.destroy(exchangeError(kind, error)),
    });
  });
}
