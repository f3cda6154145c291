/**
 * The client's body: read once, decompressed, limited after decompression
 * (docs/rules/relay.md#body-size).
 */
import { IncomingMessage } from 'node:http';
import { AppError } from '../../kernel/errors.ts';
import { createDecompressor, type Decompressor } from '../../upstream/decompress.ts';
import { GatheredBytes } from '../../upstream/gathered-bytes.ts';
import type { ClientRequest } from '../client/client.ts';
import { type ClientWatch, departureError } from '../client/client-watch.ts';

/**
 * A compressed body above this many bytes may not be this many times as large as it came: text is a
 * tenth of that.
 */
const freeExpansion = 8 * 1024 * 1024;
const mostExpansion = 200;

/** How large a body may be, and who sends it. */
export interface BodyLimits {
  /** After decompression. */
  readonly maxBytes: number;
  /** The error of a larger body; absent: request_too_large. */
  readonly tooLarge?: () => AppError;
  /** Called with the bytes of each chunk before it is kept; what it throws refuses the body. */
  readonly claim: (bytes: number) => void;
  /** Nobody else listens to it meanwhile. */
  readonly client: Pick<ClientWatch, 'onLeft'>;
}

function decompressor(encoding: string): Decompressor | null {
  const stream = createDecompressor(encoding);
  if (stream === undefined) throw new AppError('unsupported_encoding', { encoding });
  return stream;
}

/**
 * Memory of `bytes` bytes for a body, which is used again when the request is over
 * (docs/rules/relay.md#body-memory).
 */
export type LendMemory = (bytes: number) => Buffer;

/**
 * Throws AppError request_too_large, request_overcompressed, unsupported_encoding,
 * invalid_encoding, client_gone, shutting_down, and those of `claim`. A body that is refused is not
 * read to its end: the connection is closed after the reply. With `lend`, the body may lie in
 * memory that was lent, and must not be read after the request.
 */
export function readRequestBody(
  request: ClientRequest,
  limits: BodyLimits,
  lend?: LendMemory,
): Promise<Buffer> {
  const announced = lend === undefined ? 0 : plainLength(request);
  if (lend === undefined || announced < worthLending || announced > limits.maxBytes)
    return gatherBody(request, limits);
  return copyBody(request, announced, limits, lend);
}

/**
 * Calls `stop` where the rest of the body will not come. The client may have left before anybody
 * listened: a request that was destroyed has no more events.
 */
function whenCutOff(
  request: ClientRequest,
  client: BodyLimits['client'],
  stop: (error: AppError) => void,
): void {
  const gone = () => stop(departureError('left'));
  if (request.destroyed) gone();
  request.on('error', gone);
  request.on('aborted', gone);
  client.onLeft((why) => stop(departureError(why)));
}

/** Bytes from which on a body is copied into lent memory. */
const worthLending = 16 * 1024;

/**
 * The length of an uncompressed body as the client announces it; 0 where it does not, and for
 * frames of a WebSocket.
 */
function plainLength(request: ClientRequest): number {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } =
    request.headers;
  return request instanceof IncomingMessage && encoding === 'identity' ? Number(length) : 0;
}

/**
 * Copies each chunk into one buffer of the announced length and frees the memory of the chunk at
 * once.
 */
function copyBody(
  request: ClientRequest,
  length: number,
  { claim, client }: BodyLimits,
  lend: LendMemory,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    claim(length);
    const body = lend(length);
    let used = 0;
    const take = (chunk: Buffer) => {
      used += chunk.copy(body, used);
      // node gives each chunk memory of its own; the collector would find it only much later.
      if (chunk.buffer.byteLength === chunk.length) (chunk.buffer as ArrayBuffer).transfer(0);
    };
    request.on('data', take);
    request.on('end', () => resolve(body));
    whenCutOff(request, client, (error) => {
      request.off('data', take);
      reject(error);
    });
  });
}

function gatherBody(
  request: ClientRequest,
  { maxBytes, claim, client, ...limits }: BodyLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge =
      limits.tooLarge ??
      (() => new AppError('request_too_large', { limit: Math.floor(maxBytes / 1024 / 1024) }));
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
      if (over) return;
      const size = body.size + chunk.length;
      if (size > maxBytes) return fail(tooLarge());
      if (stream !== null && size > freeExpansion && size > stream.bytesWritten * mostExpansion)
        return fail(new AppError('request_overcompressed', { ratio: mostExpansion }));
      try {
        claim(chunk.length);
      } catch (error) {
        return fail(error as AppError);
      }
      body.push(chunk);
    };
    const done = () => {
      if (over) return;
      over = true;
      resolve(body.join());
    };
    whenCutOff(request, client, fail);
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
