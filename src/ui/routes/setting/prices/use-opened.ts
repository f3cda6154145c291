import { useEffect, useRef } from 'react';

/** Opens what a link names, once, as soon as it is there. */
export function useOpened(isThere: boolean, open: () => void): void {
  const isOpened = useRef(false);
  useEffect(() => {
    if (!isThere || isOpened.current) return;
    isOpened.current = true;
    open();
  });
}
