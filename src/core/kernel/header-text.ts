/**
 * Whether a text can be the value of an HTTP header: printable ASCII, Latin-1 and tabs, no line
 * breaks (RFC 9110, field values).
 */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
