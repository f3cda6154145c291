import type { WebSocket } from 'ws';

/**
 * Takes what `sendFrame` returns: the peer is not read while it does not read its replies, which
 * would pile up here.
 */
export function createReadingPause(socket: WebSocket): (sent: Promise<void> | undefined) => void {
  let waiting = 0;
  return (sent) => {
    if (sent === undefined) return;
    waiting += 1;
    socket.pause();
    void sent.then(() => {
      waiting -= 1;
      if (waiting === 0) socket.resume();
    });
  };
}
