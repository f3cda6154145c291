import compression from 'compression';
import express, { type Express } from 'express';
import { refusePageParts } from '../core/accounts/cross-site.ts';
import { createRateLimits } from '../core/accounts/rate-limits.ts';
import { buildHeader } from '../core/contract/envelope.ts';
import { AppError } from '../core/kernel/errors.ts';
import { findConsole, serveConsole } from './console.ts';
import { mountForeignFiles } from './foreign-files.ts';
import { keptAssetsIn } from './kept-assets.ts';
import { handleErrors } from './middleware/errors.ts';
import { attachRequestFacts } from './middleware/request-facts.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { mountMonitoring } from './monitoring.ts';
import { callOf, type MountDeps, mountApi } from './mount.ts';
import { mountPaymentNotices } from './payment-notices.ts';
import { mountTelegramBinding } from './telegram-binding.ts';
import { createTimeBudget } from './time-budget.ts';
import { mountUploads } from './uploads.ts';

export interface ExpressDeps extends Omit<MountDeps, 'limits' | 'budget'> {
  /** Folder of the built console; absent: the default places. */
  readonly consoleFolder?: string;
  /** Whether the gateway stops, so that requests are refused. Absent: never. */
  readonly isStopping?: () => boolean;
  /** Milliseconds of this thread's time; absent: as the system counts them. */
  readonly threadTime?: () => number;
}

/**
 * The console and its API. Relay paths are handled before Express (docs/rules/relay.md#hot-path).
 */
export function createExpressApp({
  consoleFolder,
  isStopping = () => false,
  threadTime,
  ...deps
}: ExpressDeps): Express {
  const { app } = deps;
  const limits = createRateLimits(app.config, app.cluster);
  const files = findConsole(consoleFolder);
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  server.set('query parser', 'simple');
  server.use(attachRequestFacts(app));
  mountMonitoring(server, { app, isStopping });
  server.use((_request, _response, next) =>
    next(isStopping() ? new AppError('shutting_down') : undefined),
  );
  server.use(securityHeaders(files?.scriptHashes ?? [], app.site.options));
  server.use(
    compression({
      threshold: 1024,
      filter: (request, response) =>
        !isEventStream(response) && compression.filter(request, response),
    }),
  );
  server.use(['/api', '/public', '/users'], (request, response, next) => {
    refusePageParts(request.headers);
    // A page of another build learns that it is old (docs/rules/console.md#new-build).
    if (files !== undefined) response.setHeader(buildHeader, files.build);
    next();
  });
  mountUploads(server, app);
  mountForeignFiles(server, app, limits);
  mountPaymentNotices(server, app);
  mountTelegramBinding(server, app, limits);
  const budget = createTimeBudget({
    clock: app.clock,
    now: threadTime,
    isEnabled: app.config.globalApiRateLimitEnable,
  });
  mountApi(server, { ...deps, limits, budget });
  serveConsole(server, files, limits, app.site.options, keptAssetsIn(app.config));
  server.use(handleErrors(app, callOf));
  return server;
}

function isEventStream(response: { getHeader(name: string): unknown }): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}
