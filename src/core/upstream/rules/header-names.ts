/** Which headers rules may touch (spec, providers-international 1.2). */

/** The connection's own, or set by the transport. */
const transport = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Where callers keep their credential for this gateway, which is nobody else's business. */
const credentials = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'mj-api-secret', 'cookie']);

/** A name that may be set or removed, in lower case; undefined otherwise. */
export function settableHeader(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) && !transport.has(lower) ? lower : undefined;
}

/** Told of the body as it came; bodies go on unpacked. */
const packing = 'content-encoding';

/** Whether a caller's header may be seen by rules and travel on. */
export function isPassableHeader(lower: string): boolean {
  return !transport.has(lower) && !credentials.has(lower) && lower !== packing && !lower.startsWith('sec-websocket-');
}

/** Text that a header can carry. */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
