/**
 * How a stored file is sent: whole, in part, or not at all because the client has it
 * (docs/rules/files.md#serving).
 */
import type { Readable } from 'node:stream';
import { readRange } from './store/byte-range.ts';
import type { OpenFile } from './store/file-store.ts';

/** What a request says about the part that it wants: the values of its headers. */
export interface ContentRequest {
  /** `HEAD`: no body is sent. */
  readonly method: string;
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Status, headers and body, independent of the server. The receiver reads the body or destroys
 * it.
 */
export interface ContentReply {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | undefined;
}

/**
 * Headers for files that users or upstreams made: browsers show them as what they are, never run
 * them, and any page may embed them (their addresses cannot be guessed).
 */
export const safeFileHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
} as const;

/**
 * `tag` names the content: a path never gets another one. Closes the file unless the reply has a
 * body.
 */
export async function contentReply(
  file: OpenFile,
  {
    type,
    tag,
    cacheControl,
  }: { readonly type: string; readonly tag: string; readonly cacheControl: string },
  request: ContentRequest,
): Promise<ContentReply> {
  const etag = `"${tag}"`;
  const headers = {
    ...safeFileHeaders,
    'Content-Type': type,
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Cache-Control': cacheControl,
  };
  if (namesTag(request.ifNoneMatch, etag))
    return without(file, { status: 304, headers, body: undefined });
  const isCurrent = request.ifRange === undefined || request.ifRange.trim() === etag;
  const range = readRange(isCurrent ? request.range : undefined, file.size);
  if (range === 'unsatisfiable')
    return without(file, {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${file.size}`, 'Content-Length': '0' },
      body: undefined,
    });
  const part = range === 'whole' ? undefined : range;
  const length = part === undefined ? file.size : part.end - part.start + 1;
  const described = {
    ...headers,
    'Content-Length': String(length),
    ...(part !== undefined && { 'Content-Range': `bytes ${part.start}-${part.end}/${file.size}` }),
  };
  const status = part === undefined ? 200 : 206;
  if (request.method === 'HEAD' || length === 0)
    return without(file, { status, headers: described, body: undefined });
  return { status, headers: described, body: file.stream(part) };
}

async function without(file: OpenFile, reply: ContentReply): Promise<ContentReply> {
  await file.close();
  return reply;
}

function namesTag(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
}
