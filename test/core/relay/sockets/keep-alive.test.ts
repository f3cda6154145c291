import { once } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { keepAlive } from '../../../../src/core/relay/sockets/keep-alive.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type SocketUpstream, startSocketUpstream } from '../../../support/socket-upstream.ts';

const servers: SocketUpstream[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const interval = 40;
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));

/** A server that keeps its connections alive, and its side of one connection. */
async function connect(options: { autoPong?: boolean }) {
  const server = await startSocketUpstream();
  servers.push(server);
  server.script({ connect: ({ socket }) => keepAlive(socket, interval) });
  const client = await openSocket(server.socketUrl, options);
  const socket = server.connections[0]?.socket as WebSocket;
  return { client, socket };
}

type Connection = Awaited<ReturnType<typeof connect>>;

/** One interval passes, and its ping arrives. */
async function ping({ client }: Connection): Promise<void> {
  const arrived = once(client.socket, 'ping');
  vi.advanceTimersByTime(interval);
  await arrived;
}

it('keeps a connection whose peer replies to pings', async () => {
  const one = await connect({});
  for (let count = 0; count < 5; count++) {
    const pong = once(one.socket, 'pong');
    await ping(one);
    await pong;
  }
  expect(one.socket.readyState).toBe(one.socket.OPEN);
});

it('closes the connection of a silent peer', async () => {
  const silent = await connect({ autoPong: false });
  await ping(silent);
  vi.advanceTimersByTime(interval);
  expect(await silent.client.closed).toMatchObject({ code: 1006 });
});

it('keeps a peer that sends data without pongs', async () => {
  const talking = await connect({ autoPong: false });
  for (let count = 0; count < 5; count++) {
    await ping(talking);
    const message = once(talking.socket, 'message');
    talking.client.send('still here');
    await message;
  }
  expect(talking.socket.readyState).toBe(talking.socket.OPEN);
});

it('keeps a peer whose data is not being read', async () => {
  const paused = await connect({ autoPong: false });
  paused.socket.pause();
  for (let count = 0; count < 5; count++) await ping(paused);
  expect(paused.socket.readyState).toBe(paused.socket.OPEN);
  paused.socket.resume();
  vi.advanceTimersByTime(interval);
  expect(await paused.client.closed).toMatchObject({ code: 1006 });
});
