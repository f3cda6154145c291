import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Effects } from '../provider.ts';
import { recordsOf, textOf } from './read-json.ts';

/** GETs a JSON document. Throws AppError('bad_response_status_code' | 'bad_response_body'). */
export async function getJson(effects: Effects, url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const reply = await effects.fetch({ method: 'GET', url, headers: { accept: 'application/json', ...headers } });
  if (reply.status !== 200) throw new AppError('bad_response_status_code', { status: reply.status });
  const body = parseJson(reply.text);
  if (body === undefined) throw new AppError('bad_response_body', { detail: 'not JSON' });
  return body;
}

/** One text field of every object in a list: the names in a model list. */
export function namesIn(list: unknown, field: string): string[] {
  return recordsOf(list).flatMap((entry) => textOf(entry[field]) ?? []);
}
