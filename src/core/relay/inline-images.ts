/** Images and files by URL, fetched for upstreams that take bytes only (spec, relay 19; providers-international 1.7). */
import { AppError } from '../kernel/errors.ts';
import type { ChatMessage, ChatRequest, FilePart, ImagePart } from '../providers/canonical.ts';
import { guessMediaType, normalizeMediaType } from '../providers/kit/media.ts';
import { checkUrl, type GuardPolicy } from '../upstream/guard.ts';
import { headerText, type Upstream } from '../upstream/send.ts';

export interface FileFetcher {
  /** Connects through the guard. */
  readonly upstream: Upstream;
  readonly guard: GuardPolicy;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const timeout = 20_000;
const maxRedirects = 3;

/** Throws AppError address_not_allowed, file_unreachable, file_too_large. */
export async function fetchFile(address: string, fetcher: FileFetcher): Promise<{ data: string; mediaType: string }> {
  let url = parseUrl(address);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    checkUrl(url, fetcher.guard);
    const reply = await fetcher.upstream
      .collect(
        { method: 'GET', url: url.href, headers: { accept: '*/*' }, firstByteTimeout: timeout, idleTimeout: timeout },
        fetcher.maxBytes,
        fetcher.signal,
      )
      .catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'bad_response_body') {
          throw new AppError('file_too_large', { limit: Math.floor(fetcher.maxBytes / 1024 / 1024) });
        }
        if (error instanceof AppError && (error.code === 'address_not_allowed' || error.code === 'client_gone')) throw error;
        throw new AppError('file_unreachable', { host: url.hostname }, { cause: error });
      });
    const location = headerText(reply.headers, 'location');
    if (reply.status >= 300 && reply.status < 400 && location !== '') {
      url = parseUrl(new URL(location, url).href);
      continue;
    }
    if (reply.status !== 200) throw new AppError('file_unreachable', { host: url.hostname, status: reply.status });
    const data = reply.bytes.toString('base64');
    const told = headerText(reply.headers, 'content-type').split(';')[0]?.trim() ?? '';
    const generic = told === '' || told === 'application/octet-stream' || told === 'binary/octet-stream';
    return { data, mediaType: normalizeMediaType(generic ? (guessMediaType(data) ?? 'application/octet-stream') : told) };
  }
  throw new AppError('file_unreachable', { host: url.hostname });
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new AppError('file_unreachable', { host: text.slice(0, 100) });
  }
}

/** The request with every part by URL replaced by its bytes, but for addresses to `keep`. Each address is fetched once. */
export async function inlineFiles(
  request: ChatRequest,
  fetcher: FileFetcher,
  keep: (url: string) => boolean = () => false,
): Promise<ChatRequest> {
  const fetched = new Map<string, ReturnType<typeof fetchFile>>();
  const inline = async <P extends ImagePart | FilePart>(part: P): Promise<P> => {
    if (part.url === undefined || keep(part.url)) return part;
    const known = fetched.get(part.url) ?? fetchFile(part.url, fetcher);
    fetched.set(part.url, known);
    return { ...part, url: undefined, ...(await known) };
  };
  const inlineMessage = async (message: ChatMessage): Promise<ChatMessage> => {
    if (!message.content.some((part) => (part.type === 'image' || part.type === 'file') && part.url !== undefined))
      return message;
    const content = await Promise.all(
      message.content.map((part) => (part.type === 'image' || part.type === 'file' ? inline(part) : part)),
    );
    return { ...message, content } as ChatMessage;
  };
  return { ...request, messages: await Promise.all(request.messages.map(inlineMessage)) };
}
