/** What is done with a request, by its route. */

import { lastEnd, noticeTime } from '../../channels/model-ends.ts';
import type { Tier } from '../../channels/routing-index.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Upstream } from '../../upstream/send.ts';
import { authenticate } from '../admit/authenticate.ts';
import { authenticateConsole, readConsoleRequest } from '../admit/console-caller.ts';
import { counted, withinLimit } from '../admit/count-request.ts';
import type { InFlight } from '../admit/in-flight.ts';
import { openJob, openJobFor } from '../admit/open-job.ts';
import type { RateLimiter } from '../admit/rate-limit.ts';
import { readFormatBody } from '../admit/read-format-body.ts';
import { type BackgroundDeps, serveBackground } from '../background/serve-background.ts';
import { serveImages } from '../background/serve-images.ts';
import { type AttemptDeps, runAttempts } from '../carry/run-attempts.ts';
import { addHeaders } from '../client/edit-reply.ts';
import type { CallerContext, RelayContext } from '../context.ts';
import { describeFailure } from '../failure.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import type { RelayJob } from '../job.ts';
import { subscription, usage } from '../lookups/account-figures.ts';
import { sendConversation } from '../lookups/conversations.ts';
import { sendCount } from '../lookups/count-tokens.ts';
import { callerModels, modelEntry, modelList } from '../lookups/model-list.ts';
import { sendStoredResponse } from '../lookups/stored-response.ts';
import { type RealtimeDeps, serveRealtime } from '../realtime/serve-realtime.ts';
import { idHeaders, sendError, sendJson } from '../reply.ts';
import { type ResponsesDeps, serveResponses } from '../responses-socket/serve-responses.ts';
import type { RouteKind } from '../route.ts';
import type { SocketUpgrade } from '../sockets/socket-upgrade.ts';
import type { CallerTaskCall, SubmitTask } from '../task-call.ts';

/** What serving a request depends on. */
export interface ServeDeps extends RealtimeDeps, ResponsesDeps {
  readonly limiter: RateLimiter;
  /** Token counts, which are free. */
  readonly counting: InFlight;
  readonly submitTask: SubmitTask;
  /** Connections to addresses that callers and upstreams name. */
  readonly files: Upstream;
  readonly detach: BackgroundDeps['detach'];
}

/** A request to switch to WebSocket. */
export async function serveUpgrade(
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

/** Answers by what its route is; throws what went wrong. */
export async function serveRequest(
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
    addHeaders(response, { 'x-turnpike-model-ends': end.ends });
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
    const { body, ...request } = await readConsoleRequest(caller, format);
    context = request.context;
    if (caller.route.keepsImages && !format.streams(body, caller.route.path))
      return serveImages(context, format, body, (job) => serveJob(job, attempts));
    await serveJob(await openJobFor(context, format, body), attempts);
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
