// @vitest-environment happy-dom
// Covers src/ui/routes/playground/chat.
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { bounded, readHistory } from '../../../../src/ui/routes/playground/chat/history.ts';
import { MessageView } from '../../../../src/ui/routes/playground/chat/message-view.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const nothing = () => {};
const actions = {
  onRegenerate: nothing,
  onResend: nothing,
  onRemove: nothing,
  onVersion: nothing,
  onChoose: nothing,
  estimate: () => undefined,
};
const answer = { id: 'm', role: 'assistant', content: 'an answer', createAt: 1, model: 'm' };

it.each([
  { error: null },
  { error: 'broken' },
  { error: { status: '500' } },
  { model: 7 },
  { model: null },
  { reasoning: null },
  { reasoning: { text: 'x' } },
  { status: 'unheard of' },
  { quota: 'many' },
  { totalMs: 'long', outputTokens: null },
  { createAt: 'yesterday' },
  { others: [{ answer: { ...answer, id: 'o', error: null }, after: null }] },
  { attachments: 'none' },
])('a stored message with %o is shown without that', async (broken) => {
  localStorage.setItem(
    'playground-chats',
    JSON.stringify({
      user: 1,
      settings: {},
      chats: [{ id: 'c', messages: [{ ...answer, ...broken }] }],
    }),
  );
  const { chats } = readHistory(1);
  const [message] = bounded(chats)[0]?.messages ?? [];
  if (message === undefined) throw new Error('it was not read');
  show(<MessageView message={message} actions={actions as never} />);
  expect(await screen.findByText('an answer')).toBeTruthy();
  expect(screen.queryByText(/NaN|undefined|Invalid/)).toBeNull();
});
