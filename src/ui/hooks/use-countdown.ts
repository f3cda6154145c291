import { useEffect, useState } from 'react';

/** Seconds that are left, and a function that starts again from `seconds`. */
export function useCountdown(seconds: number): { readonly left: number; readonly start: () => void } {
  const [left, setLeft] = useState(0);
  const running = left > 0;
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => setLeft((last) => Math.max(0, last - 1)), 1000);
    return () => window.clearInterval(timer);
  }, [running]);
  return { left, start: () => setLeft(seconds) };
}
