/** Files at addresses that upstreams name, as streams. */
import { Readable } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';
import {
  type Exchange,
  exchangeError,
  headerText,
  type ResponseHeaders,
  type WireRequest,
} from '../../upstream/exchange.ts';
import { checkUrl, type GuardPolicy } from '../../upstream/guard.ts';
import { openUpstream } from '../../upstream/open-upstream.ts';
import type { Upstream } from '../../upstream/send.ts';

export interface Download {
  readonly status: number;
  readonly headers: ResponseHeaders;
  /** Destroying it ends the download. */
  readonly body: Readable;
}

/** How an address is reached. */
export interface FileSource {
  readonly upstream: Upstream;
  readonly proxy?: string | undefined;
}

export interface FileRequest {
  readonly url: URL;
  /**
   * Called for this address and for every one that it redirects to. Throws for addresses that are
   * not allowed.
   */
  readonly sourceOf: (url: URL) => FileSource;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds without a byte. */
  readonly patience: number;
  /** Milliseconds until the end; absent: no limit. */
  readonly totalTimeout?: number;
  /** Ends the download, also while its body is read. */
  readonly signal?: AbortSignal;
}

const maxRedirects = 3;

/**
 * Throws AppError bad_response_body after too many redirects, what `sourceOf` throws, and errors of
 * the connection.
 */
export async function openFile({
  url,
  sourceOf,
  headers = {},
  patience,
  totalTimeout,
  signal,
}: FileRequest): Promise<Download> {
  let next = url;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const { upstream, proxy } = sourceOf(next);
    const wire = {
      method: 'GET',
      url: next.href,
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
      proxy,
      firstByteTimeout: patience,
      idleTimeout: patience,
      ...(totalTimeout !== undefined && { totalTimeout }),
    } as const;
    const reply = await open(upstream, wire, signal);
    const location = headerText(reply.headers, 'location');
    if (reply.status < 300 || reply.status >= 400 || location === '') return reply;
    reply.body.destroy();
    if (!URL.canParse(location, next.href)) break;
    next = new URL(location, next);
  }
  throw new AppError('bad_response_body', { detail: 'too many redirects' });
}

export interface DownloadRequest extends Pick<FileRequest, 'headers' | 'totalTimeout' | 'signal'> {
  readonly url: string;
  /**
   * Of this address, and of every one that it redirects to (docs/rules/security.md#outbound-guard).
   */
  readonly guard: GuardPolicy;
}

/** Milliseconds without a byte. */
const patience = 60_000;

/** Throws AppError address_not_allowed, result_unreachable. Reading the body may fail, too. */
export async function download({ url, guard, ...request }: DownloadRequest): Promise<Download> {
  const upstream = await openUpstream(guard);
  const sourceOf = (next: URL): FileSource => {
    checkUrl(next, guard);
    return { upstream };
  };
  try {
    const found = await openFile({ ...request, url: new URL(url), sourceOf, patience });
    found.body.once('close', () => void upstream.close());
    return found;
  } catch (error) {
    await upstream.close();
    if (error instanceof AppError && error.code === 'address_not_allowed') throw error;
    throw new AppError('result_unreachable', {}, { cause: error });
  }
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
