/**
 * Another page or other filters begin at the top; Back returns to where the reader was
 * (docs/rules/console.md#filters).
 */
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Positions by history entry. A reload forgets them, as it forgets the rows. */
const positions = new Map<string, readonly number[]>();

/** What scrolls: the sheet on phones and in low windows, else the table. */
function boxesOf(page: HTMLElement): readonly HTMLElement[] {
  const table = page.querySelector<HTMLElement>('[data-list-scroll]');
  return [page.closest('main') ?? page, ...(table === null ? [] : [table])];
}

/** `view`: what selects the rows. `ready`: there are rows, so that there is something to scroll. */
export function useScrollMemory(
  page: RefObject<HTMLElement | null>,
  view: string,
  ready: boolean,
): void {
  const { key } = useLocation();
  const type = useNavigationType();
  const seen = useRef<{ readonly key: string; readonly view: string }>(undefined);

  useLayoutEffect(() => {
    if (!ready || page.current === null || seen.current?.key === key) return;
    const stored = type === 'POP' ? positions.get(key) : undefined;
    const isOther = seen.current !== undefined && seen.current.view !== view;
    if (stored !== undefined || isOther) {
      boxesOf(page.current).forEach((box, index) => {
        box.scrollTop = stored?.[index] ?? 0;
      });
    }
    seen.current = { key, view };
  }, [page, key, view, type, ready]);

  useEffect(() => {
    const root = page.current?.closest('main') ?? page.current;
    if (root === null || root === undefined) return;
    const keep = () => {
      // A list that moves on has not been drawn yet: its position is that of the entry before.
      if (page.current !== null && seen.current?.key === key)
        positions.set(
          key,
          boxesOf(page.current).map((box) => box.scrollTop),
        );
    };
    // Scrolling does not bubble.
    root.addEventListener('scroll', keep, { capture: true, passive: true });
    return () => root.removeEventListener('scroll', keep, { capture: true });
  }, [page, key]);
}
