import { type RefObject, useEffect, useEffectEvent } from 'react';
import { scrollContainerOf } from './use-seen.ts';

/**
 * How near the end of a list must be before more of it is shown
 * (docs/rules/console.md#model-square-screen).
 */
const distance = '10px';

/**
 * Calls `onNear` when the element at the end of a list comes near the visible part, and again for
 * each `step` after which it is still there.
 */
export function useNearEnd(
  end: RefObject<HTMLElement | null>,
  step: unknown,
  onNear: () => void,
): void {
  const near = useEffectEvent(onNear);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new observer reports at once where the end is now
  useEffect(() => {
    if (end.current === null) return;
    if (typeof IntersectionObserver === 'undefined') return near();
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && near(),
      {
        root: scrollContainerOf(end.current),
        rootMargin: distance,
      },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [end, step]);
}
