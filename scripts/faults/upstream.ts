/** The scripted upstream: does to each request what its prompt says, and counts what reached it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../../src/demo/random.ts';
import { type Behaviour, readPrompt, usageOf, type Wire, wordsOf } from './orders.ts';
import { type ReportedUsage, type WireAnswer, wireFormats } from './wires.ts';

/** What reached the upstream of one request. */
export interface Reached {
  /** How each attempt was served. */
  readonly attempts: Behaviour[];
}

export interface FaultyUpstream {
  readonly url: string;
  /** By the number of the request. */
  readonly reached: Map<number, Reached>;
  /** Connections that are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** Milliseconds after which connections without a request are closed. */
const idleMs = 1000;
/** Bytes of a reply without an end; gateways give up far sooner. */
const mostBytes = 64 * 1024 * 1024;

const lies: readonly ReportedUsage[] = [
  { prompt: -100, completion: -5 },
  { prompt: 0, completion: 0 },
  { prompt: 1e15, completion: 1e15 },
  { prompt: 'many', completion: null },
  { prompt: 1.5, completion: 2.25 },
  { prompt: Number.MAX_SAFE_INTEGER, completion: 1 },
  { prompt: {}, completion: [] },
];
const garbage: readonly Buffer[] = [
  Buffer.from('<html><body>502 Bad Gateway</body></html>'),
  Buffer.from('{"choices":[{"mess'),
  Buffer.from('null'),
  Buffer.from('data: {"broken\n\ndata: \n\n'),
  Buffer.from([0, 255, 254, 13, 10, 0]),
  Buffer.from('{"choices":[]}'),
];

interface Attempt {
  readonly response: ServerResponse;
  readonly request: IncomingMessage;
  readonly wire: Wire;
  readonly stream: boolean;
  readonly answer: WireAnswer;
  readonly random: Random;
}

export async function startFaultyUpstream(): Promise<FaultyUpstream> {
  const reached = new Map<number, Reached>();
  const server = createServer({ keepAliveTimeout: idleMs }, (request, response) => {
    response.on('error', () => undefined);
    serve(request, response, reached).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reached,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  reached: Map<number, Reached>,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = String(Buffer.concat(pieces));
  const order = readPrompt(text);
  const wire: Wire = request.url?.endsWith('/messages') ? 'messages' : 'chat';
  if (order === undefined) return sendJson(response, 400, wireFormats[wire].error('what is that?'));
  let known = reached.get(order.number);
  if (known === undefined) {
    known = { attempts: [] };
    reached.set(order.number, known);
  }
  const behaviour = order.upstreams[known.attempts.length] ?? order.upstreams.at(-1) ?? 'proper';
  known.attempts.push(behaviour);
  const random = createRandom(order.number * 31 + known.attempts.length);
  const stream = (JSON.parse(text) as { stream?: unknown }).stream === true;
  const answer = { words: wordsOf(order), usage: usageOf(order) };
  await perform(behaviour, { response, request, wire, stream, answer, random });
}

async function perform(behaviour: Behaviour, attempt: Attempt): Promise<void> {
  const { response, request, wire, random, answer } = attempt;
  const { error } = wireFormats[wire];
  switch (behaviour) {
    case 'proper':
      return send(attempt, answer, 0);
    case 'slow':
      return send(attempt, answer, random.between(1, 25));
    case 'uncounted':
      return send(attempt, { ...answer, usage: undefined }, 0);
    case 'lies':
      return send(attempt, { ...answer, usage: random.pick(lies) }, 0);
    case 'fails':
      return sendJson(response, random.pick([500, 502, 503, 504, 529]), error('out of order'));
    case 'busy':
      return sendJson(response, 429, error('too many'), { 'retry-after': '1' });
    case 'refuses':
      return sendJson(response, 400, error('not like that'));
    case 'resets':
      return void request.socket.resetAndDestroy();
    case 'silent':
      return; // until the gateway gives up
    case 'garbage':
      response.writeHead(200, {
        'content-type': random.pick(['text/event-stream', 'application/json', 'text/html']),
      });
      return void response.end(random.pick(garbage));
    case 'cuts':
      return sendPart(attempt, () => void request.socket.resetAndDestroy());
    case 'stalls':
      return sendPart(attempt, () => undefined);
    case 'garbles':
      return sendPart(
        attempt,
        () => void response.end(`data: {"broken\n\n\u0000 ${random.next()}`),
      );
    case 'endless':
      return sendPart(attempt, () => flood(response));
  }
}

/** The whole answer, with pauses of `gap` ms. */
async function send(
  { response, wire, stream }: Attempt,
  answer: WireAnswer,
  gap: number,
): Promise<void> {
  if (!stream) {
    if (gap > 0) await sleep(gap * 4);
    return sendJson(response, 200, wireFormats[wire].whole(answer));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const { before, end } = wireFormats[wire].stream(answer);
  for (const event of [...before, ...end]) {
    if (response.destroyed) return;
    response.write(event);
    if (gap > 0) await sleep(gap);
  }
  response.end();
}

/** A part of the answer that never has its end, then what `then` does. */
async function sendPart(
  { response, wire, stream, answer, random }: Attempt,
  then: () => unknown,
): Promise<void> {
  if (stream) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const { before } = wireFormats[wire].stream(answer);
    for (const event of before.slice(0, random.between(1, before.length))) response.write(event);
  } else {
    const text = JSON.stringify(wireFormats[wire].whole(answer));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(text.slice(0, random.between(1, text.length - 2)));
  }
  await sleep(5); // what was written is on its way
  then();
}

/** One event, or one member, that goes on and on. */
function flood(response: ServerResponse): void {
  const piece = Buffer.alloc(256 * 1024, 'a');
  let sent = 0;
  response.write('data: {"choices":[{"delta":{"content":"');
  const more = (): void => {
    while (!response.destroyed && sent < mostBytes) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once('drain', more);
    }
    response.destroy();
  };
  more();
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
