/**
 * A scripted upstream: one local server that speaks OpenAI's, Anthropic's and Gemini's APIs with
 * made-up texts, believable usage and latency, and now and then an error. The first segment of the
 * path picks the behaviour (`behaviours.ts`).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseObject } from '../../core/kernel/json.ts';
import type { Random } from '../random.ts';
import { behaviourOf, drawFailure, type Failure } from './behaviours.ts';
import {
  replyBalance,
  replyEmbeddings,
  replyImages,
  replyModels,
  replyPayPage,
  replySubscription,
  replyUnpaid,
  replyUsage,
} from './calls.ts';
import { replyChat } from './chat.ts';
import { type Exchange, livePace, type Pace, sendJson } from './exchange.ts';
import { replyGenerate } from './gemini.ts';
import { replyMessages } from './messages.ts';
import { replyResponse } from './responses.ts';

export interface ScriptedUpstream {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

type Reply = (exchange: Exchange) => Promise<void> | void;

/** The end of the path → the writer of its reply. Vendors put different things in front of it. */
const routes: readonly (readonly [RegExp, Reply])[] = [
  [/\/chat\/completions$/, replyChat],
  [/\/responses$/, replyResponse],
  [/\/v1\/messages$/, replyMessages],
  [/\/models\/[^/]+:(stream)?generateContent$/i, replyGenerate],
  [/\/embeddings$/, replyEmbeddings],
  [/\/images\/generations$/, replyImages],
  [/\/models$/, replyModels],
  [/\/user\/balance$/, replyBalance],
  [/\/dashboard\/billing\/subscription$/, replySubscription],
  [/\/dashboard\/billing\/usage$/, replyUsage],
  [/\/submit\.php$/, replyPayPage],
  [/\/api\.php$/, replyUnpaid],
];

export interface UpstreamOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly random: Random;
  readonly pace?: Pace;
  /** Milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

export async function startScriptedUpstream({
  port,
  random,
  pace = livePace,
  now = Date.now,
}: UpstreamOptions): Promise<ScriptedUpstream> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parseObject(await readText(request)) ?? {};
    const { behaviour, path } = behaviourOf(
      new URL(request.url ?? '/', 'http://upstream').pathname,
    );
    const exchange: Exchange = {
      response,
      path,
      body,
      behaviour,
      pace,
      random,
      now: Math.floor(now() / 1000),
    };
    const reply = routes.find(([pattern]) => pattern.test(path))?.[1];
    if (reply === undefined)
      return sendJson(response, 404, {
        error: { message: `Unknown path ${path}`, type: 'not_found' },
      });
    const failure = drawFailure(behaviour, random);
    if (failure === undefined) return reply(exchange);
    await pace.wait(behaviour.firstByteMs[0]);
    sendFailure(exchange, failure);
  };
  const server = createServer((request, response) => {
    response.on('error', () => response.destroy());
    serve(request, response).catch((error: unknown) => {
      process.stderr.write(`scripted upstream: ${String(error)}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actual}`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An error in the words of the API that was called. */
function sendFailure(
  { response, path }: Exchange,
  { status, message, type, code, retryAfter }: Failure,
): void {
  const headers: Record<string, string> =
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  if (path.endsWith('/v1/messages'))
    return sendJson(response, status, { type: 'error', error: { type, message } }, headers);
  if (path.includes(':'))
    return sendJson(
      response,
      status,
      { error: { code: status, message, status: code.toUpperCase() } },
      headers,
    );
  sendJson(response, status, { error: { message, type, code, param: null } }, headers);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
