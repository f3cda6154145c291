import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Effects, Provider, UpstreamRequest } from '../provider.ts';
import { ReplyFailure } from './failure.ts';

/** Milliseconds one of several requests may take. */
const timeoutMs = 60_000;

/**
 * One of the requests of an operation that needs several, its reply parsed. Throws ReplyFailure as
 * `readFailure` reads a failed status, and AppError('bad_response_body') for what is no JSON.
 */
export async function requestJson(
  effects: Effects,
  request: UpstreamRequest,
  readFailure: Provider['readFailure'],
): Promise<unknown> {
  const { status, text, headers } = await effects.fetch({ ...request, timeoutMs });
  const body = parseJson(text.trim());
  if (status < 200 || status > 299)
    throw new ReplyFailure(readFailure({ status, headers, text, body }));
  if (body === undefined) throw new AppError('bad_response_body', { detail: 'not JSON' });
  return body;
}
