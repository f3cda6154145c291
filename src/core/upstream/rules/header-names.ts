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

/**
 * Headers that may contain a credential: the caller's for this gateway is never forwarded, the
 * channel's never shown to rules.
 */
const credentials = new Set([
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'mj-api-secret',
  'cookie',
]);

/** The name in lower case if rules may set or remove it; otherwise undefined. */
export function settableHeader(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) && !transport.has(lower) ? lower : undefined;
}

/** Describes the body as received, but bodies are forwarded decompressed. */
const contentEncoding = 'content-encoding';

/** Whether rules may read and forward a caller's header. */
export function isPassableHeader(lower: string): boolean {
  return (
    !transport.has(lower) &&
    !credentials.has(lower) &&
    lower !== contentEncoding &&
    !lower.startsWith('sec-websocket-')
  );
}

/** Whether a header of this name usually holds a credential. */
export function isCredentialHeader(lower: string): boolean {
  return credentials.has(lower);
}
