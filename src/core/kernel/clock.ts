/**
 * Source of time for the core. Nothing in `src/core` reads the system clock directly, so tests can
 * control time.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Whole Unix seconds: the unit of every stored time except those of drawing tasks (milliseconds).
 */
export function nowSeconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** The day of a moment in milliseconds, UTC: `2026-11-30`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
    }),
};
