/** The client's body: read once, decompressed, limited after decompression (docs/rules/relay.md#body-size). */
import type { Transform } from 'node:stream';
import { AppError } from '../../kernel/errors.ts';
import { createDecompressor } from '../../upstream/decompress.ts';
import { GatheredBytes } from '../../upstream/gathered-bytes.ts';
import type { ClientRequest } from '../client/client.ts';

function decompressor(encoding: string): Transform | null {
  const stream = createDecompressor(encoding);
  if (stream === undefined) throw new AppError('unsupported_encoding', { encoding });
  return stream;
}

/**
 * Throws AppError request_too_large, unsupported_encoding, invalid_encoding, client_gone. A body that is too large
 * is not read to its end: the connection is closed after the reply.
 */
export function readRequestBody(request: ClientRequest, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = () => new AppError('request_too_large', { limit: Math.floor(maxBytes / 1024 / 1024) });
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return reject(tooLarge());
    const stream = decompressor(request.headers['content-encoding'] ?? '');
    const body = new GatheredBytes();
    let over = false;
    const fail = (error: AppError) => {
      if (over) return;
      over = true;
      request.off('data', take);
      request.pause();
      stream?.destroy();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      if (body.size + chunk.length > maxBytes) fail(tooLarge());
      else body.push(chunk);
    };
    const done = () => {
      if (over) return;
      over = true;
      resolve(body.join());
    };
    request.on('error', () => fail(new AppError('client_gone')));
    request.on('aborted', () => fail(new AppError('client_gone')));
    if (stream === null) {
      request.on('data', take);
      request.on('end', done);
    } else {
      stream.on('data', take);
      stream.on('end', done);
      stream.on('error', () => fail(new AppError('invalid_encoding')));
      request.pipe(stream);
    }
  });
}
