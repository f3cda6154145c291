/** Which texts within a value are credentials, wherever they stand. */
import { isObject } from './json.ts';

/** What stands in place of a credential for readers who may not see it. */
export const hiddenText = '***';

/**
 * Names of entries whose text is a credential: `Authorization`, `x-api-key`, `app_secret`; not
 * `max_tokens`.
 */
const secretNames =
  /(^|[-_.])(authorization|cookie|password|passwd|secret|credential|credentials|token|key|apikey)$/i;

/** Keys of vendors wherever they stand, as in a header or a parameter. */
const secretTexts = /^(bearer|basic) \S|\bsk-[\w-]{16,}/i;
/** The user part of an address: `https://user:password@host`. */
const userInAddress = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#]+@/i;

/**
 * Whether the text of an entry is a secret: by its name, by what it looks like, or as an address
 * with a user, a key or a webhook's path in it. A text that is only a placeholder such as `{key}`
 * is not.
 */
export function isSecretEntry(name: string, text: string): boolean {
  if (text === '' || isPlaceholder(text)) return false;
  if (secretNames.test(name) || secretTexts.test(text) || userInAddress.test(text)) return true;
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { searchParams, pathname, search } = new URL(text);
  if (
    [...searchParams].some(
      ([key, value]) => secretNames.test(key) && value !== '' && !isPlaceholder(value),
    )
  )
    return true;
  const isHook = /webhook/i.test(name) || /(^|\/)(web)?hooks?(\/|$)/i.test(pathname);
  return isHook && (pathname.length > 1 || search !== '');
}

const isPlaceholder = (text: string): boolean => /^(bearer )?\{\w+\}$/i.test(text);

/** A copy with another text for each text in it. `name` is that of the innermost entry. */
export function mapTexts(
  value: unknown,
  change: (text: string, path: readonly string[]) => unknown,
): unknown {
  const walk = (part: unknown, path: readonly string[]): unknown => {
    if (typeof part === 'string') return change(part, path);
    if (Array.isArray(part))
      return part.map((entry, index) => walk(entry, [...path, String(index)]));
    if (isObject(part))
      return Object.fromEntries(
        Object.entries(part).map(([name, entry]) => [name, walk(entry, [...path, name])]),
      );
    return part;
  };
  return walk(value, []);
}

/** The name that decides whether a text is secret: in a list, that of the list. */
export function entryName(path: readonly string[]): string {
  return path.findLast((part) => !/^\d+$/.test(part)) ?? '';
}
