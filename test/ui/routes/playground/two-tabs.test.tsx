// @vitest-environment happy-dom
// Covers src/ui/routes/playground/chat.
/** The same conversations in two tabs of one browser. */
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { forgetUser, storeUser } from '../../../../src/ui/client/session.ts';
import type { ChatStore } from '../../../../src/ui/routes/playground/chat/chat-store.ts';
import { readHistory } from '../../../../src/ui/routes/playground/chat/history.ts';
import { useChats } from '../../../../src/ui/routes/playground/chat/use-chats.ts';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const texts = { username: 'ann', display_name: '', nickname: '', portrait: '', group: 'default' };
const key = 'playground-chats';
const message = (id: string) => ({
  id,
  role: 'user',
  content: id,
  reasoning: '',
  createAt: 1,
  status: 'complete',
});
const chat = (id: string, changedAt: number, ...messages: string[]) => ({
  id,
  changedAt,
  spent: 0,
  messages: messages.map(message),
});
const stored = (...chats: object[]) =>
  localStorage.setItem(key, JSON.stringify({ user: 1, settings: {}, chats }));
const otherTab = (...chats: object[]) => {
  stored(...chats);
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key }));
  });
};

let store: ChatStore | undefined;
function Conversation() {
  const chats = useChats();
  store = chats.store;
  return <output>{chats.chat.messages.map(({ content }) => content).join(' ')}</output>;
}
const shown = () => screen.getByRole('status').textContent;
const kept = () =>
  readHistory(1).chats.map(({ id, messages }) =>
    `${id}: ${messages.map(({ content }) => content).join(' ')}`.trim(),
  );

/** Ends the answer that is coming. */
let answer = () => {};
beforeEach(() => {
  forgetUser();
  storeUser({ id: 1, role: 1, status: 1, ...texts });
  const usual = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) =>
    url === '/pg/chat/completions'
      ? new Promise((resolve) => {
          answer = () => resolve(new Response('data: [DONE]\n\n'));
        })
      : usual(url, request),
  );
});

it('what was written in another tab is shown, and stays when this one goes on', async () => {
  stored(chat('a', 1, 'one'));
  show(<Conversation />);
  expect(shown()).toBe('one');
  otherTab(chat('b', 3, 'new'), chat('a', 2, 'one', 'two'));
  expect(shown()).toBe('one two');
  act(() => store?.send('three'));
  expect(kept()).toEqual(['a: one two three', 'b: new']);
  // While an answer comes here, this tab has the word.
  otherTab(chat('c', 4, 'other'), chat('a', 2, 'one'));
  expect(shown()).toBe('one two three ');
  act(answer);
  await vi.waitFor(() => expect(store?.state().isBusy).toBe(false));
  expect(kept()).toEqual(['a: one two three', 'c: other']);
});

it('what was deleted in another tab is gone here; a conversation that was not begun stays', () => {
  stored(chat('a', 1, 'one'));
  show(<Conversation />);
  otherTab();
  expect(shown()).toBe('');
  const begun = store?.state().chat.id;
  otherTab(chat('b', 2, 'new'));
  expect(shown()).toBe('');
  expect(store?.state().chat.id).toBe(begun);
  expect(store?.state().chats.map(({ id }) => id)).toEqual(['b']);
});
