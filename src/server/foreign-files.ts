/**
 * Files of other sites through the gateway (docs/rules/files.md#foreign-files). They are no calls:
 * pictures and players load them.
 */
import type { Express, Request } from 'express';
import type { RateLimits } from '../core/accounts/rate-limits.ts';
import type { App } from '../core/app.ts';
import type { ContentReply } from '../core/files/content-reply.ts';
import { AppError } from '../core/kernel/errors.ts';
import { foreignFilePath, iconPath } from '../core/kernel/shown-addresses.ts';
import { failureReply } from './call.ts';
import { identify } from './middleware/authentication.ts';
import { sendReply } from './middleware/errors.ts';
import { factsOf } from './middleware/request-facts.ts';
import { contentRequest, sendContent } from './uploads.ts';

const iconHeaders = {
  'Cache-Control': 'public, max-age=3600',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
} as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function mountForeignFiles(server: Express, app: App, limits: RateLimits): void {
  const { files } = app;
  const open = async (request: Request): Promise<ContentReply> => {
    await limits.api(factsOf(request).clientIp);
    const { actor } = await identify(app, request, { access: 'user', shape: 'code' }, undefined);
    if (actor === null) throw new AppError('not_signed_in');
    const { address, exp, sig } = request.query;
    const query = { address: textOf(address), exp: textOf(exp), sig: textOf(sig) };
    return files.foreign.open(actor.id, query, contentRequest(request));
  };
  server.get(foreignFilePath, async (request, response) => {
    try {
      await sendContent(response, await open(request));
    } catch (error) {
      if (response.headersSent || !(error instanceof AppError) || error.code === 'internal_error')
        throw error;
      sendReply(response, failureReply({ keepsStatus: true }, error, factsOf(request).language));
    }
  });
  server.get(iconPath, async (request, response, next) => {
    const icon = await files.findIcon(textOf(request.query['address']));
    // As any other path that the site does not have.
    if (icon === null) return next();
    response.set(iconHeaders).type(icon.type).send(icon.bytes);
  });
}
