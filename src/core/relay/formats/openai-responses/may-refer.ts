import type { RequestBody } from '../../body/request-body.ts';

const backslash = 0x5c;
const colon = 0x3a;
const closeBrace = 0x7d;
const quote = 0x22;
/** Of `null`. */
const smallN = 0x6e;

/** Whether a text stands at a place where `test`, given the byte behind it, holds. */
function holds(bytes: Buffer, text: string, test: (end: number) => boolean): boolean {
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + text.length))
    if (test(at + text.length)) return true;
  return false;
}

/** The first byte from `at` on that is no blank, and no colon. */
function next(bytes: Buffer, at: number): number {
  let i = at;
  while ((bytes[i] ?? quote) <= 0x20 || bytes[i] === colon) i += 1;
  return i;
}

/** A letter that is written as an escape: it may hide any word. */
function hidesLetters(bytes: Buffer): boolean {
  return holds(bytes, '\\u00', (end) => {
    const digit = bytes[end] ?? 0;
    return digit >= 0x34 && digit <= 0x37;
  });
}

/** An id with which its object ends; an escape in it may be anything. */
function endsWithId(bytes: Buffer): boolean {
  return holds(bytes, '"id"', (end) => {
    const start = next(bytes, end);
    if (bytes[start] !== quote) return false;
    const close = bytes.indexOf(quote, start + 1);
    return bytes[close - 1] === backslash || bytes[next(bytes, close + 1)] === closeBrace;
  });
}

function hasNullType(bytes: Buffer): boolean {
  return holds(bytes, '"type"', (end) => bytes[next(bytes, end)] === smallN);
}

/**
 * Whether the input of a body may refer to items of earlier responses, by their type or by an id
 * alone: only then it is parsed. What is overlooked would be resolved by the upstream, among the
 * items of all customers.
 */
export function mayRefer(body: RequestBody): boolean {
  if (body.contains === undefined || body.contains('item_reference')) return true;
  const input = body.bytesOf?.('input');
  return input !== undefined && (hidesLetters(input) || endsWithId(input) || hasNullType(input));
}
