/** Opening a drawer by URL (`?new=1`) or by a click, and closing it again. */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

/** `thing`: what is edited; null: a new one; undefined: closed. */
export function useDraft<T>() {
  const [draft, setDraft] = useState<T | null | undefined>(undefined);
  const [parameters, setParameters] = useSearchParams();
  const asked = parameters.get('new') === '1';
  useEffect(() => {
    if (!asked) return;
    setDraft(null);
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('new');
        return next;
      },
      { replace: true },
    );
  }, [asked, setParameters]);
  return { draft, create: () => setDraft(null), edit: (thing: T) => setDraft(thing), close: () => setDraft(undefined) };
}
