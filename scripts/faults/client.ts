/** One request of one client, from its connection to its end, or to where it leaves. */
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readReply, requestOf } from './callers.ts';
import { addressOf, type Order } from './orders.ts';

/** How a request ended for its client. */
export type Ending =
  /** No connection came about. */
  | { readonly kind: 'unconnected' }
  /** The client left, as planned. */
  | { readonly kind: 'left' }
  /** The connection broke. `begun`: after the head of the reply. */
  | { readonly kind: 'broken'; readonly begun: boolean }
  /** A reply that has its end. `isWhole`: a client takes it for a whole answer. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly isWhole: boolean;
      readonly text: string;
      /** The reply, to be shown where it is wrong. */
      readonly raw: string;
    }
  /** Nothing happened for too long. */
  | { readonly kind: 'hanging' };

/**
 * Milliseconds in which any request has to end: far more than the gateway's own limits add up to.
 */
export const patience = 90_000;

export async function performOrder(
  order: Order,
  to: { readonly port: number; readonly key: string },
): Promise<Ending> {
  const late = new AbortController();
  const hanging = sleep(patience, { kind: 'hanging' } as const, { signal: late.signal });
  const socket = connect(to.port, '127.0.0.1').on('error', () => undefined);
  try {
    return await Promise.race([perform(order, to.key, socket), hanging]);
  } finally {
    late.abort();
    hanging.catch(() => undefined);
    socket.destroy();
  }
}

async function perform(order: Order, key: string, socket: Socket): Promise<Ending> {
  try {
    await once(socket, 'connect');
  } catch {
    return { kind: 'unconnected' };
  }
  const { leaves } = order.client;
  if (leaves === 'connected' || leaves === 'half a head' || leaves === 'half a body')
    return leaveEarly(order, key, socket);
  return exchange(order, key, socket);
}

async function leave({ client }: Order, socket: Socket): Promise<Ending> {
  if (client.afterMs > 0) await sleep(client.afterMs);
  if (client.resets) socket.resetAndDestroy();
  else socket.destroy();
  return { kind: 'left' };
}

function headersOf({ number }: Order, key: string, length: number): Record<string, string> {
  return {
    host: 'gateway',
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': String(length),
    'x-forwarded-for': addressOf(number),
    connection: 'close',
  };
}

/** Leaves before the request is complete. */
async function leaveEarly(order: Order, key: string, socket: Socket): Promise<Ending> {
  const { path, body } = requestOf(order);
  const lines = Object.entries(headersOf(order, key, body.length)).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  if (order.client.leaves === 'half a head') socket.write(head.slice(0, head.length / 2));
  else if (order.client.leaves === 'half a body')
    socket.write(head + body.slice(0, body.length / 2));
  return leave(order, socket);
}

async function exchange(order: Order, key: string, socket: Socket): Promise<Ending> {
  const { path, body } = requestOf(order);
  const { leaves, readsEvery } = order.client;
  const sent = openRequest({
    method: 'POST',
    path,
    headers: headersOf(order, key, body.length),
    createConnection: () => socket,
  });
  const replied = new Promise<IncomingMessage | undefined>((resolve) => {
    sent.once('response', resolve);
    sent.once('error', () => resolve(undefined));
    sent.once('close', () => resolve(undefined));
  });
  sent.end(body);
  if (leaves === 'sent') return leave(order, socket);
  const reply = await replied;
  if (reply === undefined) return { kind: 'broken', begun: false };
  if (leaves === 'answered') return leave(order, socket);
  const pieces: Buffer[] = [];
  try {
    for await (const piece of reply) {
      pieces.push(piece as Buffer);
      if (leaves === 'amid') return await leave(order, socket);
      if (readsEvery > 0) await sleep(readsEvery);
    }
  } catch {
    return { kind: 'broken', begun: true };
  }
  const raw = String(Buffer.concat(pieces));
  const status = reply.statusCode ?? 0;
  const reading = status === 200 ? readReply(order, raw) : { text: '', isWhole: false };
  return { kind: 'answered', status, raw, ...reading };
}
