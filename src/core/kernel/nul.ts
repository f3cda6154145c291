import { isObject } from './json.ts';

/**
 * Whether a text or a key in a JSON value contains NUL, which PostgreSQL does not store. Deep
 * nesting does not overflow.
 */
export function hasNul(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (next.includes('\0')) return true;
    } else if (Array.isArray(next)) {
      for (const item of next) open.push(item);
    } else if (isObject(next)) {
      for (const [key, item] of Object.entries(next)) open.push(key, item);
    }
  }
  return false;
}
