/** The conversations of the signed-in user, as React sees them. */
import { useSyncExternalStore } from 'react';
import { queryClient } from '../../../client/query-client.ts';
import { useUser } from '../../../client/session.ts';
import { translate } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { findCharge } from '../charges.ts';
import { askRelay } from './ask.ts';
import { ChatStore } from './chat-store.ts';
import { readHistory } from './history.ts';

let known: { readonly userId: number; readonly store: ChatStore } | undefined;

/** One store for each user; an answer goes on while its reader looks at another screen. */
function storeOf(userId: number): ChatStore {
  if (known?.userId === userId) return known.store;
  known?.store.stop();
  const store = new ChatStore({
    userId,
    history: readHistory(userId),
    defaultSystem: translate('playground.system.default'),
    ask: askRelay,
    findFile: async (id) => (await import('./file-box.ts')).findFile(userId, id),
    findCharge,
    onCharged: () => void queryClient.invalidateQueries({ queryKey: queryKeys.selfAll }),
  });
  if (known === undefined) addEventListener('pagehide', () => known?.store.keep());
  known = { userId, store };
  return store;
}

export function useChats() {
  const user = useUser();
  const store = storeOf(user?.id ?? 0);
  return { store, ...useSyncExternalStore(store.subscribe, store.state) };
}
