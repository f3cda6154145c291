/** Decompression of request bodies, and of replies from upstreams that compress although `identity` was requested. */
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

/** Null: not compressed. Undefined: an unsupported encoding. */
export function createDecompressor(encoding: string): Transform | null | undefined {
  switch (encoding.toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      return undefined;
  }
}
