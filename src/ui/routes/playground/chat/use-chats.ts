/** The conversations of the signed-in user, as React sees them. */
import { useState, useSyncExternalStore } from 'react';
import { storageKeys } from '../../../browser/local-storage.ts';
import { queryClient } from '../../../client/query-client.ts';
import { onOtherLogin, useUser } from '../../../client/session.ts';
import { translate } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { findCharge } from '../charges.ts';
import { askRelay } from './ask.ts';
import { ChatStore } from './chat-store.ts';
import { type History, readHistory } from './history.ts';
import { sendChange, useServerHistory } from './use-server-history.ts';

let known: { readonly userId: number; readonly store: ChatStore; beside?: Beside } | undefined;

/** The same conversation with another model. */
export interface Beside {
  readonly store: ChatStore;
  readonly model: string;
}

const createStore = (userId: number, history: History, isBeside = false) =>
  new ChatStore({
    userId,
    history,
    isBeside,
    defaultSystem: translate('playground.system.default'),
    ask: askRelay,
    findFile: async (id) => (await import('./file-box.ts')).findFile(userId, id),
    findCharge,
    onStored: sendChange,
    onCharged: () => void queryClient.invalidateQueries({ queryKey: queryKeys.selfAll }),
  });

// Conversations end with the sign-out, also one to which an answer is coming.
onOtherLogin(() => {
  known?.store.close();
  known?.beside?.store.close();
  known = undefined;
});
addEventListener('storage', ({ key }) => {
  if (key === storageKeys.playgroundChats && known !== undefined)
    known.store.follow(readHistory(known.userId).chats);
});
addEventListener('pagehide', () => {
  known?.store.keep();
  known?.beside?.store.keep();
});

/** One store for each login; an answer goes on while its reader looks at another screen. */
function storeOf(userId: number): ChatStore {
  known ??= { userId, store: createStore(userId, readHistory(userId)) };
  return known.store;
}

/** The model beside the chosen one. It is kept while its reader looks at another screen. */
export function useBeside(store: ChatStore) {
  const [beside, setBeside] = useState(known?.beside);
  const userId = useUser()?.id ?? 0;
  const set = (next: Beside | undefined) => {
    if (known?.store === store && next !== undefined) known.beside = next;
    else if (known !== undefined) delete known.beside;
    setBeside(next);
  };
  return {
    beside,
    /** Goes on from the conversation as it is; a second choice changes the model of what follows. */
    compare: (model: string) => {
      if (beside !== undefined) return set({ ...beside, model });
      const { settings, chat } = store.state();
      const other = createStore(userId, { chats: [], settings }, true);
      other.start(chat.messages);
      set({ store: other, model });
    },
    /** What it answered stays among the earlier chats. */
    close: () => {
      beside?.store.stop();
      const chat = beside?.store.state().chats[0];
      if (chat !== undefined) store.adopt(chat);
      set(undefined);
    },
  };
}

/** Without the text that is coming: what is drawn around a conversation stays as it is. */
export function useChats() {
  const user = useUser();
  const store = storeOf(user?.id ?? 0);
  useServerHistory(store);
  return { store, ...useSyncExternalStore(store.subscribe, store.settled) };
}
