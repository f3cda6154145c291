/** A result that was not stored, passed on from its upstream (docs/rules/files.md#results). */
import { AppError } from '../../kernel/errors.ts';
import { headerText } from '../../upstream/exchange.ts';
import type { GuardPolicy } from '../../upstream/guard.ts';
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

/** Throws AppError result_gone, result_unreachable, address_not_allowed. */
export async function forwardResult(url: string, guard: GuardPolicy, request: ContentRequest): Promise<ContentReply> {
  if (!URL.canParse(url)) throw new AppError('result_gone');
  const headers: Record<string, string> =
    request.range === undefined || request.ifRange !== undefined ? {} : { range: request.range };
  const { status, headers: received, body } = await download({ url, guard, headers });
  const type = headerText(received, 'content-type');
  const isShown = status === 200 || status === 206 || status === 416;
  if (!isShown || (status !== 416 && !isMediaType(type))) {
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
  if (request.method !== 'HEAD' && status !== 416) return { ...reply, body };
  body.destroy();
  return { ...reply, body: undefined };
}
