import type { WebSocket } from 'ws';
import type { FinalError } from '../failure.ts';
import { openAiFamily } from '../formats/families/openai.ts';
import { closeSocket } from '../sockets/close-socket.ts';
import { type Frame, FramePipe, type HandleFrame, sendFrame } from '../sockets/frame-pipe.ts';
import { keepAlive } from '../sockets/keep-alive.ts';

/** Milliseconds without a frame from either side after which a connection is given up. */
const idleLimit = 600_000;

interface Handlers {
  readonly frame: HandleFrame;
  readonly closed: () => void;
  readonly idle: () => void;
}

/** The client's end of a realtime session. */
export class ClientConnection {
  readonly #socket: WebSocket;
  readonly #pipe: FramePipe;
  readonly #idle: NodeJS.Timeout;

  constructor(socket: WebSocket, { frame, closed, idle }: Handlers) {
    this.#socket = socket;
    socket.once('close', closed);
    this.#pipe = new FramePipe(socket, frame);
    this.#pipe.start();
    keepAlive(socket);
    this.#idle = setTimeout(idle, idleLimit).unref();
  }

  /** A frame of either side came. */
  touch(): void {
    this.#idle.refresh();
  }

  send(frame: Frame): Promise<void> | undefined {
    return sendFrame(this.#socket, frame);
  }

  /** The error frame of the realtime API (docs/rules/realtime.md#realtime-errors). */
  sendError(error: FinalError, requestId: string): void {
    const frame = {
      event_id: `evt_${requestId}`,
      type: 'error',
      ...openAiFamily.errorBody(error),
    };
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  close(code: number, reason?: string): void {
    clearTimeout(this.#idle);
    this.#pipe.stop();
    closeSocket(this.#socket, code, reason);
  }

  terminate(): void {
    this.#socket.terminate();
  }
}
