/**
 * A file that is not stored here, passed on from where it is (docs/rules/files.md#results,
 * #foreign-files).
 */
import { AppError } from '../../kernel/errors.ts';
import { headerText } from '../../upstream/exchange.ts';
import type { GuardPolicy } from '../../upstream/guard.ts';
import { atMost, tooLarge } from '../at-most.ts';
import { type ContentReply, type ContentRequest, safeFileHeaders } from '../content-reply.ts';
import { download } from './download.ts';
import { isMediaType } from './media-type.ts';

/** Statuses with which stores say that a signed address has ended. */
const gone: ReadonlySet<number> = new Set([401, 403, 404, 410]);
const passedHeaders = {
  'content-length': 'Content-Length',
  'content-range': 'Content-Range',
  'last-modified': 'Last-Modified',
} as const;

export interface ForwardRules {
  /** Whether a file with this declared type is passed on. Absent: media. */
  readonly accepts?: (type: string) => boolean;
  /** Bytes of one reply, and milliseconds until its end. Absent: any. */
  readonly maxBytes?: number;
  readonly totalTimeout?: number;
  /** Ends it, also while its body is read. */
  readonly signal?: AbortSignal | undefined;
}

/** Throws AppError result_gone, result_unreachable, address_not_allowed, file_too_large. */
export async function forwardResult(
  url: string,
  guard: GuardPolicy,
  request: ContentRequest,
  { accepts = isMediaType, maxBytes, totalTimeout, signal }: ForwardRules = {},
): Promise<ContentReply> {
  if (!URL.canParse(url)) throw new AppError('result_gone');
  const headers: Record<string, string> =
    request.range === undefined || request.ifRange !== undefined ? {} : { range: request.range };
  const limits = { ...(totalTimeout !== undefined && { totalTimeout }), ...(signal && { signal }) };
  const { status, headers: received, body } = await download({ url, guard, headers, ...limits });
  const type = headerText(received, 'content-type');
  const isShown = status === 200 || status === 206 || status === 416;
  if (maxBytes !== undefined && Number(headerText(received, 'content-length')) > maxBytes) {
    body.destroy();
    throw tooLarge(maxBytes);
  }
  if (!isShown || (status !== 416 && !accepts(type))) {
    body.destroy();
    throw new AppError(gone.has(status) ? 'result_gone' : 'result_unreachable');
  }
  const passed = Object.entries(passedHeaders).flatMap(([name, shown]) => {
    const value = headerText(received, name);
    return value === '' ? [] : [[shown, value] as const];
  });
  const reply = {
    status,
    headers: {
      ...safeFileHeaders,
      'Content-Type': type === '' || status === 416 ? 'application/octet-stream' : type,
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, max-age=3600',
      ...Object.fromEntries(passed),
    },
  } as const;
  if (request.method !== 'HEAD' && status !== 416)
    return { ...reply, body: maxBytes === undefined ? body : atMost(body, maxBytes) };
  body.destroy();
  return { ...reply, body: undefined };
}
