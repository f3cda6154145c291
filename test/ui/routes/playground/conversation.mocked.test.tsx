// @vitest-environment happy-dom
/** Text that comes draws one message, however long the conversation is. */
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChatMessage } from '../../../../src/ui/routes/playground/chat/message.ts';

const drawn = vi.hoisted(() => ({ ids: [] as string[], made: [] as string[] }));
vi.mock('../../../../src/ui/routes/playground/chat/message-view.tsx', () => ({
  MessageView: ({ message }: { message: ChatMessage }) => {
    useState(() => drawn.made.push(message.id));
    drawn.ids.push(message.id);
    return message.content;
  },
}));

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => vi.unstubAllGlobals());

const message = (id: string, content: string): ChatMessage => ({
  id,
  content,
  role: 'assistant',
  reasoning: '',
  createAt: 0,
  status: 'complete',
});
const nothing = () => undefined;
const actions = {
  onRegenerate: nothing,
  onResend: nothing,
  onRemove: nothing,
  onVersion: nothing,
  onChoose: nothing,
  estimate: nothing,
};

async function conversation() {
  const { Conversation } = await import(
    '../../../../src/ui/routes/playground/chat/conversation.tsx'
  );
  const place = document.createElement('div');
  const root = createRoot(place);
  drawn.ids.length = 0;
  drawn.made.length = 0;
  return {
    place,
    draw: (messages: readonly ChatMessage[], live: ChatMessage | undefined) =>
      act(async () => root.render(<Conversation {...{ messages, live, actions }} />)),
    end: () => act(async () => root.unmount()),
  };
}

const messages = Array.from({ length: 200 }, (_, index) => message(String(index), 'text'));

test('only the answer that comes is drawn anew', async () => {
  const { place, draw, end } = await conversation();
  await draw(messages, message('199', ''));
  expect(drawn.ids).toHaveLength(200);
  drawn.ids.length = 0;
  for (let n = 1; n <= 20; n += 1) await draw(messages, message('199', 'word '.repeat(n)));
  expect(drawn.ids).toEqual(Array.from({ length: 20 }, () => '199'));
  expect(place.textContent).toContain('word word');
  await end();
});

test('messages lie in groups, and one that goes takes nothing from the others', async () => {
  const { place, draw, end } = await conversation();
  await draw(messages, undefined);
  expect(place.firstElementChild?.childElementCount).toBe(20);
  // What is typed in a message, or opened, is lost where it is made anew.
  drawn.made.length = 0;
  const left = messages.filter((_, index) => index !== 3 && index !== 10);
  await draw(left, undefined);
  expect(drawn.made).toEqual([]);
  await draw([...left, message('200', 'text')], undefined);
  expect(drawn.made).toEqual(['200']);
  expect(place.textContent).toBe('text'.repeat(199));
  await end();
});
