/**
 * The drawer of a list in the URL: `?new=1` creates, `?edit=<id or name>` edits; Back closes it
 * (docs/rules/console.md#drawers).
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { router } from '../browser/router-handle.ts';
import { toastFailure } from '../client/failures.ts';
import { drawerClosing, leavesDrawer } from '../hooks/drawer-address.ts';
import { useUrlParameter } from '../hooks/use-url-state.ts';
import { queryKeys } from '../queries/query-keys.ts';

/** State of history entries that opening a drawer added. */
const openedHere = { drawer: true };
const isOpenedHere = (state: unknown) =>
  (state as Partial<typeof openedHere> | null)?.drawer === true;

/** How the URL names a thing. */
interface DraftKeys<T, Key extends string | number> {
  readonly keyOf: (thing: T) => Key;
  /** Undefined: the text names nothing. */
  readonly read: (text: string) => Key | undefined;
}

const byId = {
  keyOf: ({ id }: { readonly id: number }) => id,
  read: (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined),
};

/**
 * `load` reads one thing by its id, where a link names one that was not clicked. `draft`: what is
 * edited; null: a new one; undefined: closed.
 */
export function useDraft<T extends { readonly id: number }>(
  subject: string,
  load: (id: number) => Promise<T>,
) {
  return useKeyedDraft<T, number>(subject, load, byId);
}

/** The same for things that have a name instead of an id. */
export function useNamedDraft<T>(
  subject: string,
  load: (name: string) => Promise<T>,
  nameOf: (thing: T) => string,
) {
  return useKeyedDraft<T, string>(subject, load, {
    keyOf: nameOf,
    read: (text) => (text === '' ? undefined : text),
  });
}

function useKeyedDraft<T, Key extends string | number>(
  subject: string,
  load: (key: Key) => Promise<T>,
  { keyOf, read }: DraftKeys<T, Key>,
) {
  const [creating, writeNew] = useUrlParameter('new');
  const [edited, writeEdit] = useUrlParameter('edit');
  const [clicked, setClicked] = useState<T>();
  const { state, key, pathname, search } = useLocation();
  const navigate = useNavigate();

  const id = read(edited);
  const isKnown = clicked !== undefined && keyOf(clicked) === id;
  const linked = useQuery({
    queryKey: queryKeys.draft(subject, id),
    queryFn: () => load(id as Key),
    enabled: id !== undefined && !isKnown,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { error } = linked;
  const isLoaded = linked.data !== undefined;
  useEffect(() => {
    // One that is open already stays, with what was typed: saving says what became of it.
    if (error === null || id === undefined || isKnown || isLoaded) return;
    toastFailure(error);
    writeEdit('', { replace: true });
  }, [error, id, isKnown, isLoaded, writeEdit]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with every new place in the history
  useEffect(() => {
    drawerClosing.current = false;
  }, [key]);

  const draft =
    creating === '1' ? null : id === undefined ? undefined : isKnown ? clicked : linked.data;
  return {
    draft,
    create: () => writeNew('1', { state: openedHere }),
    edit: (thing: T) => {
      setClicked(thing);
      writeEdit(String(keyOf(thing)), { state: openedHere });
    },
    close: () => {
      // A save may end after the reader has left the drawer by the back button or a link.
      const now = router().state.location;
      if (now.pathname !== pathname || leavesDrawer(search, now.search)) return;
      setClicked(undefined);
      drawerClosing.current = true;
      if (isOpenedHere(state)) void navigate(-1);
      else if (creating !== '') writeNew('', { replace: true });
      else writeEdit('', { replace: true });
    },
  };
}
