import { type RefObject, useEffect, useState } from 'react';

/** An element that is nearer to the visible part than this counts as seen. */
const margin = '100px';

/**
 * The nearest ancestor that scrolls; null: the page. Margins have no effect inside a container that
 * is not the observer's root.
 */
export function scrollContainerOf(element: HTMLElement): HTMLElement | null {
  for (let ancestor = element.parentElement; ancestor !== null; ancestor = ancestor.parentElement) {
    const { overflowY } = getComputedStyle(ancestor);
    if ((overflowY === 'auto' || overflowY === 'scroll') && ancestor !== document.body)
      return ancestor;
  }
  return null;
}

/** Whether an element is or was in sight, or nearly. True where the browser cannot tell. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (seen || element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.some((entry) => entry.isIntersecting)),
      {
        root: scrollContainerOf(element.current),
        rootMargin: margin,
      },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [seen, element]);
  return seen;
}
