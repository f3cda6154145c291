import { afterEach, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { keepAlive } from '../../../../src/core/relay/sockets/keep-alive.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type SocketUpstream, startSocketUpstream } from '../../../support/socket-upstream.ts';

const servers: SocketUpstream[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server that keeps its connections alive every `ms`, and its side of one connection. */
async function connect(options: { autoPong?: boolean }, ms = 40) {
  const server = await startSocketUpstream();
  servers.push(server);
  server.script({ connect: ({ socket }) => keepAlive(socket, ms) });
  const client = await openSocket(server.socketUrl, options);
  const socket = server.connections[0]?.socket as WebSocket;
  return { client, socket };
}

it('keeps a connection whose peer replies to pings', async () => {
  // Time enough to reply on a busy machine.
  const { client, socket } = await connect({}, 300);
  await new Promise<void>((resolve) => {
    let pings = 0;
    client.socket.on('ping', () => {
      pings += 1;
      if (pings === 5) resolve();
    });
  });
  expect(socket.readyState).toBe(socket.OPEN);
});

it('closes the connection of a silent peer, but not of one that sends data without pongs', async () => {
  const silent = await connect({ autoPong: false });
  expect(await silent.client.closed).toMatchObject({ code: 1006 });
  const talking = await connect({ autoPong: false });
  for (let count = 0; count < 5; count++) {
    await new Promise((resolve) => talking.client.socket.once('ping', resolve));
    talking.client.send('still here');
  }
  expect(talking.socket.readyState).toBe(talking.socket.OPEN);
});

it('keeps a peer whose data is not being read', async () => {
  const { client, socket } = await connect({ autoPong: false });
  socket.pause();
  for (let count = 0; count < 5; count++)
    await new Promise((resolve) => client.socket.once('ping', resolve));
  expect(socket.readyState).toBe(socket.OPEN);
  socket.resume();
  expect(await client.closed).toMatchObject({ code: 1006 });
});
