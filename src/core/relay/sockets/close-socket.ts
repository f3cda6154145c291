/** How WebSockets end (RFC 6455, 7.4). */
import type { WebSocket } from 'ws';

/** In good order; the server stops; the peer is refused; an error. */
export const closeCodes = { proper: 1000, goingAway: 1001, refused: 1008, broken: 1011 } as const;

/** Codes with which a peer ends a connection in good order; 1005: it gave none. */
const properEnds: ReadonlySet<number> = new Set([1000, 1001, 1005]);

export function isProperEnd(code: number): boolean {
  return properEnds.has(code);
}

/**
 * The code to close with where the other side was closed with `code`: some can be seen but not
 * sent.
 */
export function passedOnCode(code: number): number {
  if (code === 1005) return closeCodes.proper;
  const assigned = code >= 1000 && code <= 1014 && code !== 1004 && code !== 1006;
  return assigned || (code >= 3000 && code <= 4999) ? code : closeCodes.broken;
}

/** Resolves with the code and the reason of the end. */
export function closeOf(socket: WebSocket): Promise<readonly [code: number, reason: string]> {
  return new Promise((end) => socket.once('close', (code, reason) => end([code, String(reason)])));
}

/** Milliseconds in which the peer should answer the close. */
const closeTimeout = 5000;
/** Most bytes of a reason. */
const longestReason = 123;

/** Closes the connection; a peer that does not answer the close is cut off. */
export function closeSocket(socket: WebSocket, code: number, reason = ''): void {
  if (socket.readyState === socket.CLOSED) return;
  socket.close(code, Buffer.byteLength(reason) <= longestReason ? reason : '');
  const timer = setTimeout(() => socket.terminate(), closeTimeout).unref();
  socket.once('close', () => clearTimeout(timer));
}
