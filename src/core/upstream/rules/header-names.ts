/** Which headers rules may touch (docs/rules/channel-rules.md#settable-headers). */

/** Headers of the connection, set by the transport. */
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

/** Headers that may contain the caller's credential for this gateway, which is never forwarded. */
const credentials = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'mj-api-secret', 'cookie']);

/** The name in lower case if rules may set or remove it; otherwise undefined. */
export function settableHeader(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) && !transport.has(lower) ? lower : undefined;
}

/** Describes the body as received, but bodies are forwarded decompressed. */
const contentEncoding = 'content-encoding';

/** Whether rules may read and forward a caller's header. */
export function isPassableHeader(lower: string): boolean {
  return !transport.has(lower) && !credentials.has(lower) && lower !== contentEncoding && !lower.startsWith('sec-websocket-');
}

/** Whether a text is a valid header value. */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
