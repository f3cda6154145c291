// @vitest-environment happy-dom
// Covers src/ui/routes/playground/chat.
/** The same conversations in two tabs of one browser. */
import { act, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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
let reply = () => new Response('data: [DONE]\n\n');
beforeEach(() => {
  forgetUser();
  storeUser({ id: 1, role: 1, status: 1, ...texts });
  const usual = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) =>
    url === '/pg/chat/completions'
      ? new Promise((resolve) => {
          answer = () => resolve(reply());
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

describe('two tabs that answer in one conversation', () => {
  // A refusal costs nothing: no charge is looked for after the test.
  beforeEach(() => {
    reply = () => Response.json({ error: { message: 'no', code: 'refused' } }, { status: 400 });
  });
  const text = (id: string, fields: object = {}) => ({ ...message(id), ...fields });
  const answered = (id: string, fields: object = {}) =>
    text(id, { role: 'assistant', model: 'm', ...fields });
  const stored2 = (...messages: object[]) =>
    otherTab({ ...chat('a', 9), messages: messages as ReturnType<typeof message>[] });
  const inStore = () =>
    readHistory(1)
      .chats.find(({ id }) => id === 'a')
      ?.messages.map(({ content }) => content);
  const ended = () => vi.waitFor(() => expect(store?.state().isBusy).toBe(false));
  const begin = () => {
    stored(chat('a', 1, 'one'));
    show(<Conversation />);
    act(() => store?.send('mine'));
    return store?.state().chat.messages.slice(1) ?? [];
  };

  it('keep what either of them wrote, whichever ends first', async () => {
    const [mine, live] = begin();
    // It went on from what this tab had stored.
    stored2(
      text('one'),
      { ...mine },
      { ...live, status: 'complete', ended: 'left' },
      text('theirs'),
    );
    expect(shown()).toBe('one mine  theirs');
    stored2(
      text('one'),
      { ...mine },
      { ...live, status: 'complete', ended: 'left' },
      text('theirs'),
      answered('their answer', { quota: 5 }),
    );
    act(answer);
    await ended();
    expect(inStore()).toEqual(['one', 'mine', '', 'theirs', 'their answer']);
    expect(store?.state().chat.messages[2]?.ended).toBeUndefined();
    expect(store?.state().chat.spent).toBe(5);
  });

  it('keep both where neither knew of the other', async () => {
    begin();
    // Its event has not come yet.
    stored({ ...chat('a', 9, 'one', 'theirs'), spent: 3 });
    act(answer);
    await ended();
    expect(inStore()).toEqual(['one', 'theirs', 'mine', '']);
    expect(readHistory(1).chats[0]?.spent).toBe(3);
  });

  it('take the end of the answer of the other tab', async () => {
    stored({
      ...chat('a', 1),
      messages: [message('one'), answered('x', { content: '', status: 'loading' })],
    } as ReturnType<typeof chat>);
    show(<Conversation />);
    act(() => store?.send('mine'));
    stored2(text('one'), answered('x', { content: 'whole' }));
    act(answer);
    await ended();
    expect(inStore()).toEqual(['one', 'whole', 'mine', '']);
  });

  it('bring nothing back that was deleted here', async () => {
    begin();
    act(() => store?.remove('one'));
    act(answer);
    await ended();
    stored2(text('one'), text('theirs'));
    act(() => store?.send('again'));
    act(() => store?.remove('theirs'));
    act(answer);
    await ended();
    expect(inStore()).toEqual(['one', 'again', '']);
  });

  it('keep an answer that the other tab made again, once', async () => {
    stored({
      ...chat('a', 1),
      messages: [message('one'), answered('first')],
    } as ReturnType<typeof chat>);
    show(<Conversation />);
    act(() => store?.send('mine'));
    stored2(
      text('one'),
      answered('second', { createAt: 5, others: [{ answer: answered('first'), after: [] }] }),
    );
    act(answer);
    await ended();
    expect(inStore()).toEqual(['one', 'second', 'first', 'mine', '']);
  });
});
