/** Contract and handlers as Express routes (docs/rules/console-api.md#declared-once). */
import type { Express, Request, Response } from 'express';
import { refuseCrossSite, refuseEmbedded } from '../core/accounts/cross-site.ts';
import type { RateLimits } from '../core/accounts/rate-limits.ts';
import { readAuthorization, sessionCookie } from '../core/accounts/request-credentials.ts';
import type { App } from '../core/app.ts';
import type { Endpoint } from '../core/contract/endpoint.ts';
import { AppError } from '../core/kernel/errors.ts';
import { isObject } from '../core/kernel/json.ts';
import { networkOf } from '../core/kernel/network.ts';
import type { Secret } from '../core/kernel/secret.ts';
import { type AnyHandler, performCall } from './call.ts';
import type { CallContext } from './handlers/context.ts';
import { handlersByCall } from './local-client.ts';
import { type Identity, identify, isOperator, readDevice } from './middleware/authentication.ts';
import {
  cookieOptions,
  preLoginCookie,
  setDeviceCookie,
  setSessionCookie,
} from './middleware/cookies.ts';
import { sendReply } from './middleware/errors.ts';
import { readJson } from './middleware/read-json.ts';
import { drainBody, receiveFiles } from './middleware/receive-files.ts';
import { factsOf } from './middleware/request-facts.ts';
import { sendFile } from './middleware/send-file.ts';
import type { TimeBudget } from './time-budget.ts';

export interface MountDeps {
  readonly app: App;
  readonly limits: RateLimits;
  readonly budget: TimeBudget;
  /** The key of the address file; undefined where no such file is written. */
  readonly operatorKey: Secret | undefined;
}

const callsByRequest = new WeakMap<Request, Endpoint>();
const identities = new WeakMap<Request, Identity>();

/** The call that a request matched, for the error handler. */
export function callOf(request: Request): Endpoint | undefined {
  return callsByRequest.get(request);
}

export function mountApi(server: Express, deps: MountDeps): void {
  const calls = [...handlersByCall(deps.app)].sort(
    ([a], [b]) => firstParameter(b) - firstParameter(a),
  );
  const readBody = createBodyReader(deps);
  for (const [call, handler] of calls) {
    // One function for all steps: Express makes a path matcher for each that it is given.
    const answer = async (request: Request, response: Response): Promise<void> => {
      callsByRequest.set(request, call);
      await checkBefore(deps, call, request, response);
      if (request.method !== 'GET' && request.method !== 'HEAD' && call.upload === undefined)
        await readBody(call, request, response);
      await answerCall(deps, call, handler, request, response);
    };
    if (call.cors) server.options(call.path, sendPreflight);
    if (call.method === 'GET') server.get(call.path, answer);
    if (call.method !== 'GET' || call.changes) {
      const method =
        call.method === 'GET' ? 'post' : (call.method.toLowerCase() as 'post' | 'put' | 'delete');
      server[method](call.path, answer);
    }
  }
}

/** Reads the JSON body of a request; calls with the same limit share a reader. */
function createBodyReader({ budget }: MountDeps) {
  const readers = new Map<number | undefined, ReturnType<typeof readJson>>();
  return (call: Endpoint, request: Request, response: Response): Promise<void> => {
    let read = readers.get(call.bodyLimit);
    if (read === undefined) {
      read = readJson(call, {
        isKnown: (of) => identityOf(of).actor !== null,
        spend: (of, ms) => budget.spend(budgetKeys(of), ms),
        now: budget.now,
      });
      readers.set(call.bodyLimit, read);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
    return promise;
  };
}

/** Such a call accepts only a token's key, so pages of any site may send it. */
function sendPreflight(_request: Request, response: Response): void {
  response.set({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  });
  response.status(204).end();
}

/** Literal segments take precedence over parameters (docs/rules/console-api.md#routing). */
function firstParameter(call: Endpoint): number {
  const index = call.path.split('/').findIndex((segment) => /^[:*]/.test(segment));
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}

/** Whose budget the work for a request is taken from. The operator on this machine has none. */
function budgetKeys(request: Request): readonly string[] {
  const { actor = null, isOperator: isOwner = false } = identities.get(request) ?? {};
  if (isOwner) return [];
  const network = `address:${networkOf(factsOf(request).clientIp)}`;
  return actor === null ? [network] : [network, `user:${actor.id}`];
}

/** Checks that run before the body is read, so that it is read as far as its sender may go. */
async function checkBefore(
  deps: MountDeps,
  call: Endpoint,
  request: Request,
  response: Response,
): Promise<void> {
  const { app, limits, budget, operatorKey } = deps;
  if (!isOperator(request, operatorKey)) {
    budget.check(budgetKeys(request));
    await limits.api(factsOf(request).clientIp);
    const changes = call.method !== 'GET' || call.changes === true;
    if (changes) refuseCrossSite(request.headers, app.site.options.get('ServerAddress'));
    if (changes && (request.method === 'GET' || request.method === 'HEAD'))
      refuseEmbedded(request.headers);
  }
  identities.set(request, await identifyCaller(deps, call, request, response));
  budget.check(budgetKeys(request));
}

/**
 * Who calls. The browser of a login that is over forgets its cookie
 * (docs/rules/accounts.md#session-cookie).
 */
async function identifyCaller(
  { app, operatorKey }: MountDeps,
  call: Endpoint,
  request: Request,
  response: Response,
) {
  const forgetLogin = () => response.clearCookie(sessionCookie, cookieOptions(app.config, request));
  const identity = await identify(app, request, call, operatorKey).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_signed_in') forgetLogin();
    throw error;
  });
  if (identity.actor === null && call.access !== 'visitor') {
    forgetLogin();
    throw new AppError('not_signed_in');
  }
  return identity;
}

function identityOf(request: Request): Identity {
  const identity = identities.get(request);
  if (identity === undefined) throw new Error('a request came past checkBefore');
  return identity;
}

async function answerCall(
  deps: MountDeps,
  call: Endpoint,
  handler: AnyHandler,
  request: Request,
  response: Response,
): Promise<void> {
  const { app, limits, budget } = deps;
  const { clientIp } = factsOf(request);
  const identity = identityOf(request);
  const keys = budgetKeys(request);
  if (
    call.login === 'console' &&
    identity.actor !== null &&
    identity.session === undefined &&
    !identity.isOperator
  )
    throw new AppError('access_token_not_supported');
  if (call.rate === 'critical' && !identity.isOperator)
    await limits.critical(clientIp, countedUser(call, identity));
  response.setHeader('Cache-Control', 'no-store');
  if (call.cors) response.setHeader('Access-Control-Allow-Origin', '*');
  if (identity.session?.renewed && identity.session.byCookie) {
    setSessionCookie(app, request, response, identity.session.token);
    setDeviceCookie(app, request, response, identity.session.userId);
  }
  const input = collectInput(request, call);
  const context = describeContext(app, call, identity, request, response);
  if (call.humanCheck && !identity.isOperator) {
    await app.accounts.requireHuman(context.preLogin, String(input['turnstile'] ?? ''), clientIp);
  }
  const reply = await performCall(app, call, handler, input, context, (work) =>
    budget.measure(keys, work),
  );
  if (reply.file !== undefined) return sendFile(response, reply.file);
  if (reply.total !== undefined) response.setHeader('X-Total-Count', String(reply.total));
  if (call.upload !== undefined && !(await drainBody(request, call.upload)))
    response.setHeader('Connection', 'close');
  budget.measure(keys, () => sendReply(response, reply));
}

/**
 * Whose limit of critical calls is used: a sign-in counts by address, also where it comes with a
 * login of their own.
 */
function countedUser({ access, waysIn }: Endpoint, { actor }: Identity): number | undefined {
  return access === 'visitor' && waysIn === undefined ? undefined : actor?.id;
}

/**
 * Query, parameters and body as one input; path parameters take precedence. Only the fields of the
 * input are looked at: to copy a body with many others costs twice as much as to parse it.
 */
function collectInput(request: Request, { upload, input }: Endpoint): Record<string, unknown> {
  if (upload !== undefined)
    return { ...request.query, ...request.params, [upload.field]: receiveFiles(request, upload) };
  const body: unknown = request.body;
  if (body !== undefined && !isObject(body)) throw new AppError('invalid_parameter');
  const outside = { ...request.query, ...pathParameters(request) };
  // An open input (what Telegram signs) has fields of any name.
  if (input.def.catchall !== undefined) return { ...body, ...outside };
  const given = Object.keys(input.shape).filter(
    (name) => body !== undefined && Object.hasOwn(body, name),
  );
  return { ...Object.fromEntries(given.map((name) => [name, body?.[name]])), ...outside };
}

/** A text that may contain slashes arrives as its segments; the slash after it is none of them. */
function pathParameters({ params }: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join('/').replace(/\/+$/, '') : String(value),
    ]),
  );
}

function describeContext(
  app: App,
  call: Endpoint,
  identity: Identity,
  request: Request,
  response: Response,
): CallContext {
  const { requestId, language, clientIp } = factsOf(request);
  const device = readDevice(request);
  const from = { ip: clientIp, userAgent: request.get('user-agent') ?? '', device };
  return {
    actor: identity.actor,
    isOperator: identity.isOperator,
    language,
    requestId,
    clientIp,
    bearer: readAuthorization(request.headers),
    session: identity.session,
    waysIn: call.waysIn ?? [],
    device,
    preLogin: preLoginCookie(app, request, response),
    startSession: async (user, method) => {
      const token = await app.accounts.openSession.open(user, method, from);
      setSessionCookie(app, request, response, token);
      setDeviceCookie(app, request, response, user.id);
      return token;
    },
    finishSignIn: async (challenge, proof) => {
      const { user, token } = await app.accounts.openSession.complete(challenge, proof, from);
      setSessionCookie(app, request, response, token);
      setDeviceCookie(app, request, response, user.id);
      return user;
    },
    endSession: async () => {
      if (identity.session !== undefined) await app.accounts.sessions.end(identity.session.token);
      response.clearCookie(sessionCookie, cookieOptions(app.config, request));
    },
  };
}
