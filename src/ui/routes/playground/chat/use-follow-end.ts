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
    const element = scroller.current;
    const inner = content.current;
    if (element === null || inner === null) return;
    let last = element.scrollTop;
    let height = element.scrollHeight;
    const distance = () => element.scrollHeight - element.scrollTop - element.clientHeight;
    const note = () => {
      last = element.scrollTop;
      height = element.scrollHeight;
      setAway(!follows.current && distance() > near);
    };
    const onScroll = () => {
      // Text that grows moves the end without scrolling, and text that shrinks scrolls up, which is
      // reported when it may have grown again: only the reader scrolls text that stays as it is.
      const isNear = distance() <= near;
      const isSame = element.scrollHeight === height;
      if (isNear && element.scrollTop > last) follows.current = true;
      else if (isSame && !isNear && element.scrollTop < last) follows.current = false;
      note();
    };
    const onWheel = ({ deltaY }: WheelEvent) => {
      if (deltaY < 0 && element.scrollHeight > element.clientHeight) follows.current = false;
    };
    const grown = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
      note();
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: true });
    grown.observe(inner);
    grown.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
      grown.disconnect();
    };
  }, []);

  return { scroller, content, isAway, toEnd };
}
