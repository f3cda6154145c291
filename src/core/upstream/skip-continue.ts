/**
 * A server may send `100 Continue` although nobody requested it (RFC 9110, 15.2.1). undici takes it
 * for a broken reply, so it is taken out of what a connection delivers.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

const opening = Buffer.from('HTTP/1.1 100');
const headEnd = '\r\n\r\n';

/**
 * What follows the interim responses at the front of a chunk; the chunk itself where there are
 * none.
 */
export function withoutContinue(chunk: Buffer): Buffer {
  let rest = chunk;
  while (rest[0] === opening[0] && rest.subarray(0, opening.length).equals(opening)) {
    const end = rest.indexOf(headEnd);
    if (end === -1) return rest;
    rest = rest.subarray(end + headEnd.length);
  }
  return rest;
}

function skipOn(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk)) return chunk;
      const rest = withoutContinue(chunk);
      if (rest.length > 0) return rest;
    }
  };
}

/** Connects like `connect`; interim responses on the connection are skipped. */
export function skippingContinue(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      // undici calls back with the error alone.
      if (socket) skipOn(socket);
      callback(...result);
    });
}
