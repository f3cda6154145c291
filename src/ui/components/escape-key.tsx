import { useRef } from 'react';
import { useEscape } from '../hooks/use-escape.ts';

/** Escape for the dialog or drawer that it stands in; see `useEscape`. */
export function EscapeKey({ onPress }: { readonly onPress: () => void }) {
  const place = useRef<HTMLSpanElement>(null);
  useEscape(place, onPress);
  return <span ref={place} hidden />;
}
