/** `multipart/form-data` bodies (RFC 7578), written in one piece: adapters are synchronous. */
import { randomBytes } from 'node:crypto';
import type { MediaFile } from '../calls.ts';

export type FormEntry = readonly [name: string, value: string | MediaFile];

/** Names in a part's header, as the WHATWG form encoding escapes them. */
function quoteName(name: string): string {
  return `"${name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')}"`;
}

/** A media type that is safe in a header line; callers write theirs in data URIs. */
function safeMediaType(mediaType: string): string {
  return /^[\x20-\x7e]+$/.test(mediaType) ? mediaType : 'application/octet-stream';
}

/** Entries in order; a name may occur more than once. */
export function writeMultipart(entries: readonly FormEntry[]): {
  readonly contentType: string;
  readonly bytes: Buffer;
} {
  const boundary = `----form${randomBytes(16).toString('hex')}`;
  const pieces: Buffer[] = [];
  for (const [name, value] of entries) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name=${quoteName(name)}`;
    if (typeof value === 'string') pieces.push(Buffer.from(`${head}\r\n\r\n${value}\r\n`));
    else {
      pieces.push(
        Buffer.from(
          `${head}; filename=${quoteName(value.filename)}\r\ncontent-type: ${safeMediaType(value.mediaType)}\r\n\r\n`,
        ),
        Buffer.from(value.bytes),
        Buffer.from('\r\n'),
      );
    }
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(pieces) };
}
