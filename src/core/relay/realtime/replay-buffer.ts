import type { Frame } from '../sockets/frame-pipe.ts';

/**
 * Most bytes kept to be sent again to another upstream; a client that sends more before any reply
 * stays with its upstream.
 */
const mostBytes = 1024 * 1024;

/** Frames of the client that no upstream has replied to yet: another one is sent them again. */
export class ReplayBuffer {
  #frames: Frame[] = [];
  #bytes = 0;
  #areWhole = true;

  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** All that the client sent is there, so another upstream may take over. */
  get areWhole(): boolean {
    return this.#areWhole;
  }

  keep(frame: Frame): void {
    if (!this.#areWhole) return;
    this.#bytes += frame.data.length;
    if (this.#bytes > mostBytes) this.drop();
    else this.#frames.push(frame);
  }

  drop(): void {
    this.#areWhole = false;
    this.#frames = [];
  }
}
