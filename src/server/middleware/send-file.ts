import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { FileOutput } from '../../core/contract/endpoint.ts';

/**
 * Sends a download as it is produced: no faster than the client reads, and no further once the
 * client has left. After a failure the connection is cut, so that nobody takes a part for the
 * whole.
 */
export async function sendFile(
  response: Response,
  { name, type, total, chunks }: FileOutput,
): Promise<void> {
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (total !== undefined) response.setHeader('X-Total-Count', String(total));
  response.flushHeaders();
  try {
    await pipeline(Readable.from(chunks, { highWaterMark: 1 }), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
