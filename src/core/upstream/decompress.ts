/**
 * Decompression of request bodies, and of replies from upstreams that compress although `identity`
 * was requested.
 */
import {
  type BrotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  type Gunzip,
  type Inflate,
  type ZstdDecompress,
} from 'node:zlib';

export type Decompressor = Gunzip | Inflate | BrotliDecompress | ZstdDecompress;

/** A window of 8 MB, the most that HTTP allows (RFC 9659): a few bytes could ask for 128 MB. */
const zstdWindow = 23;

/** Null: not compressed. Undefined: an unsupported encoding. */
export function createDecompressor(encoding: string): Decompressor | null | undefined {
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
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindow } });
    default:
      return undefined;
  }
}
