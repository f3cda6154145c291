/**
 * Uploaded images, for everybody who knows their address (docs/rules/files.md#serving). Nothing is
 * read from the database.
 */
import { pipeline } from 'node:stream/promises';
import type { Express, Request, Response } from 'express';
import type { App } from '../core/app.ts';
import type { ContentReply, ContentRequest } from '../core/files/content-reply.ts';

export function mountUploads(server: Express, { files }: App): void {
  server.get('/uploads/:year/:month/:name', async (request, response, next) => {
    const { year, month, name } = request.params;
    const reply = await files.openUpload(`${year}/${month}/${name}`, contentRequest(request));
    // An unknown path is the same as any other that the site does not have.
    if (reply === null) return next();
    await sendContent(response, reply);
  });
}

export function contentRequest(request: Request): ContentRequest {
  return {
    method: request.method,
    range: request.get('range'),
    ifRange: request.get('if-range'),
    ifNoneMatch: request.get('if-none-match'),
  };
}

/** A client that leaves ends the reading. */
export async function sendContent(
  response: Response,
  { status, headers, body }: ContentReply,
): Promise<void> {
  response.status(status).set(headers);
  if (body === undefined) return void response.end();
  try {
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
