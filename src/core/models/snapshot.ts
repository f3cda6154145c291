/** A date behind a model's name, and more after it: `-20260101`, `-2026-01-01`, `@20260101`. */
const date = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2})(?=[-@:]|$)/;

/**
 * The model whose dated snapshot a name is: `gpt-4.1` of `gpt-4.1-2025-04-14`; undefined: it has no
 * date (docs/rules/models.md#unknown-names).
 */
export function modelOfSnapshot(name: string): string | undefined {
  const start = name.search(date);
  return start > 0 ? name.slice(0, start) : undefined;
}
