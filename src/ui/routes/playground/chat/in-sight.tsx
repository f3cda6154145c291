/**
 * The buttons of messages are only there near the window: they are two thirds of a conversation's
 * elements, and each frame of an answer costs a little for every element there is.
 */
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import classes from './chat.module.css';

const InSight = createContext(true);

/** Browsers that do not say what is in sight have all buttons. */
const says = 'oncontentvisibilityautostatechange' in document.documentElement;

/** Messages that are drawn or left out together; the last group is always drawn. */
export function MessageGroup({
  isLast,
  children,
}: {
  readonly isLast: boolean;
  readonly children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isLast || !says);
  useEffect(() => {
    const group = place.current;
    const note = (event: Event) => {
      if (event.target === group && 'skipped' in event) setNear(event.skipped === false);
    };
    group?.addEventListener('contentvisibilityautostatechange', note);
    return () => group?.removeEventListener('contentvisibilityautostatechange', note);
  }, []);
  return (
    <InSight value={isLast || isNear}>
      <div ref={place} className={classes.group}>
        {children}
      </div>
    </InSight>
  );
}

/** The buttons of a message. Their place is kept while they are not there. */
export function MessageTools({ children }: { readonly children: ReactNode }) {
  return <div className={classes.tools}>{useContext(InSight) && children}</div>;
}
