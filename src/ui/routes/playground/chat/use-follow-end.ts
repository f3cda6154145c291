/** Keeps the end of a scrolling list in view while it grows, until the reader scrolls up. */
import { useCallback, useEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as the end. */
const near = 48;

export function useFollowEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const [isAway, setAway] = useState(false);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    follows.current = true;
    setAway(false);
    element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const [element, inner] = [scroller.current, content.current];
    if (element === null || inner === null) return;
    let last = element.scrollTop;
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const atEnd = scrollHeight - scrollTop - clientHeight <= near;
      // Text that grows moves the end without scrolling, and text that shrinks may scroll up: only the reader does the rest.
      if (atEnd && scrollTop > last) follows.current = true;
      else if (!atEnd && scrollTop < last) follows.current = false;
      last = scrollTop;
      setAway(!follows.current && !atEnd);
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    grown.observe(inner);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      grown.disconnect();
    };
  }, []);

  return { scroller, content, isAway, toEnd };
}
