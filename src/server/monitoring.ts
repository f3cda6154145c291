/**
 * Health and metrics for whatever watches the process (docs/rules/process.md#health). No limits
 * apply, so replies are cheap.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Express, Request } from 'express';
import type { App } from '../core/app.ts';

export interface MonitoringDeps {
  readonly app: App;
  readonly isStopping: () => boolean;
}

/** Milliseconds for which the database's reply stands: anybody may ask. */
const databaseMemory = 1000;
/** Milliseconds that it may take. */
const databaseLimit = 2000;

export function mountMonitoring(server: Express, { app, isStopping }: MonitoringDeps): void {
  const databaseAnswers = createDatabaseCheck(app);
  server.get('/healthz', (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  server.get('/readyz', async (_request, response) => {
    const { stalled, failure } = app.billing.queue();
    const checks = {
      accepting: !isStopping() && !app.nodes.isLeaving(),
      database: await databaseAnswers(),
      ledger: !stalled,
    };
    const isReady = Object.values(checks).every(Boolean);
    response
      .status(isReady ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({
        status: isReady ? 'ok' : 'unavailable',
        checks,
        ...(failure && { reason: failure.code }),
      });
  });
  const { render } = app.metrics;
  if (render === undefined) return;
  server.get('/metrics', (request, response) => {
    if (!hasToken(request, app.config.metricsToken)) {
      response
        .status(401)
        .set('WWW-Authenticate', 'Bearer')
        .type('text/plain')
        .send('the metrics token is needed\n');
      return;
    }
    response
      .set('Cache-Control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(render());
  });
}

function hasToken(request: Request, token: string): boolean {
  const given = /^Bearer (\S+)$/.exec(request.get('authorization') ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

function createDatabaseCheck({ setup, clock }: App): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let last: Promise<boolean> = Promise.resolve(true);
  const check = async (): Promise<boolean> => {
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), databaseLimit);
    const answers = setup.pingDatabase().then(
      () => true,
      () => false,
    );
    const result = await Promise.race([answers, late]);
    clearTimeout(timer);
    return result;
  };
  return () => {
    if (clock.now() - checkedAt >= databaseMemory) {
      checkedAt = clock.now();
      last = check();
    }
    return last;
  };
}
