/** Frames of one socket, carried on in their order. */
import type { WebSocket } from 'ws';

/** A message as it came: its bytes go on as they are. */
export interface Frame {
  readonly data: Buffer;
  readonly binary: boolean;
}

/** A promise where the frame takes its time; it must not reject. */
export type Carry = (frame: Frame) => Promise<void> | undefined;

/**
 * What must wait (for money, for a slow reader) holds up what comes behind it, and the sender is slowed down meanwhile.
 * Nothing is carried before `start`.
 */
export class FramePipe {
  readonly #from: WebSocket;
  readonly #carry: Carry;
  #queue: Frame[] = [];
  /** Frames of the queue that were carried: taking them out in front would move up all the others. */
  #carried = 0;
  #waiting = true;
  #stopped = false;
  #whenIdle: (() => void)[] = [];

  constructor(from: WebSocket, carry: Carry) {
    this.#from = from;
    this.#carry = carry;
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

  /** What is queued is dropped, and whatever still comes. */
  stop(): void {
    this.#stopped = true;
    this.#clear();
    this.#release();
  }

  /** Resolves when everything that came is carried on. */
  drained(): Promise<void> {
    if (!this.#waiting || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #run(): void {
    if (this.#waiting) return;
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) {
      const wait = this.#carry(frame);
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
    const frame = this.#queue[this.#carried];
    if (frame === undefined) this.#clear();
    else this.#carried += 1;
    return frame;
  }

  #clear(): void {
    this.#queue = [];
    this.#carried = 0;
  }

  #release(): void {
    for (const resolve of this.#whenIdle.splice(0)) resolve();
  }
}

/** Bytes that may wait to be written before the sender is slowed down. */
const highWater = 256 * 1024;

/** Sends a frame on; waits only where the reader lags behind. A socket that is closed takes nothing. */
export function sendFrame(to: WebSocket, { data, binary }: Frame): Promise<void> | undefined {
  if (to.readyState !== to.OPEN) return undefined;
  if (to.bufferedAmount < highWater) {
    to.send(data, { binary });
    return undefined;
  }
  // Called in any case, with an error where the socket closes first; that it does is heard elsewhere.
  return new Promise((resolve) => to.send(data, { binary }, () => resolve()));
}
