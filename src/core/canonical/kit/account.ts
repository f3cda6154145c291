import { decimal, toText } from '../../kernel/decimal.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Effects } from '../provider.ts';
import { failureMessage } from './failure.ts';
import { recordsOf, textOf } from './read-json.ts';

/**
 * GETs a JSON document. Throws AppError('bad_response_status_code' | 'bad_response_body'), the former
 * with the upstream's own words, which are to be masked before they leave the server.
 */
export async function getJson(
  effects: Effects,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const reply = await effects.fetch({
    method: 'GET',
    url,
    headers: { accept: 'application/json', ...headers },
  });
  const body = parseJson(reply.text);
  if (reply.status !== 200) {
    const detail = failureMessage(body);
    throw new AppError('bad_response_status_code', {
      status: reply.status,
      ...(detail !== undefined && { detail }),
    });
  }
  if (body === undefined) throw new AppError('bad_response_body', { detail: 'not JSON' });
  return body;
}

/**
 * An amount given as a number or as digits. Throws AppError('bad_response_body') for anything else.
 */
export function amountOf(value: unknown): string {
  try {
    if (typeof value === 'number') return toText(decimal(value));
    if (typeof value === 'string' && decimal(value)) return value;
  } catch {
    // Not a number; reported below.
  }
  throw new AppError('bad_response_body', { detail: 'no balance in it' });
}

/** Pages of a list that are read at most, against an upstream that never ends. */
const maxPages = 20;

/** All entries of a paged list. `read` gets the token of the next page from the page before. */
export async function readPages<T>(
  read: (
    next: string | undefined,
  ) => Promise<{ readonly entries: readonly T[]; readonly next: string | undefined }>,
): Promise<T[]> {
  const entries: T[] = [];
  let next: string | undefined;
  for (let page = 0; page < maxPages; page++) {
    const reported = await read(next);
    entries.push(...reported.entries);
    next = reported.next;
    if (next === undefined) break;
  }
  return entries;
}

/** One text field of every object in a list: the names in a model list. */
export function namesIn(list: unknown, field: string): string[] {
  return recordsOf(list).flatMap((entry) => textOf(entry[field]) ?? []);
}
