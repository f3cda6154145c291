/** Images and files by URL, fetched for upstreams that take bytes only (spec, relay 19; providers-international 1.7). */

import type { ChatMessage, ChatRequest } from '../../canonical/chat.ts';
import { guessMediaType, normalizeMediaType } from '../../canonical/kit/media.ts';
import { AppError } from '../../kernel/errors.ts';
import { type CollectedReply, headerText } from '../../upstream/exchange.ts';
import { checkUrl, type GuardPolicy } from '../../upstream/guard.ts';
import type { Upstream } from '../../upstream/send.ts';
import type { RelayDeps } from '../context.ts';
import type { FileWorker } from '../policy.ts';

/** For the files of one attempt. */
export interface FileFetcher {
  /** Connects through the guard. */
  readonly upstream: Upstream;
  readonly worker: (FileWorker & { readonly upstream: Upstream }) | undefined;
  readonly guard: GuardPolicy;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly budget: FileBudget;
  readonly signal: AbortSignal;
}

const timeout = 20_000;
const maxRedirects = 3;
const mostAtOnce = 4;

/** Bounds the memory that one request can fill with files: a body of a few kilobytes can name thousands of them. */
export class FileBudget {
  /** Bytes that may still be fetched. */
  left: number;
  #running = 0;
  /** In their order. Those that had their turn stay: a list that is shortened in front moves up all the others. */
  readonly #waiting: (() => void)[] = [];
  #served = 0;

  constructor(total: number) {
    this.left = total;
  }

  /** Runs a fetch in its turn. */
  async run<T>(fetch: () => Promise<T>): Promise<T> {
    if (this.#running === mostAtOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
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

/** `upstream` connects through the guard. In all as much as the caller could have sent in the body. */
export function createFileFetcher(
  upstream: Upstream,
  { guard, limits, policy, upstream: unguarded }: Pick<RelayDeps, 'guard' | 'limits' | 'policy' | 'upstream'>,
  signal: AbortSignal,
): FileFetcher {
  const { fileWorker } = policy();
  const worker = fileWorker === null ? undefined : { ...fileWorker, upstream: unguarded };
  return { upstream, worker, guard, maxBytes: limits.maxFileBytes, budget: new FileBudget(limits.maxBodyBytes), signal };
}

export interface FetchedFile {
  /** Base64. */
  readonly data: string;
  readonly mediaType: string;
}

/** Throws AppError address_not_allowed, file_unreachable, file_too_large, client_gone. */
export function fetchFile(address: string, fetcher: FileFetcher): Promise<FetchedFile> {
  return fetcher.budget.run(() => fetchNow(address, fetcher));
}

async function fetchNow(address: string, fetcher: FileFetcher): Promise<FetchedFile> {
  let url = parseUrl(address);
  const most = Math.min(fetcher.maxBytes, fetcher.budget.left);
  const tooLarge = () => new AppError('file_too_large', { limit: Math.floor(most / 1024 / 1024) });
  if (most <= 0) throw tooLarge();
  for (let hop = 0; hop <= maxRedirects; hop++) {
    checkUrl(url, fetcher.guard);
    const reply = await ask(url, fetcher, most).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'bad_response_body') throw tooLarge();
      if (error instanceof AppError && (error.code === 'address_not_allowed' || error.code === 'client_gone')) throw error;
      throw new AppError('file_unreachable', { host: url.hostname }, { cause: error });
    });
    const location = headerText(reply.headers, 'location');
    if (reply.status >= 300 && reply.status < 400 && location !== '') {
      url = parseUrl(location, url);
      continue;
    }
    if (reply.status !== 200) throw new AppError('file_unreachable', { host: url.hostname, status: reply.status });
    fetcher.budget.left -= reply.bytes.length;
    const data = reply.bytes.toString('base64');
    const told = headerText(reply.headers, 'content-type').split(';')[0]?.trim() ?? '';
    const generic = told === '' || told === 'application/octet-stream' || told === 'binary/octet-stream';
    return { data, mediaType: normalizeMediaType(generic ? (guessMediaType(data) ?? 'application/octet-stream') : told) };
  }
  throw new AppError('file_unreachable', { host: url.hostname });
}

/** From where it is, or by the worker, which takes https only (spec, relay 19) and follows redirects by itself. */
function ask(url: URL, { upstream, worker, signal }: FileFetcher, most: number): Promise<CollectedReply> {
  const limits = { firstByteTimeout: timeout, idleTimeout: timeout };
  if (worker === undefined)
    return upstream.collect({ method: 'GET', url: url.href, headers: { accept: '*/*' }, ...limits }, most, signal);
  if (url.protocol !== 'https:') return Promise.reject(new AppError('address_not_allowed', { host: url.hostname }));
  const body = JSON.stringify({ url: url.href, key: worker.key, method: 'GET', headers: {}, body: null });
  const headers = { 'content-type': 'application/json', accept: '*/*' };
  return worker.upstream.collect({ method: 'POST', url: worker.url, headers, body, ...limits }, most, signal);
}

function parseUrl(text: string, base?: URL): URL {
  try {
    return new URL(text, base);
  } catch {
    throw new AppError('file_unreachable', { host: text.slice(0, 100) });
  }
}

/** All of the files, or none: the first that fails ends the others. Throws what {@link fetchFile} throws. */
export async function fetchFiles(addresses: readonly string[], fetcher: FileFetcher): Promise<readonly FetchedFile[]> {
  const stop = new AbortController();
  const stoppable = { ...fetcher, signal: AbortSignal.any([fetcher.signal, stop.signal]) };
  try {
    return await Promise.all(addresses.map((address) => fetchFile(address, stoppable)));
  } catch (error) {
    stop.abort();
    throw error;
  }
}

/** The request with every part by URL replaced by its bytes, but for addresses to `keep`. Each address is fetched once. */
export async function inlineFiles(
  request: ChatRequest,
  files: () => FileFetcher,
  keep: (url: string) => boolean = () => false,
): Promise<ChatRequest> {
  const addressOf = (part: ChatMessage['content'][number]): string | undefined =>
    (part.type === 'image' || part.type === 'file') && part.url !== undefined && !keep(part.url) ? part.url : undefined;
  const parts = request.messages.flatMap((message) => [...message.content]);
  const addresses = [...new Set(parts.flatMap((part) => addressOf(part) ?? []))];
  if (addresses.length === 0) return request;
  const found = await fetchFiles(addresses, files());
  const fetched = new Map(addresses.map((address, index) => [address, found[index]]));
  const messages = request.messages.map((message) => {
    const content = message.content.map((part) => {
      const address = addressOf(part);
      return address === undefined ? part : { ...part, url: undefined, ...fetched.get(address) };
    });
    return { ...message, content } as ChatMessage;
  });
  return { ...request, messages };
}
