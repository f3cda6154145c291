import { useRef } from 'react';
import { useEscape } from '../hooks/use-escape.ts';
import { useReturnFocus } from '../hooks/use-return-focus.ts';

/**
 * Escape for the dialog or drawer that it stands in; see `useEscape`. The focus goes back to where
 * it came from when that is closed.
 */
export function EscapeKey({ onPress }: { readonly onPress: () => void }) {
  useReturnFocus();
  const place = useRef<HTMLSpanElement>(null);
  useEscape(place, onPress);
  return <span ref={place} hidden />;
}
