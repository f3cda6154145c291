/**
 * The relay's entry point: it is given every request before Express, and answers those under its
 * paths.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pickLanguage } from '../../i18n/translate.ts';
import { ActiveList } from '../../kernel/active-list.ts';
import { AppError } from '../../kernel/errors.ts';
import { requestId } from '../../kernel/request-id.ts';
import { requestPath } from '../../kernel/request-path.ts';
import { guardedConnector } from '../../upstream/guarded-connector.ts';
import { createUpstream } from '../../upstream/send.ts';
import { createInFlight } from '../admit/in-flight.ts';
import { createRateLimiter } from '../admit/rate-limit.ts';
import { createChannelFaults } from '../carry/channel-fault.ts';
import type { AttemptDeps } from '../carry/run-attempts.ts';
import type { ClientReply, ClientRequest } from '../client/client.ts';
import { type StoppableWatch, watchClient } from '../client/client-watch.ts';
import type { RelayContext, RelayDeps } from '../context.ts';
import { asAppError, describeToCaller } from '../failure.ts';
import { createFileFetcher } from '../files/file-fetcher.ts';
import { modelListShape } from '../formats/families/model-list-shapes.ts';
import { openAiFamily } from '../formats/families/openai.ts';
import { openAiResponses } from '../formats/openai-responses/index.ts';
import { corsHeaders, sendError } from '../reply.ts';
import type { Route } from '../route.ts';
import type { Router } from '../select/router.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import { createSocketServer, SocketUpgrade } from '../sockets/socket-upgrade.ts';
import { createSubmitTask } from '../tasks/submit-task.ts';
import { matchRoute } from './routes.ts';
import { type ServeDeps, serveRequest, serveUpgrade } from './serve-request.ts';

export interface Relay {
  /** True: the path is the relay's, and it answers. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** A request to switch to WebSocket; every one is answered, those on other paths with 404. */
  handleUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Requests under way. */
  readonly active: number;
  /** When a request came last while it was leaving, Unix milliseconds; 0: none has. */
  readonly lastRequestAt: number;
  /**
   * Lets WebSockets end after their answers and refuses new ones; or no longer. Requests are
   * served all the same: their senders are to notice first (docs/rules/process.md#drain).
   */
  leave(isLeaving: boolean): void;
  /**
   * Refuses new requests and waits for those under way, at most `limit` ms; the remaining ones are
   * cut off and settled.
   */
  drain(limit: number): Promise<void>;
  close(): Promise<void>;
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
  let leaving = false;
  let lastRequestAt = 0;
  let idle: (() => void) | null = null;

  const serve = async (
    route: Route,
    request: ClientRequest,
    response: ClientReply,
    upgrade: SocketUpgrade | null,
  ): Promise<void> => {
    const startedAt = deps.clock.now();
    // Before anything is awaited: an event that has happened is not sent again.
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
      if (leaving) lastRequestAt = startedAt;
      if (draining || (leaving && upgrade !== null)) throw new AppError('shutting_down');
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
      const route = isShared(found) ? { ...found, family: modelListShape(request).family } : found;
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
      const path = requestPath(request.url ?? '/');
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
    get lastRequestAt() {
      return lastRequestAt;
    },
    leave: (isLeaving) => {
      leaving = isLeaving;
      if (isLeaving) for (const socket of live) socket.drain();
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

/**
 * Clients of every API ask for models at one address, and of what is not served some addresses are
 * OpenAI's and Anthropic's (files, skills).
 */
function isShared({ kind: { kind }, family }: Route): boolean {
  const isServed = kind !== 'unknown' && kind !== 'not-implemented';
  return kind === 'model-list' || kind === 'model' || (!isServed && family === openAiFamily);
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
