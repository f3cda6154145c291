/** `GET /v1/realtime`: from the request for an upgrade to the end of the session. */
import type { WebSocketServer } from 'ws';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { AppError } from '../../kernel/errors.ts';
import { buildCall } from '../../upstream/channel.ts';
import { checkChannels, chooseModel, clientPartOf } from '../admit/open-job.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  cutOff,
  gatewayFailed,
  upstreamFailed,
} from '../attempt.ts';
import { readBody } from '../body/body-fields.ts';
import type { RequestBody } from '../body/request-body.ts';
import { readyEncoded } from '../carry/prepare-request.ts';
import { type AttemptDeps, selectorFor, tryInTurn } from '../carry/run-attempts.ts';
import type { CallerContext } from '../context.ts';
import { openAiRealtime } from '../formats/openai-realtime/index.ts';
import type { RelayJob } from '../job.ts';
import { sendError } from '../reply.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import type { SocketUpgrade } from '../sockets/socket-upgrade.ts';
import { RealtimeSession } from './session.ts';
import { SessionMeter } from './session-meter.ts';
import { holdNext } from './turn-holds.ts';
import { Turns } from './turns.ts';

export interface RealtimeDeps {
  readonly attempts: AttemptDeps;
  readonly realtimeServer: WebSocketServer;
  readonly live: Set<LiveSocket>;
}

/** The query as a body, so that the model and the conversation are read as in other requests. */
function bodyOf(url: string): RequestBody {
  const query = new URL(url, 'ws://gateway').searchParams;
  const body = readBody(Buffer.from(JSON.stringify({ model: query.get('model') ?? '' })));
  if (body === null) throw new AppError('model_required');
  return body;
}

/**
 * The interface of before 2025-08 is requested by a header, which is forwarded, or in a browser by
 * a subprotocol.
 */
function interfaceHeaders({ request: { headers } }: CallerContext): Record<string, string> {
  const offered = headers['sec-websocket-protocol'] ?? '';
  return /\bopenai-beta\.realtime-v1\b/.test(offered) ? { 'openai-beta': 'realtime=v1' } : {};
}

async function openRealtimeJob(caller: CallerContext, upgrade: SocketUpgrade) {
  upgrade.check();
  const body = bodyOf(caller.request.url ?? '');
  const model = chooseModel(caller, body);
  await checkChannels(caller, model);
  const { path, headers } = clientPartOf(caller);
  const meter = new SessionMeter();
  const bill = await holdNext(caller, model, meter);
  const job: RelayJob = {
    ...caller,
    format: openAiRealtime,
    body,
    model,
    stream: true,
    includeUsage: false,
    promptTokens: 0,
    clientPart: { path, headers: { ...headers, ...interfaceHeaders(caller) } },
    bill,
  };
  return { job, meter, turns: new Turns(job, meter, bill) };
}

/** Never throws: whatever goes wrong is a failed attempt. */
async function tryRealtime(
  job: RelayJob,
  attempt: Attempt,
  session: RealtimeSession,
): Promise<AttemptResult> {
  const { channel, upstreamModel } = attempt;
  const { deps, policy, clientPart } = job;
  try {
    const call = buildCall(channel, upstreamModel, clientPart, policy.provider, deps.clock.now());
    const adapter = channel.provider.operations.realtime;
    if (adapter === undefined)
      throw new AppError('unsupported_operation', { detail: job.format.name });
    const { url, headers, protocols } = adapter.target(call);
    const { request } = await readyEncoded(job, attempt, call, { method: 'GET', url, headers });
    const socket = deps.upstream.openWebSocket({ ...request, protocols, proxy: channel.proxy });
    return await session.carry(attempt, socket);
  } catch (error) {
    if (job.client.departure !== undefined) return cutOff(job.client.departure);
    if (error instanceof ReplyFailure) return upstreamFailed(attempt, error.error);
    if (error instanceof AppError) return gatewayFailed(error);
    deps.logger.error(
      { error, requestId: job.requestId, channel: channel.id },
      'a realtime connection could not be opened',
    );
    return connectionFailed('connect', error as Error);
  }
}

/**
 * Resolves when the session is over, or was refused with an HTTP error in `job.response`. Throws
 * AppError before anything is held.
 */
export async function serveRealtime(
  caller: CallerContext,
  upgrade: SocketUpgrade,
  { attempts, realtimeServer, live }: RealtimeDeps,
): Promise<void> {
  const { job, meter, turns } = await openRealtimeJob(caller, upgrade);
  const accept = () => upgrade.open(realtimeServer);
  const session = new RealtimeSession(job, accept, turns, meter);
  live.add(session);
  try {
    await tryInTurn(
      job,
      { ...attempts, selector: selectorFor(job, attempts) },
      {
        attempt: (attempt) => tryRealtime(job, attempt, session),
        refuse: (error) =>
          session.refuse(error, () =>
            sendError(job.response, job.route.family, error, job.requestId),
          ),
      },
    );
  } finally {
    live.delete(session);
  }
}
