/**
 * Puts items behind a list's own. Not `push(...items)`: a call takes some hundred thousand
 * arguments, callers' lists hold more.
 */
export function append<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}
