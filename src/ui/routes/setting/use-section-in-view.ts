import { useEffect, useState } from 'react';

/** The id of the topmost of these elements that is in the upper part of the window. */
export function useSectionInView(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  const names = ids.join(' ');
  useEffect(() => {
    const visible = new Set<string>();
    const order = names.split(' ');
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) visible.add(target.id);
          else visible.delete(target.id);
        }
        setCurrent((before) => order.find((id) => visible.has(id)) ?? before);
      },
      { rootMargin: '-96px 0px -60% 0px' },
    );
    for (const id of order) {
      const element = document.getElementById(id);
      if (element !== null) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [names]);
  return current !== undefined && ids.includes(current) ? current : ids[0];
}
