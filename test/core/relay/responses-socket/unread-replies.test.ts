// Covers src/core/relay/sockets/reading-pause.ts
/**
 * A client that sends and does not read: it is not read either
 * (docs/rules/realtime.md#socket-frames).
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemIds } from '../../../../src/core/config/system-ids.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import {
  ResponsesSocket,
  type ResponsesSocketDeps,
} from '../../../../src/core/relay/responses-socket/responses-socket.ts';

import { openSocket } from '../../../support/socket-client.ts';

const large = 'x'.repeat(1024 * 1024);
/**
 * As many as may wait at once; their replies are more than the buffers between the two ends take.
 */
const frames = 16;
let server: WebSocketServer;
afterEach(() => server.close());

it.each<[string, object]>([
  ['steering', { type: 'response.steer', previous_response_id: 'resp_none', input: large }],
  ['frames that are refused', { type: 'response.none' }],
])('replies to %s wait for their reader, and so do further frames', async (_, frame) => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const opened = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>;
  const client = await openSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [socket, request] = await opened;
  const deps: Partial<ResponsesSocketDeps> = {
    ids: systemIds,
    limits: { maxBodyBytes: 1 } as ResponsesSocketDeps['limits'],
    logger: silentLogger,
    memory: {
      takeBody: () => undefined,
      giveBody: () => undefined,
    } as unknown as ResponsesSocketDeps['memory'],
    describe: (code) => ({ type: 'error', code, detail: large }),
  };
  const served = new ResponsesSocket(deps as ResponsesSocketDeps, request, socket);
  client.socket.pause();
  // One after another: what is not read yet waits at the client.
  void (async () => {
    for (let count = 0; count < frames; count++)
      await new Promise((sent) => client.socket.send(JSON.stringify(frame), sent));
  })();
  await expect.poll(() => socket.isPaused, { timeout: 20_000 }).toBe(true);
  client.socket.resume();
  for (let count = 0; count < frames; count++)
    expect(String((await client.next())['type'])).toMatch(/^(error|response\.steer\.failed)$/);
  expect(socket.isPaused).toBe(false);
  client.socket.close();
  await served.over;
});
