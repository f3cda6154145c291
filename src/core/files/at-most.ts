import { Readable } from 'node:stream';
import { AppError } from '../kernel/errors.ts';

export function tooLarge(maxBytes: number): AppError {
  return new AppError('file_too_large', { limit: maxBytes / (1024 * 1024) });
}

/**
 * The bytes of a stream. Reading throws AppError file_too_large where they become too many; the
 * stream ends with its reader.
 */
export function atMost(body: Readable, maxBytes: number): Readable {
  const read = async function* () {
    let left = maxBytes;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        left -= chunk.length;
        if (left < 0) throw tooLarge(maxBytes);
        yield chunk;
      }
    } finally {
      body.destroy();
    }
  };
  return Readable.from(read(), { objectMode: false });
}
