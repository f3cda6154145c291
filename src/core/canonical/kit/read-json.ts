/**
 * Lenient readers for what vendors send: only the fields that are used, null as good as absent,
 * numbers also as text (docs/rules/formats.md#lenient-reading).
 */
import { AppError } from '../../kernel/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';

export type Loose = Record<string, unknown>;

export function recordOf(value: unknown): Loose | undefined {
  return isObject(value) ? value : undefined;
}

/** The value as a list; anything else is an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; other items are passed over. */
export function recordsOf(value: unknown): readonly Loose[] {
  return listOf(value).filter(isObject);
}

/** A non-empty text, else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether nothing is in a value: absent, null, an empty text or an empty list. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '' || isEmptyList(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * A count: a non-negative integer, given as number or digits. Anything else is "not reported", also
 * what exceeds the safe integers, so that sums stay finite.
 */
export function countOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= 0 && number <= Number.MAX_SAFE_INTEGER))
    return undefined;
  return Math.trunc(number);
}

/** The object a reply has to be. Throws AppError('bad_response_body'). */
export function replyObject(body: unknown): Loose {
  if (isObject(body)) return body;
  throw new AppError('bad_response_body', { detail: 'the reply is not a JSON object' });
}

/** Copies the fields that have a value: what JSON.stringify would drop never reaches a body. */
export function compact(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) result[name] = value;
  return result;
}
