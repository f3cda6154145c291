/**
 * Files by URL, fetched for callers: guarded, bounded in size and number
 * (docs/rules/relay.md#file-fetch).
 */

import { guessMediaType, normalizeMediaType } from '../../canonical/kit/media.ts';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { type CollectedReply, headerText } from '../../upstream/exchange.ts';
import { checkUrl, type GuardPolicy } from '../../upstream/guard.ts';
import type { Upstream } from '../../upstream/send.ts';

/** A service of the operator's that fetches files in our place (`WorkerUrl`). */
export interface FileWorker {
  readonly url: string;
  /** The key it expects. */
  readonly key: string;
}

/** For the files of one attempt. */
export interface FileFetcher {
  /** Connects through the guard. */
  readonly upstream: Upstream;
  readonly worker: (FileWorker & { readonly upstream: Upstream }) | undefined;
  readonly guard: GuardPolicy;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly budget: FileBudget;
  /** Called with the bytes of each chunk before it is kept; what it throws ends the fetch. */
  readonly claim: (bytes: number) => void;
  readonly signal: AbortSignal;
}

const timeout = 20_000;
const maxRedirects = 3;
const mostAtOnce = 4;

/** Errors of the caller or the gateway, not of the file's server. */
const passedOn: ReadonlySet<ErrorCode> = new Set([
  'address_not_allowed',
  'client_gone',
  'shutting_down',
  'too_much_in_flight',
  'server_busy',
]);

/**
 * Bounds the memory that one request can fill with files: a body of a few kilobytes can name
 * thousands of them.
 */
export class FileBudget {
  /** Bytes that may still be fetched. */
  left: number;
  #running = 0;
  /**
   * In their order. Those that were served stay in the list: removing the first entry would move
   * all the others.
   */
  readonly #waiting: (() => void)[] = [];
  #served = 0;

  constructor(total: number) {
    this.left = total;
  }

  /** Runs a fetch in its turn. */
  async run<T>(fetch: () => Promise<T>): Promise<T> {
    if (this.#running === mostAtOnce)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await fetch();
    } finally {
      const next = this.#waiting[this.#served];
      if (next === undefined) this.#running -= 1;
      else {
        this.#served += 1;
        next();
      }
    }
  }
}

export interface FileFetcherDeps {
  readonly guard: GuardPolicy;
  readonly limits: { readonly maxFileBytes: number; readonly maxBodyBytes: number };
  readonly policy: () => { readonly fileWorker: FileWorker | null };
  /** Without the guard, for the worker. */
  readonly upstream: Upstream;
}

/** `upstream` connects through the guard. All files together may have as many bytes as a body. */
export function createFileFetcher(
  upstream: Upstream,
  { guard, limits, policy, upstream: unguarded }: FileFetcherDeps,
  { signal, claim }: Pick<FileFetcher, 'signal' | 'claim'>,
): FileFetcher {
  const { fileWorker } = policy();
  const worker = fileWorker === null ? undefined : { ...fileWorker, upstream: unguarded };
  return {
    upstream,
    worker,
    guard,
    maxBytes: limits.maxFileBytes,
    budget: new FileBudget(limits.maxBodyBytes),
    claim,
    signal,
  };
}

export interface FetchedFile {
  /** Base64. */
  readonly data: string;
  readonly mediaType: string;
}

/**
 * Throws AppError address_not_allowed, file_unreachable, file_too_large, client_gone,
 * shutting_down, too_much_in_flight, server_busy.
 */
export function fetchFile(address: string, fetcher: FileFetcher): Promise<FetchedFile> {
  return fetcher.budget.run(() => fetchDirectly(address, fetcher));
}

async function fetchDirectly(address: string, fetcher: FileFetcher): Promise<FetchedFile> {
  let url = parseUrl(address);
  const most = Math.min(fetcher.maxBytes, fetcher.budget.left);
  const tooLarge = () => new AppError('file_too_large', { limit: Math.floor(most / 1024 / 1024) });
  if (most <= 0) throw tooLarge();
  for (let hop = 0; hop <= maxRedirects; hop++) {
    checkUrl(url, fetcher.guard);
    const reply = await get(url, fetcher, most).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'bad_response_body') throw tooLarge();
      if (error instanceof AppError && passedOn.has(error.code)) throw error;
      throw new AppError('file_unreachable', { host: url.hostname }, { cause: error });
    });
    const location = headerText(reply.headers, 'location');
    if (reply.status >= 300 && reply.status < 400 && location !== '') {
      url = parseUrl(location, url);
      continue;
    }
    if (reply.status !== 200)
      throw new AppError('file_unreachable', { host: url.hostname, status: reply.status });
    fetcher.budget.left -= reply.bytes.length;
    const data = reply.bytes.toString('base64');
    const declared = headerText(reply.headers, 'content-type').split(';')[0]?.trim() ?? '';
    const generic =
      declared === '' ||
      declared === 'application/octet-stream' ||
      declared === 'binary/octet-stream';
    return {
      data,
      mediaType: normalizeMediaType(
        generic ? (guessMediaType(data) ?? 'application/octet-stream') : declared,
      ),
    };
  }
  throw new AppError('file_unreachable', { host: url.hostname });
}

/** From its address, or by the worker, which takes https only and follows redirects itself. */
function get(
  url: URL,
  { upstream, worker, claim, signal }: FileFetcher,
  most: number,
): Promise<CollectedReply> {
  const limits = { firstByteTimeout: timeout, idleTimeout: timeout };
  if (worker === undefined)
    return upstream.collect(
      { method: 'GET', url: url.href, headers: { accept: '*/*' }, ...limits },
      most,
      signal,
      claim,
    );
  if (url.protocol !== 'https:')
    return Promise.reject(new AppError('address_not_allowed', { host: url.hostname }));
  const body = JSON.stringify({
    url: url.href,
    key: worker.key,
    method: 'GET',
    headers: {},
    body: null,
  });
  const headers = { 'content-type': 'application/json', accept: '*/*' };
  return worker.upstream.collect(
    { method: 'POST', url: worker.url, headers, body, ...limits },
    most,
    signal,
    claim,
  );
}

function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    throw new AppError('file_unreachable', { host: text.slice(0, 100) });
  }
}

/**
 * All of the files, or none: the first that fails ends the others. Throws what {@link fetchFile}
 * throws.
 */
export async function fetchFiles(
  addresses: readonly string[],
  fetcher: FileFetcher,
): Promise<readonly FetchedFile[]> {
  const stop = new AbortController();
  const stoppable = { ...fetcher, signal: AbortSignal.any([fetcher.signal, stop.signal]) };
  try {
    return await Promise.all(addresses.map((address) => fetchFile(address, stoppable)));
  } catch (error) {
    stop.abort();
    throw error;
  }
}
