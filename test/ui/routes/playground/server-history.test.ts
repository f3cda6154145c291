// @vitest-environment happy-dom
// Covers src/ui/routes/playground/chat.
/** Conversations that are kept on the server, in two browsers of a user. */
import { beforeEach, expect, test, vi } from 'vitest';
import { ChatStore } from '../../../../src/ui/routes/playground/chat/chat-store.ts';
import { readHistory } from '../../../../src/ui/routes/playground/chat/history.ts';
import {
  type ChangedChat,
  ServerHistory,
} from '../../../../src/ui/routes/playground/chat/server-history.ts';

const server = new Map<string, string>();

beforeEach(() => {
  localStorage.clear();
  server.clear();
});

/** A browser that keeps nothing of what another one of the test stored. */
function browser(chats = readHistory(7).chats) {
  let push: (change: ChangedChat) => void = () => undefined;
  const store = new ChatStore({
    userId: 7,
    history: { chats, settings: {} },
    defaultSystem: 'help',
    ask: async (_, sink) => sink.piece({ text: 'Yes.' }),
    findFile: async () => undefined,
    findCharge: async () => ({ quota: 50, outputTokens: 3 }),
    onCharged: () => undefined,
    onStored: (change) => push(change),
  });
  const put = vi.fn(async (id: string, content: string): Promise<undefined> => {
    server.set(id, content);
  });
  const onFailure = vi.fn();
  const history = new ServerHistory({
    store,
    list: async () => [...server].map(([id, content]) => ({ id, content, changed_at: 1 })),
    put,
    remove: async (id) => void server.delete(id),
    onFailure,
  });
  push = (change) => history.push(change);
  /** Its answer is charged, and everything is sent. */
  const ask = async (text: string) => {
    store.send(text);
    await vi.waitFor(() => expect(store.state().chat.messages.at(-1)?.quota).toBe(50));
    await history.settled();
  };
  const said = () => store.state().chats.map(({ messages }) => messages.map((one) => one.content));
  return { store, history, put, onFailure, ask, said };
}

test('what one browser says is in the other, also what it goes on with and deletes', async () => {
  const first = browser();
  await first.history.pull();
  await first.ask('One?');
  expect(JSON.parse([...server.values()][0] ?? '')).toMatchObject({ spent: 50 });
  const ofFirst = readHistory(7).chats;
  expect(ofFirst).toMatchObject([{ kept: true, spent: 50 }]);

  localStorage.clear();
  const second = browser([]);
  await second.history.pull();
  expect(second.said()).toEqual([['One?', 'Yes.']]);
  expect(readHistory(7).chats).toMatchObject([{ kept: true }]);
  expect(second.put).not.toHaveBeenCalled();
  second.store.open(second.store.state().chats[0]?.id ?? '');
  await second.ask('Two?');
  const ofSecond = readHistory(7).chats;

  localStorage.clear();
  const again = browser(ofFirst);
  await again.history.pull();
  expect(again.said()).toEqual([['One?', 'Yes.', 'Two?', 'Yes.']]);
  expect(again.store.state().chat.messages).toHaveLength(4);
  again.store.clear();
  await again.history.settled();
  expect(server.size).toBe(0);

  const last = browser(ofSecond);
  await last.history.pull();
  expect(last.said()).toEqual([]);
  expect(last.store.state().chat.messages).toEqual([]);
  expect(readHistory(7).chats).toEqual([]);
});

test('what was here before the switch is sent, and what could not be sent is sent the next time', async () => {
  const before = browser();
  const id = before.store.state().chat.id;
  before.put.mockRejectedValue(new Error('no network'));
  await before.ask('One?');
  await before.ask('Two?');
  // Once for all of them: the reader knows.
  expect(before.onFailure).toHaveBeenCalledTimes(1);
  expect(server.size).toBe(0);

  const after = browser();
  await after.history.pull();
  await after.history.settled();
  expect([...server.keys()]).toEqual([id]);
  expect(after.put).toHaveBeenCalledTimes(1);
  expect(readHistory(7).chats).toMatchObject([{ id, kept: true }]);

  // Changed here only, while the server was away: nothing of it is lost to the older copy.
  after.put.mockRejectedValue(new Error('no network'));
  after.store.remove(after.store.state().chat.messages.at(-1)?.id ?? '');
  await after.history.settled();
  const later = browser();
  await later.history.pull();
  await later.history.settled();
  expect(later.store.state().chat.messages).toHaveLength(3);
  expect(JSON.parse(server.get(id) ?? '').messages).toHaveLength(3);
});

test('of several changes that wait the last one is sent; the switch turned off forgets the marks', async () => {
  const one = browser();
  await one.ask('One?');
  one.put.mockClear();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  one.put.mockImplementationOnce(() => promise);
  const [first = '', second = ''] = one.store.state().chat.messages.map(({ id }) => id);
  one.store.remove(second);
  await vi.waitFor(() => expect(one.put).toHaveBeenCalledTimes(1));
  one.store.send('Two?');
  await vi.waitFor(() => expect(one.store.state().chat.messages.at(-1)?.quota).toBe(50));
  one.store.remove(first);
  resolve(undefined);
  await one.history.settled();
  expect(one.put).toHaveBeenCalledTimes(2);
  const { chat } = one.store.state();
  expect(JSON.parse(one.put.mock.calls.at(-1)?.[1] ?? '').messages).toHaveLength(
    chat.messages.length,
  );
  expect(chat.kept).toBe(true);
  one.store.markKept();
  expect(one.store.state().chat.kept).toBeUndefined();
  expect(readHistory(7).chats[0]?.kept).toBeUndefined();
});
