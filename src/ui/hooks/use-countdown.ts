import { useEffect, useState } from 'react';

export interface Countdown {
  readonly left: number;
  readonly start: () => void;
  /** Starts from another number of seconds. */
  readonly startFrom: (seconds: number) => void;
}

/** Seconds that are left, and functions that start again. */
export function useCountdown(seconds: number): Countdown {
  const [left, setLeft] = useState(0);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => setLeft((last) => Math.max(0, last - 1)), 1000);
    return () => window.clearInterval(timer);
  }, [running]);
  return { left, start: () => setLeft(seconds), startFrom: setLeft };
}
