/**
 * The timers of one reply. None keeps the process alive, and what they call does not throw. Times
 * are in milliseconds.
 */
export class ReplyTimers {
  #silence: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  #opening: NodeJS.Timeout | undefined;
  #pings: NodeJS.Timeout | undefined;
  #progressedAt = 0;

  /** Runs `expire` whenever nothing {@link progressed} for `limit`; 0: never. */
  watchSilence(limit: number, expire: () => void): void {
    clearTimeout(this.#silence);
    if (limit === 0) return;
    const wait = (left: number) => {
      this.#silence = setTimeout(look, left).unref();
    };
    const leftNow = () => Math.ceil(this.#progressedAt + limit - performance.now());
    const look = () => {
      // Read once: time that runs out between two readings would end the watch unseen.
      const left = leftNow();
      if (left > 0) return wait(left);
      expire();
      const next = leftNow();
      if (next > 0) wait(next);
    };
    this.progressed();
    wait(limit);
  }

  /** Something of the answer came. To set a timer anew with each event would cost more. */
  progressed(): void {
    this.#progressedAt = performance.now();
  }

  /** Runs `end` after `limit`. A later call begins anew. */
  endAfter(limit: number, end: () => void): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(end, limit).unref();
  }

  endNever(): void {
    clearTimeout(this.#quiet);
  }

  /** Runs `open` after `wait`, once, unless {@link startPings} comes before. */
  openAfter(wait: number, open: () => void): void {
    this.#opening ??= setTimeout(open, wait).unref();
  }

  /** The reply has begun: runs `ping` at each `interval`; 0: never. */
  startPings(interval: number, ping: () => void): void {
    clearTimeout(this.#opening);
    if (interval > 0) this.#pings = setInterval(ping, interval).unref();
  }

  stopPings(): void {
    clearInterval(this.#pings);
  }

  stop(): void {
    this.stopPings();
    for (const timer of [this.#silence, this.#quiet, this.#opening]) clearTimeout(timer);
  }
}
