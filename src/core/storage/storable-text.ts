/**
 * A text from outside as every engine can store it: PostgreSQL's hold neither NUL nor half of a
 * surrogate pair.
 */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
