/**
 * What was typed when the login expired is there again after the next login of the same user
 * (docs/rules/console.md#expired-drafts). In memory only, so that it may hold secrets.
 */
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { currentUser, isExpired } from '../client/session.ts';

/** By place; all of one user. */
const drafts = new Map<string, unknown>();
let owner: number | undefined;

/**
 * What was kept at this place: the page, the drawer that its address opens, and the name of the
 * form. And the function that says, with each drawing, what is typed; undefined: nothing.
 */
export function useKeptDraft<T>(
  name: string,
): readonly [T | undefined, (typed: T | undefined) => void] {
  const { pathname, search } = useLocation();
  const [{ key, user, kept }] = useState(() => {
    const drawer = /\b(new|edit)=[^&]*/.exec(search)?.[0];
    const place = `${name} ${pathname} ${drawer}`;
    const id = currentUser()?.id;
    if (owner !== id) drafts.clear();
    return { key: place, user: id, kept: drafts.get(place) as T | undefined };
  });
  const latest = useRef<T>(undefined);
  useEffect(() => {
    drafts.delete(key);
    return () => {
      if (!isExpired()) return;
      owner = user;
      drafts.set(key, latest.current);
    };
  }, [key, user]);
  return [
    kept,
    (typed) => {
      latest.current = typed;
    },
  ];
}
