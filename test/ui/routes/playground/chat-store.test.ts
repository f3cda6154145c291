// Covers src/ui/routes/playground/chat.
// @vitest-environment happy-dom
/** Conversations of the playground without a server (docs/rules/console.md#chat-playground). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Ask } from '../../../../src/ui/routes/playground/chat/ask.ts';
import { type AttachedFile, takes } from '../../../../src/ui/routes/playground/chat/attachment.ts';
import { ChatStore } from '../../../../src/ui/routes/playground/chat/chat-store.ts';
import { tokensOf } from '../../../../src/ui/routes/playground/chat/estimate.ts';
import { bounded, readHistory } from '../../../../src/ui/routes/playground/chat/history.ts';
import {
  type Chat,
  roughTokens,
  splitThinking,
  wireMessages,
} from '../../../../src/ui/routes/playground/chat/message.ts';
import { placeOf } from '../../../../src/ui/routes/playground/chat/versions.ts';
import { PlaygroundError } from '../../../../src/ui/routes/playground/post.ts';

beforeEach(() => localStorage.clear());
beforeEach(() => kept.clear());
afterEach(() => vi.restoreAllMocks());

const failure = { status: 403, code: 'insufficient_user_quota', type: '', text: 'empty' };
const broken = { status: 0, code: 'stream_broken', type: '', text: '' };
const fine: Ask = async (_, sink) => {
  sink.started('request-1');
  sink.piece({ text: 'Hello ' });
  sink.piece({ text: 'there', outputTokens: 2 });
};

/** What this browser keeps of attached files. */
const kept = new Map<string, AttachedFile>();
const file = (id: string, kind: AttachedFile['kind'], content: string): AttachedFile => {
  const made = { id, name: `${id}.${kind}`, kind, tokens: 5, content };
  kept.set(id, made);
  return made;
};

function storeWith(ask: Ask, userId = 7, chats = readHistory(userId).chats, isBeside = false) {
  const findCharge = vi.fn(async () => ({ quota: 50, outputTokens: 3 }));
  const onCharged = vi.fn();
  const store = new ChatStore({
    userId,
    history: { chats, settings: {} },
    isBeside,
    defaultSystem: 'help',
    ask,
    findFile: async (id) => kept.get(id),
    findCharge,
    onCharged,
  });
  return {
    store,
    findCharge,
    onCharged,
    over: () => vi.waitFor(() => expect(store.state().isBusy).toBe(false)),
  };
}

describe('an answer', () => {
  test('goes from loading to complete, and is charged once', async () => {
    const states: string[] = [];
    const { store, findCharge, onCharged, over } = storeWith(async (question, sink, signal) => {
      states.push(store.state().chat.messages.at(-1)?.status ?? '');
      await fine(question, sink, signal);
    });
    store.send('hi');
    await over();
    await vi.waitFor(() => expect(onCharged).toHaveBeenCalled());
    expect(states).toEqual(['loading']);
    const { chat } = store.state();
    expect(chat.messages.map(({ role, content, status }) => [role, content, status])).toEqual([
      ['user', 'hi', 'complete'],
      ['assistant', 'Hello there', 'complete'],
    ]);
    expect([chat.spent, chat.messages[1]?.quota, chat.messages[1]?.outputTokens]).toEqual([
      50, 50, 3,
    ]);
    expect(findCharge.mock.calls).toMatchObject([
      [{ key: chat.messages[1]?.requestKey, requestId: 'request-1' }],
    ]);
  });

  test('changes what is drawn around it only at its beginning and its end', async () => {
    const seen = new Set<object>();
    const live = new Set<object | undefined>();
    const { store, over } = storeWith(async (_, sink) => {
      const begun = store.settled();
      for (const text of ['one ', 'two ', 'three']) {
        sink.piece({ text });
        await vi.waitFor(() => expect(store.state().live?.content).toContain(text));
        live.add(store.state().live);
        seen.add(store.settled());
      }
      expect(begun).toMatchObject({ isBusy: true });
    });
    store.send('hi');
    await over();
    expect([live.size, seen.size]).toEqual([3, 1]);
    expect(store.settled()).toMatchObject({ isBusy: false, chat: store.state().chat });
  });

  test('that fails keeps what came, and what it cost', async () => {
    const { store, over } = storeWith(async (_, sink) => {
      sink.started('request-2');
      sink.piece({ text: 'Half' });
      throw new PlaygroundError(broken);
    });
    store.send('hi');
    await over();
    expect(store.state().chat.messages[1]).toMatchObject({
      status: 'error',
      content: 'Half',
      error: broken,
    });
    await vi.waitFor(() => expect(store.state().chat.spent).toBe(50));
  });

  test('that was refused cost nothing: the log is not asked', async () => {
    const { store, findCharge, onCharged, over } = storeWith(async () => {
      throw new PlaygroundError(failure);
    });
    store.send('hi');
    await over();
    await vi.waitFor(() => expect(onCharged).toHaveBeenCalled());
    expect(findCharge).not.toHaveBeenCalled();
  });

  test('that is stopped before its first word learns its cost by the key of the request', async () => {
    let key = '';
    const { store, findCharge, over } = storeWith(
      (question, _, signal) =>
        new Promise((_resolve, reject) => {
          key = question.key;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    store.send('hi');
    store.stop();
    await over();
    await vi.waitFor(() => expect(store.state().chat.spent).toBe(50));
    expect(key).not.toBe('');
    expect(findCharge.mock.calls).toMatchObject([[{ key, requestId: undefined }]]);
    expect(store.state().chat.messages[1]).toMatchObject({ ended: 'stopped', quota: 50 });
  });

  test('that was coming when the page was left keeps its text and learns its cost on return', async () => {
    const { store } = storeWith(async (_, sink) => {
      sink.piece({ text: 'Half' });
      await new Promise(() => undefined);
    });
    store.send('hi');
    await vi.waitFor(() => expect(store.state().live?.content).toBe('Half'));
    store.keep();
    const later = storeWith(fine);
    await vi.waitFor(() => expect(later.store.state().chat.spent).toBe(50));
    expect(later.findCharge).toHaveBeenCalledTimes(1);
    expect(later.store.state().chat.messages[1]).toMatchObject({
      content: 'Half',
      status: 'complete',
      ended: 'left',
      quota: 50,
    });
    const last = storeWith(fine);
    expect(last.findCharge).not.toHaveBeenCalled();
  });

  test('that is stopped is complete and says so', async () => {
    const { store, over } = storeWith(
      (_, sink, signal) =>
        new Promise((_resolve, reject) => {
          sink.piece({ text: 'Half' });
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    store.send('hi');
    store.send('ignored while an answer is coming');
    store.stop();
    await over();
    expect(store.state().chat.messages).toHaveLength(2);
    expect(store.state().chat.messages[1]).toMatchObject({
      status: 'complete',
      ended: 'stopped',
      content: 'Half',
    });
  });

  test('made again is charged on top of the first one', async () => {
    const { store, over } = storeWith(fine);
    store.send('hi');
    await over();
    await vi.waitFor(() => expect(store.state().chat.spent).toBe(50));
    store.regenerate(store.state().chat.messages[1]?.id ?? '');
    await over();
    await vi.waitFor(() => expect(store.state().chat.spent).toBe(100));
    expect(store.state().chat.messages).toHaveLength(2);
  });

  test('made again keeps the one before as a version, with what followed it', async () => {
    let count = 0;
    const { store, over } = storeWith(async (_, sink) => {
      count += 1;
      sink.started(`request-${count}`);
      sink.piece({ text: `answer ${count}` });
    });
    const texts = () => store.state().chat.messages.map(({ content }) => content);
    const idle = () =>
      vi.waitFor(() => {
        expect(store.state().isBusy).toBe(false);
        expect(store.state().chat.spent).toBe(50 * count);
      });
    store.send('hi');
    await over();
    store.send('more');
    await over();
    await idle();
    vi.useFakeTimers({ now: Date.now() + 1000, toFake: ['Date'] });
    const first = () => store.state().chat.messages[1];
    store.regenerate(first()?.id ?? '');
    await vi.waitFor(() => expect(count).toBe(3));
    await idle();
    vi.useRealTimers();
    expect(texts()).toEqual(['hi', 'answer 3']);
    const newer = first();
    expect(newer && placeOf(newer)).toEqual({ place: 2, count: 2 });
    store.showVersion(newer?.id ?? '', 1);
    await vi.waitFor(() => expect(texts()).toEqual(['hi', 'answer 1', 'more', 'answer 2']));
    // A reload knows both.
    const again = storeWith(fine).store;
    const shown = again.state().chat.messages[1];
    again.showVersion(shown?.id ?? '', 2);
    await vi.waitFor(() =>
      expect(again.state().chat.messages.map(({ content }) => content)).toEqual(['hi', 'answer 3']),
    );
  });

  test('costs the same work in a conversation of 200 messages as in one of two', async () => {
    /** Characters that are serialised and counted while an answer of 40 pieces comes. */
    const workOf = async (messages: number) => {
      localStorage.clear();
      const text = 'word '.repeat(400);
      const said: Chat['messages'] = Array.from({ length: messages }, (_, index) => ({
        id: String(index),
        content: text,
        reasoning: '',
        createAt: 0,
        status: 'complete',
        role: index % 2 === 0 ? 'user' : 'assistant',
      }));
      const { store, over } = storeWith(
        async (_, sink) => {
          for (let n = 0; n < 40; n += 1) {
            sink.piece({ text: 'more ' });
            await new Promise((resolve) => setTimeout(resolve, 2));
          }
        },
        7,
        [{ id: 'long', changedAt: 1, spent: 0, messages: said }],
      );
      const ask = async (question: string) => {
        store.send(question);
        await over();
      };
      // The first answer after a load serialises what was read.
      await ask('once');
      tokensOf(store.state().chat.messages);
      let characters = 0;
      const { stringify, parse } = JSON;
      const match = String.prototype.match;
      vi.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
        const written = stringify(value);
        characters += written.length;
        return written;
      });
      vi.spyOn(JSON, 'parse').mockImplementation((written: string) => {
        characters += written.length;
        return parse(written) as unknown;
      });
      vi.spyOn(String.prototype, 'match').mockImplementation(function (this: string, pattern) {
        characters += this.length;
        return match.call(this, pattern as RegExp);
      });
      const unsubscribe = store.subscribe(() => tokensOf(store.state().chat.messages));
      await ask('twice');
      unsubscribe();
      vi.restoreAllMocks();
      return characters;
    };
    const [two, many] = [await workOf(2), await workOf(200)];
    expect(two).toBeGreaterThan(100);
    expect(many).toBeLessThan(two * 1.2);
  });
});

describe('history', () => {
  test('is read again by its user only, and an answer that was coming ended there', async () => {
    const { store, over } = storeWith(fine);
    store.send('hi');
    await over();
    const stored = JSON.parse(localStorage.getItem('playground-chats') ?? '') as {
      chats: { messages: { status: string }[] }[];
    };
    for (const message of stored.chats[0]?.messages ?? []) message.status = 'incomplete';
    localStorage.setItem('playground-chats', JSON.stringify(stored));
    expect(readHistory(8).chats).toEqual([]);
    expect(readHistory(7).chats[0]?.messages.map(({ status, ended }) => [status, ended])).toEqual([
      ['complete', 'left'],
      ['complete', 'left'],
    ]);
    localStorage.setItem(
      'playground-chats',
      '{"user":7,"chats":[{"id":1},7,{"id":"a","messages":[{},null]}],"settings":5}',
    );
    expect(readHistory(7)).toEqual({
      chats: [{ id: 'a', messages: [], changedAt: 0, spent: 0 }],
      settings: {},
    });
  });

  test('of another tab is kept', async () => {
    const [one, two] = [storeWith(fine), storeWith(fine)];
    one.store.send('from one');
    await one.over();
    two.store.send('from two');
    await two.over();
    expect(readHistory(7).chats.map(({ messages }) => messages[0]?.content)).toEqual([
      'from two',
      'from one',
    ]);
    one.store.clear();
    expect(readHistory(7).chats.map(({ messages }) => messages[0]?.content)).toEqual(['from two']);
  });

  test('is bounded: the newest conversations, and the newest messages of one that is too long', () => {
    const message = { role: 'user', reasoning: '', createAt: 0, status: 'complete' } as const;
    const chats: Chat[] = Array.from({ length: 30 }, (_, index) => ({
      id: String(index),
      changedAt: index,
      spent: 0,
      messages: [{ ...message, id: 'm', content: 'x' }],
    }));
    expect(bounded(chats).map(({ id }) => Number(id))).toEqual(
      Array.from({ length: 20 }, (_, index) => 29 - index),
    );
    const long = Array.from({ length: 30 }, (_, index) => ({
      ...message,
      id: String(index),
      content: 'x'.repeat(100_000),
    }));
    const kept = bounded([{ id: 'long', changedAt: 0, spent: 0, messages: long }])[0]?.messages;
    expect([kept?.length, kept?.at(-1)?.id]).toEqual([9, '29']);
  });
});

test('failed answers without text are not sent again', () => {
  const message = { reasoning: 'r', createAt: 0, status: 'complete' } as const;
  const messages = [
    { ...message, id: '1', role: 'user', content: 'a' },
    { ...message, id: '2', role: 'assistant', content: '' },
  ] as const;
  expect(wireMessages('', messages)).toEqual([{ role: 'user', content: 'a' }]);
  expect(wireMessages('be brief', messages)[0]).toEqual({ role: 'system', content: 'be brief' });
});

test('thoughts in the text are told apart', () => {
  expect(splitThinking('plain')).toEqual({ thinking: '', answer: 'plain' });
  expect(splitThinking('<think>so far')).toEqual({ thinking: 'so far', answer: '' });
  expect(splitThinking('\n<think>\nwhy\n</think>\n\nbecause')).toEqual({
    thinking: 'why',
    answer: 'because',
  });
});

test('rough tokens count Chinese characters almost each', () => {
  expect([roughTokens(''), roughTokens('abcdefgh'), roughTokens('额度余额')]).toEqual([0, 2, 3]);
});

describe('attached files', () => {
  const attachmentOf = ({ content: _, ...attachment }: AttachedFile) => attachment;

  test('are sent before the text, in every turn, also without a text', async () => {
    const sent: unknown[] = [];
    const { store, over } = storeWith(async (question, sink, signal) => {
      sent.push(question.messages.filter(({ role }) => role === 'user'));
      await fine(question, sink, signal);
    });
    const all = [
      file('a', 'image', 'data:image/png;base64,AA=='),
      file('b', 'pdf', 'data:application/pdf;base64,BB=='),
      file('c', 'audio', 'data:audio/mpeg;base64,CC=='),
      file('d', 'text', 'see ```` here'),
    ];
    store.send(' ', all.map(attachmentOf));
    await over();
    store.send('and?');
    await over();
    const content = [
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      { type: 'file', file: { filename: 'b.pdf', file_data: 'data:application/pdf;base64,BB==' } },
      { type: 'input_audio', input_audio: { data: 'CC==', format: 'mp3' } },
      { type: 'text', text: 'd.text:\n`````\nsee ```` here\n`````' },
    ];
    expect(sent).toEqual([
      [{ role: 'user', content }],
      [
        { role: 'user', content },
        { role: 'user', content: 'and?' },
      ],
    ]);
    expect(tokensOf(store.state().chat.messages.slice(0, 1))).toBeGreaterThanOrEqual(20);
  });

  test('stay with a message that is edited and after a reload; their contents are not stored with it', async () => {
    const { store, over } = storeWith(fine);
    store.send('what is this?', [attachmentOf(file('a', 'image', 'data:image/png;base64,AA=='))]);
    await over();
    store.resend(store.state().chat.messages[0]?.id ?? '', 'and this?');
    await vi.waitFor(() => expect(store.state().chat.messages[0]?.content).toBe('and this?'));
    await over();
    const [chat] = readHistory(7).chats;
    expect(chat?.messages[0]).toMatchObject({
      content: 'and this?',
      attachments: [{ id: 'a', name: 'a.image', kind: 'image', tokens: 5 }],
    });
    expect(JSON.stringify(localStorage)).not.toContain('base64');
  });

  test('that are gone fail the message by name, and nothing is sent', async () => {
    const ask = vi.fn(fine);
    const { store, findCharge, over } = storeWith(ask);
    const gone = attachmentOf(file('a', 'image', ''));
    kept.clear();
    store.send('look', [gone]);
    await over();
    expect(store.state().chat.messages[1]).toMatchObject({
      status: 'error',
      error: { code: 'attachment_gone', text: 'a.image' },
    });
    expect([ask, findCharge].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  });

  test.each([
    ['image', [], true],
    ['image', ['text'], false],
    ['image', ['text', 'image'], true],
    ['pdf', ['text', 'image'], false],
    ['pdf', ['text', 'file'], true],
    ['text', ['text'], true],
  ] as const)('%s to a model that reads %j: %s', (kind, reads, expected) =>
    expect(takes(kind, reads)).toBe(expected),
  );
});

test('a model beside goes on from the same messages; its conversation joins the others, its settings do not', async () => {
  const models: string[] = [];
  const ask: Ask = async (question, sink, signal) => {
    models.push(`${question.model}: ${question.messages.length}`);
    await fine(question, sink, signal);
  };
  const main = storeWith(ask);
  main.store.setSettings({ model: 'a' });
  main.store.send('hi');
  await main.over();
  const beside = storeWith(ask, 7, [], true);
  beside.store.start(main.store.state().chat.messages);
  beside.store.setSettings({ ...main.store.state().settings, model: 'b' });
  main.store.send('and?');
  beside.store.send('and?');
  await main.over();
  await beside.over();
  expect(models).toEqual(['a: 2', 'a: 4', 'b: 4']);
  await vi.waitFor(() => expect(beside.store.state().chat.spent).toBe(50));
  await vi.waitFor(() => expect(main.store.state().chat.spent).toBe(100));
  const stored = readHistory(7);
  expect(stored.settings.model).toBe('a');
  expect(stored.chats.map(({ messages }) => messages.at(-1)?.model).sort()).toEqual(['a', 'b']);
  main.store.adopt(beside.store.state().chat);
  expect(main.store.state().chats).toHaveLength(2);
  main.store.setSettings({ temperature: 0.5 });
  expect(readHistory(7).chats).toHaveLength(2);
});
