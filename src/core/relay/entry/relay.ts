/**
 * The relay's entry point: it is given every request before Express, and answers those under its
 * paths.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lastEnd, noticeTime } from '../../channels/model-ends.ts';
import type { Tier } from '../../channels/routing-index.ts';
import { pickLanguage } from '../../i18n/translate.ts';
import { ActiveList } from '../../kernel/active-list.ts';
import { AppError } from '../../kernel/errors.ts';
import { requestId } from '../../kernel/request-id.ts';
import { guardedConnector } from '../../upstream/guard.ts';
import { createUpstream, type Upstream } from '../../upstream/send.ts';
import { authenticate } from '../admit/authenticate.ts';
import { authenticateConsole, readConsoleRequest } from '../admit/console-caller.ts';
import { counted, withinLimit } from '../admit/count-request.ts';
import { createInFlight, type InFlight } from '../admit/in-flight.ts';
import { openJob, openJobFor } from '../admit/open-job.ts';
import { createRateLimiter, type RateLimiter } from '../admit/rate-limit.ts';
import { readFormatBody } from '../admit/read-format-body.ts';
import { type BackgroundDeps, serveBackground } from '../background/serve-background.ts';
import { createChannelFaults } from '../carry/channel-fault.ts';
import { type AttemptDeps, runAttempts } from '../carry/run-attempts.ts';
import type { ClientReply, ClientRequest } from '../client/client.ts';
import { type StoppableWatch, watchClient } from '../client/client-watch.ts';
import type { CallerContext, RelayContext, RelayDeps } from '../context.ts';
import { asAppError, describeFailure, describeToCaller } from '../failure.ts';
import { createFileFetcher } from '../files/file-fetcher.ts';
import { modelListShape } from '../formats/families/model-list-shapes.ts';
import { openAiFamily } from '../formats/families/openai.ts';
import { openAiResponses } from '../formats/openai-responses/index.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import type { RelayJob } from '../job.ts';
import { subscription, usage } from '../lookups/account-figures.ts';
import { sendConversation } from '../lookups/conversations.ts';
import { sendCount } from '../lookups/count-tokens.ts';
import { callerModels, modelEntry, modelList } from '../lookups/model-list.ts';
import { sendStoredResponse } from '../lookups/stored-response.ts';
import { type RealtimeDeps, serveRealtime } from '../realtime/serve-realtime.ts';
import { corsHeaders, idHeaders, sendError, sendJson } from '../reply.ts';
import { type ResponsesDeps, serveResponses } from '../responses-socket/serve-responses.ts';
import type { Route, RouteKind } from '../route.ts';
import type { Router } from '../select/router.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import { createSocketServer, SocketUpgrade } from '../sockets/socket-upgrade.ts';
import type { CallerTaskCall, SubmitTask } from '../task-call.ts';
import { createSubmitTask } from '../tasks/submit-task.ts';
import { matchRoute } from './routes.ts';

export interface Relay {
  /** True: the path is the relay's, and it answers. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** A request to switch to WebSocket; every one is answered, those on other paths with 404. */
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Requests under way. */
  readonly active: number;
  /**
   * Refuses new requests and waits for those under way, at most `limit` ms; the remaining ones are
   * cut off and settled.
   */
  drain(limit: number): Promise<void>;
  close(): Promise<void>;
}

/** What serving a request depends on. */
interface ServeDeps extends RealtimeDeps, ResponsesDeps {
  readonly limiter: RateLimiter;
  /** Token counts, which are free. */
  readonly counting: InFlight;
  readonly submitTask: SubmitTask;
  /** Connections to addresses that callers and upstreams name. */
  readonly files: Upstream;
  readonly detach: BackgroundDeps['detach'];
}

/** Token counts that a user may have under way: agents ask for a dozen at once. */
const mostCounts = 16;

/** Bytes of a client's realtime event: OpenAI takes 15 MiB of audio in one. */
const maxRealtimeFrame = 24 * 1024 * 1024;

/** The route of each frame on a Responses socket. */
const frameRoute: Route = {
  kind: { kind: 'relay', format: openAiResponses },
  family: openAiResponses.family,
  path: '/v1/responses',
};

/**
 * Milliseconds in which requests that were cut off may be settled: counting alone may take five
 * seconds.
 */
const settleLimit = 8000;

export function createRelay(deps: RelayDeps, router: Router): Relay {
  const files = createUpstream({ connect: guardedConnector(deps.guard) });
  const attempts: AttemptDeps = {
    router,
    faults: createChannelFaults(deps),
    filesFor: (request) => createFileFetcher(files, deps, request),
  };
  const live = new Set<LiveSocket>();
  /** Of the requests under way. */
  const watches = new ActiveList<StoppableWatch>();
  const serveDeps: ServeDeps = {
    attempts,
    limiter: createRateLimiter(deps.cluster),
    counting: createInFlight(mostCounts),
    submitTask: createSubmitTask(attempts),
    files,
    responsesServer: createSocketServer(deps.limits.maxBodyBytes),
    realtimeServer: createSocketServer(Math.min(deps.limits.maxBodyBytes, maxRealtimeFrame)),
    live,
    serveFrame: (request, reply) => serve(frameRoute, request, reply, null),
    detach: (client, work) => {
      const watch = watches.add(client);
      track(
        work().finally(() => watches.remove(watch)),
        () => undefined,
      );
    },
  };
  const replies = new ActiveList<ServerResponse>();
  let active = 0;
  let draining = false;
  let idle: (() => void) | null = null;

  const serve = async (
    route: Route,
    request: ClientRequest,
    response: ClientReply,
    upgrade: SocketUpgrade | null,
  ): Promise<void> => {
    const startedAt = deps.clock.now();
    // Before anything is awaited: of what happened earlier no event follows.
    const client = upgrade === null ? watchClient(response) : upgrade.client;
    const watch = watches.add(client);
    const context: RelayContext = {
      deps,
      policy: deps.policy(),
      request,
      response,
      client,
      route,
      requestId: requestId(startedAt, deps.ids),
      startedAt,
      language: pickLanguage(request.headers['accept-language'], deps.siteLanguage()),
      address: deps.clientAddress(request),
    };
    try {
      if (draining) throw new AppError('shutting_down');
      await (upgrade === null
        ? serveRequest(context, route.kind, serveDeps)
        : serveUpgrade(context, route.kind, upgrade, serveDeps));
    } catch (error) {
      const known = asAppError(error);
      if (known.code === 'internal_error')
        deps.logger.error({ error, requestId: context.requestId }, 'a request failed');
      if (leavesBody(request, deps.limits.maxBodyBytes) && !response.headersSent)
        response.setHeader('connection', 'close');
      sendError(
        response,
        route.family,
        describeToCaller({ from: 'gateway', error: known }, context),
        context.requestId,
      );
    } finally {
      watches.remove(watch);
    }
  };

  /**
   * `abandon`: for a request that cannot be answered; an unhandled rejection would end the process.
   */
  const track = (work: Promise<void>, abandon: () => void): void => {
    // Requests that are refused while draining are not waited for.
    const counts = draining ? 0 : 1;
    active += counts;
    void work
      .catch((error: unknown) => {
        deps.logger.error({ error }, 'a request could not be answered');
        abandon();
      })
      .finally(() => {
        active -= counts;
        if (active === 0) idle?.();
      });
  };

  /** Waits until nothing is under way, at most `limit` ms. */
  const waitUntilIdle = async (limit: number): Promise<void> => {
    if (active === 0) return;
    const timer = new AbortController();
    const becameIdle = new Promise<void>((resolve) => {
      idle = resolve;
    });
    await Promise.race([becameIdle, deps.clock.sleep(limit, timer.signal).catch(() => undefined)]);
    timer.abort(new Error('drained'));
  };

  return {
    handle: (request, response) => {
      const found = matchRoute(request.method ?? 'GET', request.url ?? '/');
      if (found === null) return false;
      const route = isAboutModels(found)
        ? { ...found, family: modelListShape(request).family }
        : found;
      if (request.method === 'OPTIONS') {
        sendPreflight(request, response);
        return true;
      }
      response.on('error', () => response.destroy());
      const entry = replies.add(response);
      response.on('close', () => replies.remove(entry));
      track(serve(route, request, response, null), () => response.destroy());
      return true;
    },
    handleUpgrade: (request, socket, head) => {
      const [path = ''] = (request.url ?? '/').split('?');
      const route = matchRoute('GET', path) ?? {
        kind: { kind: 'unknown' },
        family: openAiFamily,
        path,
      };
      const upgrade = new SocketUpgrade(request, socket, head);
      const served = serve(route, request, upgrade.response, upgrade).then(() => upgrade.refuse());
      track(served, () => socket.destroy());
    },
    get active() {
      return active;
    },
    drain: async (limit) => {
      draining = true;
      deps.ledger.hurry();
      for (const socket of live) socket.drain();
      await waitUntilIdle(limit);
      for (const watch of watches.items()) watch.stop();
      for (const socket of live) socket.stop();
      await waitUntilIdle(settleLimit);
      // What was ended still has to reach its client.
      for (const reply of replies.items()) if (!reply.writableEnded) reply.destroy();
      for (const socket of live) socket.terminate();
    },
    close: () => files.close(),
  };
}

/** Clients of every API ask for models at one address. */
function isAboutModels({ kind: { kind } }: Route): boolean {
  return kind === 'model-list' || kind === 'model';
}

/**
 * Whether the connection must be closed after the reply. The remainder of a body that was partly
 * read would be taken for the next request. A body that was not read at all is discarded by node,
 * unless it is too large.
 */
function leavesBody({ complete, readableDidRead, headers }: ClientRequest, most: number): boolean {
  return !complete && (readableDidRead || Number(headers['content-length'] ?? 0) > most);
}

/** Browsers may call with any header: only the token in it grants anything. */
function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '43200',
  });
  response.end();
}

async function serveUpgrade(
  context: RelayContext,
  kind: RouteKind,
  upgrade: SocketUpgrade,
  deps: ServeDeps,
): Promise<void> {
  if (kind.kind !== 'websocket-only') return sendUnknown(context);
  const caller = await authenticate(context);
  try {
    // Every frame of a Responses socket is a request of its own, with its own limit.
    if (kind.serves === 'responses') await serveResponses(caller, upgrade, deps);
    else await counted(caller, deps.limiter, () => serveRealtime(caller, upgrade, deps));
  } finally {
    caller.memory.release();
  }
}

async function serveRequest(
  context: RelayContext,
  kind: RouteKind,
  deps: ServeDeps,
): Promise<void> {
  const { response } = context;
  if (kind.kind === 'hello') return sendJson(response, 200, {}, idHeaders(context.requestId));
  if (kind.kind === 'unknown') return sendUnknown(context);
  let caller: CallerContext | undefined;
  try {
    if (kind.kind === 'open-task')
      return await kind.call.serve(context, { engine: context.deps.tasks, files: deps.files });
    caller = await (context.route.login === 'console'
      ? authenticateConsole(context)
      : authenticate(context));
    await serveCaller(caller, kind, deps);
  } finally {
    // However the request ends (docs/rules/relay.md#memory-budget).
    caller?.memory.release();
  }
}

function serveTask(
  caller: CallerContext,
  call: CallerTaskCall,
  { limiter, submitTask, files }: ServeDeps,
): Promise<void> {
  const serve = () => call.serve(caller, { submit: submitTask, engine: caller.deps.tasks, files });
  return call.kind === 'submit' ? counted(caller, limiter, serve) : serve();
}

function serveCaller(
  caller: CallerContext,
  kind: Exclude<RouteKind, { kind: 'hello' | 'unknown' | 'open-task' }>,
  deps: ServeDeps,
): Promise<void> | void {
  const { attempts, limiter, counting } = deps;
  switch (kind.kind) {
    case 'task':
      return serveTask(caller, kind.call, deps);
    case 'relay':
      if (caller.route.login === 'console') return serveConsole(caller, kind.format, deps);
      return counted(caller, limiter, () => serveRelayed(caller, kind.format, deps));
    case 'count-tokens':
      return withinLimit(caller, limiter, () =>
        counting.run(caller.caller.userId, () => sendCount(caller, kind.format, attempts.router)),
      );
    case 'model-list':
      return sendModels(caller);
    case 'model':
      return sendModel(caller, kind.model);
    case 'stored-response':
      return sendStoredResponse(caller, kind.action, kind.id);
    case 'conversation':
      return withinLimit(caller, limiter, () => sendConversation(caller, kind.call));
    case 'billing':
      return sendFigures(caller, kind.figure);
    case 'websocket-only':
      caller.response.setHeader('upgrade', 'websocket');
      throw new AppError('websocket_required');
    case 'not-implemented':
      throw new AppError('api_not_implemented');
  }
}

/** A request of a format; one of the background ends when its work has begun. */
async function serveRelayed(
  caller: CallerContext,
  format: CallerFormat,
  { attempts, detach }: ServeDeps,
): Promise<void> {
  if (format.isBackground === undefined) return serveJob(await openJob(caller, format), attempts);
  const body = await readFormatBody(caller, format);
  if (format.isBackground(body))
    return serveBackground(caller, format, body, {
      serveJob: (job) => serveJob(job, attempts),
      detach,
    });
  return serveJob(await openJobFor(caller, format, body), attempts);
}

interface NotedEnd {
  readonly ends: string;
  /** From when replies say so, in clock milliseconds. */
  readonly noticeAt: number;
}

/** The day on which a model ends, by the channels that serve it, until these change. */
const knownEnds = new WeakMap<readonly Tier[], Map<string, NotedEnd | undefined>>();
/** Names that lead to the same channels and are remembered; callers invent some. */
const mostNames = 100;

function endOf(tiers: readonly Tier[], model: string): NotedEnd | undefined {
  let ends = knownEnds.get(tiers);
  if (ends === undefined) {
    ends = new Map();
    knownEnds.set(tiers, ends);
  }
  if (ends.has(model)) return ends.get(model);
  const found = lastEnd(
    tiers.flatMap(({ channels }) => channels),
    model,
  );
  const end = found && { ends: found.ends, noticeAt: noticeTime(found.ends) };
  if (ends.size < mostNames) ends.set(model, end);
  return end;
}

/** Runs a request; its reply says that its model ends soon (docs/rules/models.md#ends-shown). */
async function serveJob(job: RelayJob, attempts: AttemptDeps): Promise<void> {
  const { deps, group, model, response } = job;
  const end = endOf(deps.routing.tiers(group, model), model);
  if (end !== undefined && deps.clock.now() >= end.noticeAt)
    response.setHeader('x-turnpike-model-ends', end.ends);
  try {
    await runAttempts(job, attempts);
  } finally {
    await job.conversation?.close();
  }
}

/** A request of a playground: its body names the group. */
function serveConsole(
  caller: CallerContext,
  format: CallerFormat,
  { attempts, limiter }: ServeDeps,
): Promise<void> {
  let context = caller;
  const serve = async () => {
    const request = await readConsoleRequest(caller);
    context = request.context;
    await serveJob(await openJobFor(context, format, request.body), attempts);
  };
  return counted(caller, limiter, serve, () => context);
}

async function sendFigures(caller: CallerContext, figure: 'usage' | 'subscription'): Promise<void> {
  const figures = await (figure === 'usage' ? usage(caller) : subscription(caller));
  sendJson(caller.response, 200, figures, idHeaders(caller.requestId));
}

async function sendModels(context: CallerContext): Promise<void> {
  sendJson(context.response, 200, await modelList(context), idHeaders(context.requestId));
}

async function sendModel(context: CallerContext, model: string): Promise<void> {
  const { response, requestId, language, route } = context;
  if ((await callerModels(context)).includes(model))
    return sendJson(response, 200, modelEntry(context, model), idHeaders(requestId));
  const error = describeFailure(
    { from: 'gateway', error: new AppError('model_not_found', { model }) },
    language,
    requestId,
  );
  // OpenAI's own error for it, which clients may match.
  sendError(
    response,
    route.family,
    { ...error, type: 'invalid_request_error', param: 'model' },
    requestId,
  );
}

/** The message of One API, which clients may match. */
function sendUnknown(context: RelayContext): void {
  const message = `Invalid URL (${context.request.method} ${context.route.path})`;
  const error = { status: 404, message, type: 'invalid_request_error', code: '', param: '' };
  sendJson(
    context.response,
    404,
    context.route.family.errorBody(error),
    idHeaders(context.requestId),
  );
}
