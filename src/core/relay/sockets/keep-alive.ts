/** Sees that a quiet connection is still one. */
import type { WebSocket } from 'ws';

/** Between two pings, in milliseconds: well below what proxies give a quiet connection (60 s). */
const pingInterval = 25_000;

/** Pings until the socket closes; a peer that is silent for a whole interval is cut off. */
export function keepAlive(socket: WebSocket, interval = pingInterval): void {
  let alive = true;
  const heard = () => {
    alive = true;
  };
  for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, heard);
  const timer = setInterval(() => {
    // Nothing is read from a paused socket, so its silence says nothing.
    if (!alive && !socket.isPaused) return socket.terminate();
    alive = false;
    if (socket.readyState === socket.OPEN) socket.ping();
  }, interval).unref();
  socket.once('close', () => clearInterval(timer));
}
