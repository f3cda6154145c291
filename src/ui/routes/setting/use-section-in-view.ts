import { useEffect, useState } from 'react';

/** Below the bars at the top, and below the edge at which a section stands that was gone to. */
const belowBars = 140;

/**
 * The id of the topmost of these elements that is in view. `chosen`: one that was gone to; at the
 * end of the page it counts wherever it stands, because it can come no higher.
 */
export function useSectionInView(
  ids: readonly string[],
  chosen: string | undefined,
): string | undefined {
  const [current, setCurrent] = useState<string>();
  const names = ids.join(' ');
  useEffect(() => {
    const visible = new Set<string>();
    const order = names.split(' ');
    const mark = () => {
      const last = document.getElementById(order.at(-1) ?? '');
      const isEnd = last !== null && last.getBoundingClientRect().bottom <= window.innerHeight;
      const topmost = order.find((id) => visible.has(id));
      setCurrent((before) =>
        isEnd && chosen !== undefined && visible.has(chosen) ? chosen : (topmost ?? before),
      );
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        mark();
      },
      { rootMargin: `-${belowBars}px 0px 0px 0px` },
    );
    for (const id of order) {
      const element = document.getElementById(id);
      if (element !== null) observer.observe(element);
    }
    window.addEventListener('scrollend', mark, true);
    return () => {
      observer.disconnect();
      window.removeEventListener('scrollend', mark, true);
    };
  }, [names, chosen]);
  return current !== undefined && ids.includes(current) ? current : ids[0];
}
