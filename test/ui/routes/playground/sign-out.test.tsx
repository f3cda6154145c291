// @vitest-environment happy-dom
// Covers src/ui/routes/playground/chat, src/ui/routes/playground/image.
/** Conversations and images end with the sign-out (docs/rules/console.md#browser-storage). */
import { act, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { forgetUser, storeUser } from '../../../../src/ui/client/session.ts';
import type { ChatStore } from '../../../../src/ui/routes/playground/chat/chat-store.ts';
import { useChats } from '../../../../src/ui/routes/playground/chat/use-chats.ts';
import {
  type ImageRun,
  ImageStore,
} from '../../../../src/ui/routes/playground/image/image-store.ts';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const texts = { username: 'ann', display_name: '', nickname: '', portrait: '', group: 'default' };
const ann = { id: 1, role: 1, status: 1, ...texts };
const otherTab = () => {
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
};

let store: ChatStore | undefined;
function Conversation() {
  const chats = useChats();
  store = chats.store;
  return <output>{chats.chat.messages.map(({ content }) => content).join(' | ')}</output>;
}
const shown = () => screen.getByRole('status').textContent;

describe.each([
  ['here', () => forgetUser()],
  ['here, as the login has expired', () => forgetUser('expired')],
  ['in another tab', otherTab],
])('a sign-out %s', (_, signOut) => {
  it('ends a conversation for good, also one to which an answer is coming', async () => {
    forgetUser();
    storeUser(ann);
    let signal: AbortSignal | null | undefined;
    const usual = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, request?: RequestInit) => {
      if (url !== '/pg/chat/completions') return usual(url, request);
      signal = request?.signal;
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal?.reason as Error));
      });
    });
    show(<Conversation />);
    act(() => store?.send('my secret'));
    await vi.waitFor(() => expect(signal).toBeDefined());
    expect(localStorage.getItem('playground-chats')).toContain('my secret');
    const before = store;
    act(signOut);
    await vi.waitFor(() => expect(before?.state().isBusy).toBe(false));
    expect(localStorage.getItem('playground-chats')).toBeNull();
    window.dispatchEvent(new Event('pagehide'));
    expect(localStorage.getItem('playground-chats')).toBeNull();
    act(() => storeUser(ann));
    expect(shown()).toBe('');
    act(() => store?.send('again'));
    expect(shown()).toContain('again');
    expect(localStorage.getItem('playground-chats')).toContain('again');
  });
});

it('keeps no image that comes after the sign-out', async () => {
  const kept = new Map<string, ImageRun>();
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => promise);
  const onCharged = vi.fn();
  const images = new ImageStore(
    {
      all: async () => [],
      put: async (run) => void kept.set(run.id, run),
      remove: async (id) => void kept.delete(id),
    },
    onCharged,
  );
  const order = { model: 'm', group: '', prompt: 'secret', size: '', quality: '', count: 1 };
  const made = images.generate(order);
  expect(kept.size).toBe(1);
  kept.clear(); // as the sign-out does
  images.close();
  resolve(Response.json({ data: [{ url: 'https://example.com/1.png' }] }));
  await made;
  expect(kept.size).toBe(0);
  expect(images.runs()).toEqual([]);
});
