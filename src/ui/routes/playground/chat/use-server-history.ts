/** Whether the reader keeps conversations on the server, and what follows from it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '../../../../core/contract/envelope.ts';
import { parseObject } from '../../../../core/kernel/json.ts';
import { client } from '../../../client/api.ts';
import { toastFailure } from '../../../client/failures.ts';
import { translate } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { useSelf } from '../../../queries/use-self.ts';
import type { ChatStore } from './chat-store.ts';
import type { ChangedChat, ServerHistory } from './server-history.ts';

let current: { readonly store: ChatStore; readonly history: Promise<ServerHistory> } | undefined;

/** A conversation changed or was deleted; of both columns. */
export function sendChange(change: ChangedChat): void {
  void current?.history.then(
    (history) => history.push(change),
    // It could not be loaded, which was said.
    () => undefined,
  );
}

const ignoring = (code: string) => (error: unknown) => {
  if (!(error instanceof CallError && error.code === code)) throw error;
};

async function begin(store: ChatStore): Promise<ServerHistory> {
  const { ServerHistory } = await import('./server-history.ts');
  return new ServerHistory({
    store,
    list: () => client.playground.chats(),
    put: (id, content) => client.playground.putChat({ id, content }),
    remove: (id) => client.playground.removeChat({ id }).catch(ignoring('not_found')),
    onFailure: (error) => toastFailure(error, translate('playground.onServer.failed')),
  });
}

/** Follows the switch of the reader's account. */
export function useServerHistory(store: ChatStore): void {
  const setting = useSelf().data?.setting;
  const isOn = setting === undefined ? undefined : readsHistory(setting);
  useEffect(() => {
    if (isOn === undefined) return;
    if (!isOn) {
      current = undefined;
      store.markKept();
      return;
    }
    // An answer goes on, and is sent, while its reader is on another screen.
    if (current?.store !== store) current = { store, history: begin(store) };
    void current.history
      .then((history) => history.pull())
      .catch((error: unknown) => toastFailure(error, translate('playground.onServer.unread')));
  }, [isOn, store]);
}

const readsHistory = (setting: string) => parseObject(setting)?.['playground_history'] === true;

/** The switch. `isOn` undefined: not known yet. */
export function useHistorySwitch() {
  const { data } = useSelf();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: (on: boolean) => client.self.updateSetting({ playground_history: on }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.selfAll }),
  });
  const stored = data === undefined ? undefined : readsHistory(data.setting);
  return {
    isOn: save.isPending ? save.variables : stored,
    isBusy: save.isPending,
    change: (on: boolean) => save.mutate(on),
  };
}
