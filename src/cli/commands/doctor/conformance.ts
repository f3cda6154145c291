/** Sends the checks of a client through the running gateway, and says of each how it ended. */
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { api } from '../../../core/contract/index.ts';
import { isObject, parseObject } from '../../../core/kernel/json.ts';
import type { Text } from '../../base/text.ts';
import type { Context } from '../../command/command.ts';
import {
  type ClientCheck,
  type ClientRequest,
  type Reply,
  readEvents,
} from './clients/client-check.ts';

/** Milliseconds for one request. */
const requestLimit = 120_000;

export interface Result {
  readonly id: string;
  readonly title: string;
  /**
   * `warning`: it failed, but the client works without it. `skipped`: it builds on a check that
   * failed.
   */
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  /** HTTP status; 0: none came. */
  readonly status: number;
  readonly milliseconds: number;
  /** What it cost, by its row in the usage log; absent: there is none. */
  readonly quota?: number;
  /** Under which the usage log has it. */
  readonly request_id?: string;
  /** Why it failed, and what to do; '' otherwise. */
  readonly error: string;
  readonly mend: string;
}

export interface Target {
  readonly site: string;
  /** Named in what to do. */
  readonly model: string;
  readonly channel: number | undefined;
  readonly headers: Record<string, string>;
}

interface Sent {
  readonly reply: Reply;
  readonly requestId: string | undefined;
}

/**
 * One check after the other, because some build on earlier replies. `begin` is called before each.
 */
export async function runChecks(
  context: Context,
  target: Target,
  checks: readonly ClientCheck[],
  begin: (title: string, place: number) => void,
): Promise<readonly Result[]> {
  const earlier = new Map<string, Reply>();
  const results: Result[] = [];
  for (const [place, check] of checks.entries()) {
    begin(context.output.localize(check.title), place + 1);
    results.push(await runCheck(context, target, check, earlier));
  }
  return results;
}

async function runCheck(
  context: Context,
  target: Target,
  check: ClientCheck,
  earlier: Map<string, Reply>,
): Promise<Result> {
  const { output } = context;
  const { site, model, channel = 'ID' } = target;
  const advice = (text: Text) => output.localize(text, { site, model, channel });
  const base = { id: check.id, title: output.localize(check.title) };
  const request = check.request(earlier);
  if (request === undefined)
    return {
      ...base,
      state: 'skipped',
      status: 0,
      milliseconds: 0,
      error: output.localize(texts.skipped),
      mend: '',
    };
  const start = performance.now();
  const sent = await send(context, target, request).catch((error: unknown) => {
    if (context.stop().aborted) throw error;
    return causeOf(error);
  });
  const milliseconds = Math.round(performance.now() - start);
  if (typeof sent === 'string') {
    const mend = advice(texts.unreachable);
    return { ...base, state: failure(check), status: 0, milliseconds, error: sent, mend };
  }
  const { reply, requestId } = sent;
  const accepted = reply.status === 200 || check.accepts?.includes(reply.status) === true;
  if (accepted) earlier.set(check.id, reply);
  const missing = accepted ? check.missing(reply) : undefined;
  const quota = requestId === undefined ? undefined : await costOf(context, requestId);
  return {
    ...base,
    state: accepted && missing === undefined ? 'ok' : failure(check),
    status: reply.status,
    milliseconds,
    ...(quota !== undefined && { quota }),
    ...(requestId !== undefined && { request_id: requestId }),
    error: accepted
      ? missing === undefined
        ? ''
        : output.localize(missing)
      : `${reply.status} ${errorOf(reply)}`.trim(),
    mend: accepted
      ? missing === undefined
        ? ''
        : advice(check.mend)
      : advice(mendOf(reply.status) ?? check.mend),
  };
}

const failure = (check: ClientCheck) => (check.optional === true ? 'warning' : 'failed');

async function send(context: Context, target: Target, request: ClientRequest): Promise<Sent> {
  if (request.upgrade === true)
    return { reply: await handshake(context, target, request), requestId: undefined };
  const { path, body } = request;
  const reply = await fetch(target.site + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...target.headers,
      'accept-language': context.output.language,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.any([context.stop(), AbortSignal.timeout(requestLimit)]),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return {
    reply: { status: reply.status, text, json: parseObject(text) ?? {}, events: readEvents(text) },
    requestId: reply.headers.get('x-request-id') ?? undefined,
  };
}

/** Asks for a WebSocket and closes it. */
function handshake(
  context: Context,
  { site, headers }: Target,
  { path }: ClientRequest,
): Promise<Reply> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    'openai-beta': 'responses_websockets=2026-02-06',
  };
  const signal = AbortSignal.any([context.stop(), AbortSignal.timeout(requestLimit)]);
  return new Promise((resolve, reject) => {
    const start = site.startsWith('https:') ? httpsRequest : httpRequest;
    const ended = (status: number, text = '') =>
      resolve({ status, text, json: parseObject(text) ?? {}, events: [] });
    start(site + path, { headers: { ...headers, ...upgrade }, signal })
      .on('upgrade', (_reply, socket) => {
        socket.destroy();
        ended(101);
      })
      .on('response', (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () => ended(reply.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')));
        reply.on('error', reject);
      })
      .on('error', reject)
      .end();
  });
}

/** The charge is on the row when the reply ends. Undefined: there is no row. */
async function costOf(context: Context, requestId: string): Promise<number | undefined> {
  const { items } = await context.call(api.log.list, { request_id: requestId });
  return items.length === 0 ? undefined : items.reduce((sum, { quota }) => sum + quota, 0);
}

/** The message of an error body of any API, without the request id, which the result has. */
function errorOf({ json: { error }, text }: Reply): string {
  const message = (isObject(error) ? String(error['message'] ?? '') : '') || text.slice(0, 200);
  return message.replace(/\s*\(request id: [\w-]+\)$/, '');
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== ''
    ? error.cause.message
    : error.message;
}

/** What to do about a status, where it says more than the check that failed. */
function mendOf(status: number): Text | undefined {
  if (status === 401) return texts.token;
  if (status === 402 || status === 403) return texts.forbidden;
  if (status === 404) return texts.unknown;
  if (status === 429) return texts.limit;
  return status >= 500 ? texts.upstream : undefined;
}

const texts = {
  skipped: { en: 'needs the tool call above', zh: '依赖上面的工具调用' },
  unreachable: {
    en: 'No reply came from {site}. Is it reachable from here, also through proxies and firewalls?',
    zh: '{site} 没有应答。请确认从此处（包括经由代理和防火墙）可以访问',
  },
  token: {
    en: 'The token is unknown, disabled, expired or used up: see `turnpike tokens list`',
    zh: '令牌不存在、已停用、已过期或额度用尽：见 `turnpike tokens list`',
  },
  forbidden: {
    en: 'The token or its user may not do this: look at group, models, addresses and balance (`turnpike tokens show ID`)',
    zh: '令牌或其用户无权执行：请检查分组、模型、IP 与余额（`turnpike tokens show ID`）',
  },
  unknown: {
    en: 'The model or the call is not known there: see `turnpike route explain {model}`',
    zh: '对方没有该模型或该接口：见 `turnpike route explain {model}`',
  },
  limit: {
    en: 'A rate limit was reached: wait, or raise it',
    zh: '达到速率限制：请稍候，或调高限制',
  },
  upstream: {
    en: 'The channel failed: see `turnpike channels test {channel}` and `turnpike route explain {model}`',
    zh: '渠道出错：见 `turnpike channels test {channel}` 与 `turnpike route explain {model}`',
  },
} as const;
