// @vitest-environment happy-dom
/** Text that comes draws one message, however long the conversation is. */
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChatMessage } from '../../../../src/ui/routes/playground/chat/message.ts';

const drawn = vi.hoisted(() => ({ ids: [] as string[] }));
vi.mock('../../../../src/ui/routes/playground/chat/message-view.tsx', () => ({
  MessageView: ({ message }: { message: ChatMessage }) => {
    drawn.ids.push(message.id);
    return message.content;
  },
}));

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => vi.unstubAllGlobals());

test('only the answer that comes is drawn anew', async () => {
  const { Conversation } = await import(
    '../../../../src/ui/routes/playground/chat/conversation.tsx'
  );
  const message = (id: string, content: string): ChatMessage => ({
    ...{ id, content, role: 'assistant', reasoning: '', createAt: 0, status: 'complete' },
  });
  const messages = Array.from({ length: 200 }, (_, index) => message(String(index), 'text'));
  const nothing = () => undefined;
  const actions = {
    ...{ onRegenerate: nothing, onResend: nothing, onRemove: nothing, onVersion: nothing },
    ...{ onChoose: nothing, estimate: nothing },
  };
  const place = document.createElement('div');
  const root = createRoot(place);
  const draw = (live: ChatMessage | undefined) =>
    act(async () => root.render(<Conversation {...{ messages, live, actions }} />));
  await draw(message('199', ''));
  expect(drawn.ids).toHaveLength(200);
  drawn.ids.length = 0;
  for (let n = 1; n <= 20; n += 1) await draw(message('199', 'word '.repeat(n)));
  expect(drawn.ids).toEqual(Array.from({ length: 20 }, () => '199'));
  expect(place.textContent).toContain('word word');
  await act(async () => root.unmount());
});
