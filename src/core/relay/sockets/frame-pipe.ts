/** Frames of one socket, handled in their order (docs/rules/realtime.md#socket-frames). */
import type { WebSocket } from 'ws';

/** A message as it came: its bytes are sent on unchanged. */
export interface Frame {
  readonly data: Buffer;
  readonly binary: boolean;
}

/** Handles one frame. A promise where it has to wait, which must not reject. */
export type HandleFrame = (frame: Frame) => Promise<void> | undefined;

/**
 * A frame that must wait (for a charge, for a slow reader) holds up the frames behind it, and the
 * sender is slowed down meanwhile. No frame is handled before `start`.
 */
export class FramePipe {
  readonly #from: WebSocket;
  readonly #handle: HandleFrame;
  #queue: Frame[] = [];
  /**
   * Frames of the queue that were handled: removing them from the front would move all the others.
   */
  #handled = 0;
  #waiting = true;
  #stopped = false;
  #whenIdle: (() => void)[] = [];

  constructor(from: WebSocket, handle: HandleFrame) {
    this.#from = from;
    this.#handle = handle;
    from.on('message', (data: Buffer, binary: boolean) => {
      if (this.#stopped) return;
      this.#queue.push({ data, binary });
      this.#run();
    });
  }

  /** A frame is held up, or more than one wait behind it. */
  get isWaiting(): boolean {
    return this.#waiting;
  }

  start(): void {
    this.#waiting = false;
    this.#run();
  }

  /** Drops what is queued, and whatever still comes. */
  stop(): void {
    this.#stopped = true;
    this.#clear();
    this.#release();
  }

  /** Resolves when every frame that came is handled. */
  drained(): Promise<void> {
    if (!this.#waiting || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #run(): void {
    if (this.#waiting) return;
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) {
      const wait = this.#handle(frame);
      if (wait === undefined) continue;
      this.#waiting = true;
      this.#from.pause();
      void wait.then(() => {
        this.#waiting = false;
        this.#run();
      });
      return;
    }
    if (this.#from.isPaused) this.#from.resume();
    this.#release();
  }

  #next(): Frame | undefined {
    const frame = this.#queue[this.#handled];
    if (frame === undefined) this.#clear();
    else this.#handled += 1;
    return frame;
  }

  #clear(): void {
    this.#queue = [];
    this.#handled = 0;
  }

  #release(): void {
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** Bytes that may wait to be written before the sender is slowed down. */
const highWater = 256 * 1024;

/** Sends a frame; waits only where the reader is slow. Does nothing on a closed socket. */
export function sendFrame(to: WebSocket, { data, binary }: Frame): Promise<void> | undefined {
  if (to.readyState !== to.OPEN) return undefined;
  if (to.bufferedAmount < highWater) {
    to.send(data, { binary });
    return undefined;
  }
  // The callback always runs, with an error where the socket closes first; its close event is
  // handled elsewhere.
  return new Promise((resolve) => to.send(data, { binary }, () => resolve()));
}
