/** What a change was, as the audit log keeps it (docs/rules/security.md#audit-log). */

import { Secret } from '../kernel/secret.ts';

/** A field's value before and after; without either where values may be secret. */
export interface FieldChange {
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Characters of a value that an entry keeps. */
const longest = 200;

/**
 * The fields of `patch` that differ from `before`. Those in `hidden` are named without their
 * values; nothing else that may hold a secret may be in `patch`.
 */
export function describeChanges<Row extends object>(
  before: Row,
  patch: Partial<Row>,
  hidden: readonly (keyof Row)[] = [],
): { readonly changes: Readonly<Record<string, FieldChange>> } {
  const changed = (Object.keys(patch) as (keyof Row & string)[]).filter(
    (name) => !isSame(before[name], patch[name]),
  );
  return {
    changes: Object.fromEntries(
      changed.map((name) => [
        name,
        hidden.includes(name) ? {} : { from: shorten(before[name]), to: shorten(patch[name]) },
      ]),
    ),
  };
}

/** A secret is only in a patch where it was entered. */
function isSame(one: unknown, other: unknown): boolean {
  if (other instanceof Secret) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > longest ? `${value.slice(0, longest)}…` : value;
  return value === undefined ? null : value;
}
