import { useEffect, useState } from 'react';

export interface Countdown {
  readonly left: number;
  readonly start: () => void;
  /** Starts from another number of seconds. */
  readonly startFrom: (seconds: number) => void;
}

/**
 * Seconds that are left, and functions that start again. The clock counts: while the reader looks
 * for a code in another app, a phone runs no timers of the page.
 */
export function useCountdown(seconds: number): Countdown {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  const startFrom = (count: number) => {
    setUntil(Date.now() + count * 1000);
    setLeft(count);
  };
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(
      () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000))),
      1000,
    );
    return () => window.clearInterval(timer);
  }, [running, until]);
  return { left, start: () => startFrom(seconds), startFrom };
}
