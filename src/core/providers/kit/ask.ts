import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Effects, Provider, UpstreamRequest } from '../provider.ts';
import { ReplyFailure } from './failure.ts';

/** Milliseconds one of several requests may take. */
const timeoutMs = 60_000;

/**
 * One of the requests of an operation that needs several, its reply parsed. Throws ReplyFailure as `readFailure` reads a
 * failed status, and AppError('bad_response_body') for what is no JSON.
 */
export async function askJson(
  effects: Effects,
  request: UpstreamRequest,
  readFailure: Provider['readFailure'],
): Promise<unknown> {
  const { status, text, headers } = await effects.fetch({ ...request, timeoutMs });
  const body = parseJson(text.trim());
  if (status < 200 || status > 299) throw new ReplyFailure(readFailure({ status, headers, text, body }));
  if (body === undefined) throw new AppError('bad_response_body', { detail: 'not JSON' });
  return body;
}

/** `run` for every item, at most `width` at once; the results in the items' order. Rejects with the first failure. */
export async function askEach<T, R>(items: readonly T[], width: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += width) results.push(...(await Promise.all(items.slice(at, at + width).map(run))));
  return results;
}

/** The sum of counts, where all of them were told. */
export function sumOfCounts(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
}
