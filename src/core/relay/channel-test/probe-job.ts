/**
 * A channel test as a job of the relay: carried like a caller's request, without a caller, a wallet
 * or a socket.
 */

import { Socket } from 'node:net';
import { Readable, Writable } from 'node:stream';
import type { Actor } from '../../kernel/actor.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Quota } from '../../kernel/quota.ts';
import { requestId } from '../../kernel/request-id.ts';
import type { Caller } from '../../tokens/token-directory.ts';
import type { EndpointType } from '../../vocabulary/endpoint-types.ts';
import { roles } from '../../vocabulary/roles.ts';
import { tokenStatuses, userStatuses } from '../../vocabulary/statuses.ts';
import type { AttemptOutcome } from '../attempt.ts';
import type { ClientReply, ClientRequest } from '../client/client.ts';
import { watchClient } from '../client/client-watch.ts';
import type { RelayDeps } from '../context.ts';
import { matchRoute } from '../entry/routes.ts';
import type { CallMeasure } from '../formats/shared/measure.ts';
import type { RelayJob } from '../job.ts';
import type { Route } from '../route.ts';
import { probeBody, probes } from './probes.ts';

/** Milliseconds until a test is given up. */
const timeout = 60_000;

export interface ProbeJob {
  readonly job: RelayJob;
  readonly measure: CallMeasure | undefined;
  /** How it ended; undefined where nothing was served. */
  outcome(): AttemptOutcome | undefined;
  close(): void;
}

export interface ProbeRequest {
  readonly endpoint: EndpointType;
  readonly model: string;
  readonly stream: boolean;
  readonly caller: Pick<Actor, 'id' | 'username' | 'group'>;
  /** Ends the test early. */
  readonly signal: AbortSignal;
}

type RelayRoute = Route & { readonly kind: Extract<Route['kind'], { kind: 'relay' }> };

export function probeRoute({
  endpoint,
  model,
  stream,
}: Pick<ProbeRequest, 'endpoint' | 'model' | 'stream'>): RelayRoute {
  const route = matchRoute('POST', probes[endpoint].path(model, stream));
  if (route?.kind.kind !== 'relay') throw new AppError('channel_test_unsupported');
  return route as RelayRoute;
}

function callerOf({ id, username, group }: ProbeRequest['caller']): Caller {
  return {
    tokenId: 0,
    tokenName: '',
    tokenStatus: tokenStatuses.enabled,
    expiredTime: -1,
    unlimited: true,
    modelLimits: null,
    modelLimitList: [],
    addresses: null,
    tokenGroup: '',
    userId: id,
    username,
    userGroup: group,
    userStatus: userStatuses.active,
    role: roles.admin,
    deactivated: false,
    acceptUnpriced: true,
    warnBelow: undefined,
  };
}

/** A reply that is not sent anywhere. */
class UnreadReply extends Writable implements ClientReply {
  statusCode = 200;
  headersSent = false;

  setHeader(): void {}

  writeHead(status: number): void {
    this.statusCode = status;
    this.headersSent = true;
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

/** The request of such a reply; its body was read already. */
function openRequest(url: string): ClientRequest {
  return Object.assign(Readable.from([]), {
    method: 'POST',
    url,
    headers: {},
    socket: new Socket(),
    complete: true,
  });
}

export async function openProbe(deps: RelayDeps, probe: ProbeRequest): Promise<ProbeJob> {
  const { endpoint, model, stream, caller, signal } = probe;
  const route = probeRoute(probe);
  const startedAt = deps.clock.now();
  const body = await probeBody(endpoint, model, stream);
  const measure = await route.kind.format.measure?.(body, model);
  const path = probes[endpoint].path(model, stream);
  const response = new UnreadReply();
  const leave = () => void response.destroy();
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  let settled: AttemptOutcome | undefined;
  const { limits } = deps;
  const memory = deps.memory.open(caller.id);
  const job: RelayJob = {
    deps: {
      ...deps,
      limits: { ...limits, wholeReplyTimeout: Math.min(limits.wholeReplyTimeout, timeout) },
    },
    policy: deps.policy(),
    request: openRequest(path),
    response,
    route,
    requestId: requestId(startedAt, deps.ids),
    startedAt,
    language: deps.siteLanguage(),
    address: '',
    caller: callerOf(caller),
    group: caller.group,
    memory,
    pin: undefined,
    format: route.kind.format,
    body,
    model,
    stream,
    includeUsage: stream,
    promptTokens: 0,
    clientPart: { path, headers: {} },
    bill: {
      countsSpeech: false,
      charged: 0 as Quota,
      settle: async (outcome) => {
        settled = outcome;
      },
      release: async () => undefined,
    },
    client: watchClient(response),
    isTest: true,
  };
  return {
    job,
    measure,
    outcome: () => settled,
    close: () => {
      signal.removeEventListener('abort', leave);
      leave();
      memory.release();
    },
  };
}
