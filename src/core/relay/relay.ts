/** The relay's front door: every request under its paths, before Express sees it (design, product 6). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pickLanguage } from '../i18n/translate.ts';
import { AppError } from '../kernel/errors.ts';
import { requestId } from '../kernel/request-id.ts';
import { guardedConnector } from '../upstream/guard.ts';
import { createUpstream } from '../upstream/send.ts';
import { type AttemptParts, runAttempts } from './attempts.ts';
import { authenticate } from './authenticate.ts';
import { createChannelFaults } from './channel-fault.ts';
import { watchClient } from './client-watch.ts';
import { countTokens } from './count-tokens.ts';
import { asAppError, describeFailure } from './failure.ts';
import { callerModels, listShape, modelList, openAiModel } from './model-list.ts';
import type { CallerRequest, RelayParts, RelayRequest } from './parts.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { chooseModel, openJob, readJsonBody } from './read-request.ts';
import { corsHeaders, idHeaders, sendError, sendJson } from './reply.ts';
import { matchRoute, type Route } from './routes.ts';
import { errorBody } from './wire-formats/error-body.ts';

export interface Relay {
  /** True: a path of the relay, which answers it. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Requests under way. */
  readonly active: number;
  /** Refuses new requests and waits for those under way, at most `limit` ms. */
  drain(limit: number): Promise<void>;
  close(): Promise<void>;
}

export function createRelay(parts: RelayParts): Relay {
  const files = createUpstream({ connect: guardedConnector(parts.guard) });
  const attempts: AttemptParts = {
    faults: createChannelFaults(parts),
    filesFor: (signal) => ({ upstream: files, guard: parts.guard, maxBytes: parts.limits.maxFileBytes, signal }),
  };
  const limiter = createRateLimiter(parts.clock);
  let active = 0;
  let draining = false;
  let idle: (() => void) | null = null;

  const serve = async (route: Route, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAt = parts.clock.now();
    const job: RelayRequest = {
      parts,
      policy: parts.policy(),
      request,
      response,
      route,
      requestId: requestId(startedAt, parts.ids),
      startedAt,
      language: pickLanguage(request.headers['accept-language']),
      address: parts.clientAddress(request),
    };
    try {
      if (draining) throw new AppError('shutting_down');
      await answer(job, attempts, limiter);
    } catch (error) {
      const known = asAppError(error);
      if (known.code === 'internal_error') parts.logger.error({ error, requestId: job.requestId }, 'a request failed');
      // What was not read of the body would be taken for the next request.
      if (!request.complete) response.setHeader('connection', 'close');
      sendError(
        response,
        route.dialect,
        describeFailure({ from: 'gateway', error: known }, job.language, job.requestId),
        job.requestId,
      );
    }
  };

  return {
    handle: (request, response) => {
      const route = matchRoute(request.method ?? 'GET', request.url ?? '/');
      if (route === null) return false;
      if (request.method === 'OPTIONS') {
        sendPreflight(request, response);
        return true;
      }
      active += 1;
      response.on('error', () => response.destroy());
      void serve(route, request, response).finally(() => {
        active -= 1;
        if (active === 0) idle?.();
      });
      return true;
    },
    get active() {
      return active;
    },
    drain: async (limit) => {
      draining = true;
      if (active === 0) return;
      const timer = new AbortController();
      await Promise.race([
        new Promise<void>((resolve) => {
          idle = resolve;
        }),
        parts.clock.sleep(limit, timer.signal).catch(() => undefined),
      ]);
      timer.abort(new Error('drained'));
    },
    close: () => files.close(),
  };
}

/** Browsers may call with any header: nothing but the token in it grants anything (spec, relay 19). */
function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '43200',
  });
  response.end();
}

/** Counts the request against its user's limit, and its success afterwards. */
async function serveLimited(job: CallerRequest, limiter: RateLimiter, serve: () => Promise<void>): Promise<void> {
  const { rateLimit } = job.policy;
  if (rateLimit === null) return serve();
  limiter.enter(job.caller.userId, rateLimit);
  await serve();
  if (job.response.statusCode < 400) limiter.succeeded(job.caller.userId, rateLimit);
}

async function answer(job: RelayRequest, attempts: AttemptParts, limiter: RateLimiter): Promise<void> {
  const { route, response } = job;
  const { kind } = route;
  if (kind.kind === 'hello') return sendJson(response, 200, {}, idHeaders(job.requestId));
  if (kind.kind === 'unknown') return sendUnknown(job);
  const client = watchClient(response);
  const caller = await authenticate(job);
  switch (kind.kind) {
    case 'relay':
      return serveLimited(caller, limiter, async () => runAttempts(await openJob(caller, kind, client), attempts));
    case 'count-tokens': {
      const body = await readJsonBody(caller);
      const tokens = await countTokens(caller, body, chooseModel(caller, body), client.signal());
      const counted = route.dialect === 'gemini' ? { totalTokens: tokens } : { input_tokens: tokens };
      return sendJson(response, 200, counted, idHeaders(job.requestId));
    }
    case 'model-list':
      return sendJson(response, 200, modelList(caller, listShape(job.request)), idHeaders(job.requestId));
    case 'model':
      return sendModel(caller, kind.model);
    case 'websocket-only':
      throw new AppError('websocket_not_served');
    case 'not-implemented':
      throw new AppError('api_not_implemented');
  }
}

function sendModel(job: CallerRequest, model: string): void {
  if (!callerModels(job).includes(model)) throw new AppError('model_not_found', { model });
  const shape = listShape(job.request);
  const entry =
    shape === 'anthropic'
      ? (modelList(job, shape)['data'] as { id: string }[]).find(({ id }) => id === model)
      : openAiModel(job, model);
  sendJson(job.response, 200, entry, idHeaders(job.requestId));
}

/** The family's words, which clients may match (spec, relay 1). */
function sendUnknown(job: RelayRequest): void {
  const message = `Invalid URL (${job.request.method} ${job.route.path})`;
  const error = { status: 404, message, type: 'invalid_request_error', code: '', param: '' };
  sendJson(job.response, 404, errorBody(job.route.dialect, error), idHeaders(job.requestId));
}
