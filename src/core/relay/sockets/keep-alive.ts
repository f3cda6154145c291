/**
 * Pings quiet connections, so that dead ones are noticed
 * (docs/rules/realtime.md#socket-keep-alive).
 */
import type { WebSocket } from 'ws';

/**
 * Milliseconds between two pings: well below the time after which proxies close a quiet connection
 * (60 s).
 */
const pingInterval = 25_000;

/** Pings until the socket closes; a peer that is silent for a whole interval is cut off. */
export function keepAlive(socket: WebSocket, interval = pingInterval): void {
  let alive = true;
  const noteLife = () => {
    alive = true;
  };
  for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, noteLife);
  const timer = setInterval(() => {
    // A paused socket is not read, so it looks silent.
    if (!alive && !socket.isPaused) return socket.terminate();
    alive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, interval).unref();
  socket.once('close', () => clearInterval(timer));
}
