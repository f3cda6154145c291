import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Which sides of a box hold more than is in sight: `left`, `right`, both or none, for the shadows
 * of columns that stay.
 */
export function useHiddenSides(box: RefObject<HTMLElement | null>): string | undefined {
  const [sides, setSides] = useState<string>();
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => {
      const end = element.scrollWidth - element.clientWidth;
      const names = [element.scrollLeft > 0 && 'left', element.scrollLeft < end - 1 && 'right'];
      setSides(names.filter(Boolean).join(' ') || undefined);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [box]);
  return sides;
}
