/**
 * Where the errors of a form belong: each is shown once, at the visible field that is nearest to
 * its path.
 */
import type { FieldErrors, FormField } from './fields.ts';

/** `setting`, or `setting.proxy` for a part of it. */
export function pathOf<V>({ name, part }: FormField<V>): string {
  return part === undefined ? name : `${name}.${part.path}`;
}

const holds = (path: string, inner: string) => inner === path || inner.startsWith(`${path}.`);

export interface PlacedErrors {
  /** By the path of the field that shows it. */
  readonly byPath: Readonly<Record<string, string>>;
  /** Those of no visible field. */
  readonly others: readonly string[];
}

/**
 * An error of `setting.proxy` is shown at the field of that part if there is one, otherwise at the
 * field of the whole.
 */
export function placeErrors<V>(
  fields: readonly FormField<V>[],
  errors: FieldErrors<V>,
): PlacedErrors {
  const byLength = fields.map(pathOf).sort((a, b) => b.length - a.length);
  const byPath: Record<string, string> = {};
  const others: string[] = [];
  for (const [errorPath, message] of Object.entries<string | undefined>(errors)) {
    if (message === undefined) continue;
    const path = byLength.find((candidate) => holds(candidate, errorPath));
    if (path === undefined) others.push(message);
    else byPath[path] ??= message;
  }
  return { byPath, others };
}

export function isVisible<V>(field: FormField<V>, values: V): boolean {
  return field.visible?.(values) ?? true;
}
