import compression from 'compression';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { AppError } from '../core/kernel/errors.ts';
import { findConsole, serveConsole } from './console.ts';
import { handleErrors } from './middleware/errors.ts';
import { createRateLimits } from './middleware/rate-limits.ts';
import { attachRequestFacts } from './middleware/request-facts.ts';
import { callOf, type MountDeps, mountApi } from './mount.ts';
import { mountPaymentNotices } from './payment-notices.ts';

export interface ExpressDeps extends Omit<MountDeps, 'limits'> {
  /** Folder of the built console; absent: the default places. */
  readonly consoleFolder?: string;
  /** Whether the gateway stops, so that requests are refused. Absent: never. */
  readonly isStopping?: () => boolean;
}

/** The console and its API. Relay paths are handled before Express (docs/rules/relay.md#hot-path). */
export function createExpressApp({ consoleFolder, isStopping = () => false, ...deps }: ExpressDeps): Express {
  const { app } = deps;
  const limits = createRateLimits(app.config, app.cluster);
  const files = findConsole(consoleFolder);
  const server = express();
  server.disable('x-powered-by');
  server.disable('etag');
  server.set('query parser', 'simple');
  server.use(attachRequestFacts(app));
  server.use((_request, _response, next) => next(isStopping() ? new AppError('shutting_down') : undefined));
  server.use(securityHeaders(files?.scriptHashes ?? []));
  server.use(
    compression({
      threshold: 1024,
      filter: (request, response) => !isEventStream(response) && compression.filter(request, response),
    }),
  );
  mountPaymentNotices(server, app);
  mountApi(server, { ...deps, limits });
  serveConsole(server, files, limits);
  server.use(handleErrors(app, callOf));
  return server;
}

function isEventStream(response: { getHeader(name: string): unknown }): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}

/** Logos and framed pages may come from any site, because the owner sets them. Scripts come only from here and Turnstile. */
function securityHeaders(scriptHashes: readonly string[]) {
  const humanCheck = 'https://challenges.cloudflare.com';
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", humanCheck, ...scriptHashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', 'http:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", 'https:'],
        frameSrc: ["'self'", 'https:', 'http:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'", 'https:'],
        frameAncestors: ["'self'"],
      },
    },
    // No HSTS: the operator decides whether the site is reachable over https only.
    strictTransportSecurity: false,
    originAgentCluster: false,
    crossOriginOpenerPolicy: false,
  });
}
