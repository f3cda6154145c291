import { afterEach, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { keepAlive } from '../../../../src/core/relay/sockets/keep-alive.ts';
import { openSocket } from '../../../support/socket-client.ts';
import { type SocketUpstream, startSocketUpstream } from '../../../support/socket-upstream.ts';

const servers: SocketUpstream[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/**
 * A server that pings its connections every 300 ms, which a busy machine keeps up with, and its side
 * of one connection.
 */
async function connect(options: { autoPong?: boolean }) {
  const server = await startSocketUpstream();
  servers.push(server);
  server.script({ connect: ({ socket }) => keepAlive(socket, 300) });
  const client = await openSocket(server.socketUrl, options);
  const socket = server.connections[0]?.socket as WebSocket;
  return { client, socket };
}

it('keeps a connection whose peer replies to pings', async () => {
  const { client, socket } = await connect({});
  await new Promise<void>((resolve) => {
    let pings = 0;
    client.socket.on('ping', () => {
      pings += 1;
      if (pings === 3) resolve();
    });
  });
  expect(socket.readyState).toBe(socket.OPEN);
});

it('closes the connection of a silent peer, but not of one that sends data without pongs', async () => {
  const silent = await connect({ autoPong: false });
  expect(await silent.client.closed).toMatchObject({ code: 1006 });
  const talking = await connect({ autoPong: false });
  for (let count = 0; count < 3; count++) {
    await new Promise((resolve) => talking.client.socket.once('ping', resolve));
    talking.client.send('still here');
  }
  expect(talking.socket.readyState).toBe(talking.socket.OPEN);
});

it('keeps a peer whose data is not being read', async () => {
  const { client, socket } = await connect({ autoPong: false });
  socket.pause();
  for (let count = 0; count < 3; count++)
    await new Promise((resolve) => client.socket.once('ping', resolve));
  expect(socket.readyState).toBe(socket.OPEN);
  socket.resume();
  expect(await client.closed).toMatchObject({ code: 1006 });
});
