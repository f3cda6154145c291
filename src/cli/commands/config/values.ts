/** Values of a configuration file: comparing, and flattening to entries. */
import { isObject } from '../../../core/kernel/json.ts';
import { entryName, mapTexts } from '../../../core/kernel/secret-texts.ts';

/** An entry whose secret the file does not name; the site keeps the one that it has. */
export const kept = 'secret:keep';
/** An entry whose secret is to be cleared. */
export const cleared = 'secret:none';
/** What a diff shows in place of a secret. */
export const hidden = '(secret)';

/** One difference: `from` undefined where the entry is new, `to` undefined where it goes. */
export interface Line {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => {
    if (Array.isArray(part)) return part[Number(name)];
    return isObject(part) && Object.hasOwn(part, name) ? part[name] : undefined;
  }, value);
}

/**
 * Objects are merged by entry as JSON Merge Patch does (RFC 7396): what the file does not name
 * stays, and null removes an entry. With `replace` only what the file names stays.
 */
export function mergeEntries(live: unknown, given: unknown, replace: boolean): unknown {
  if (!isObject(given)) return given;
  const before = isObject(live) ? live : {};
  const named = Object.entries(given).filter(([, value]) => value !== null);
  const kept = replace
    ? []
    : Object.entries(before).filter(([name]) => !Object.hasOwn(given, name));
  return Object.fromEntries([
    ...kept,
    ...named.map(([name, value]) => [name, mergeEntries(before[name], value, replace)] as const),
  ]);
}

/** Equal values have equal texts, whatever the order of the entries of objects. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.keys(value).sort();
  return `{${entries.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join(',')}}`;
}

/** The differences by entry; `mask` is the text that is shown of a scalar. */
export function linesBetween(
  from: unknown,
  to: unknown,
  mask: (text: string, name: string) => string,
): readonly Line[] {
  const show = (value: unknown, path: readonly string[]): string => {
    const masked = mapTexts(value, (text, inner) => mask(text, entryName([...path, ...inner])));
    return typeof masked === 'string' ? masked : JSON.stringify(masked);
  };
  const between = (before: unknown, after: unknown, path: readonly string[]): readonly Line[] => {
    if (before === undefined && after === undefined) return [];
    if (
      before !== undefined &&
      after !== undefined &&
      canonicalText(before) === canonicalText(after)
    )
      return [];
    if (isObject(before ?? {}) && isObject(after ?? {})) return betweenObjects(before, after, path);
    if (Array.isArray(before) && Array.isArray(after)) {
      const lines = betweenLists(before, after, path);
      if (lines.length > 0) return lines;
    }
    const name = path.join('.');
    return [
      {
        path: name,
        ...(before !== undefined && { from: show(before, path) }),
        ...(after !== undefined && { to: show(after, path) }),
      },
    ];
  };
  const betweenObjects = (before: unknown, after: unknown, path: readonly string[]) => {
    const old = isObject(before) ? before : {};
    const next = isObject(after) ? after : {};
    const names = [...new Set([...Object.keys(old), ...Object.keys(next)])];
    return names.flatMap((name) => between(old[name], next[name], [...path, name]));
  };
  const betweenLists = (
    before: readonly unknown[],
    after: readonly unknown[],
    path: readonly string[],
  ): readonly Line[] => {
    const name = path.join('.');
    const old = new Set(before.map(canonicalText));
    const next = new Set(after.map(canonicalText));
    const gone = before.filter((entry) => !next.has(canonicalText(entry)));
    const added = after.filter((entry) => !old.has(canonicalText(entry)));
    return [
      ...gone.map((entry) => ({ path: name, from: show(entry, path) })),
      ...added.map((entry) => ({ path: name, to: show(entry, path) })),
    ];
  };
  return between(from, to, []);
}
