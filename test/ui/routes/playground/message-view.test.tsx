// Covers src/ui/routes/playground/chat.
// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../../src/ui/routes/playground/chat/message.ts';
import type { MessageActions } from '../../../../src/ui/routes/playground/chat/message-actions.ts';
import { MessageView } from '../../../../src/ui/routes/playground/chat/message-view.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const nothing = () => undefined;
const actions: MessageActions = {
  onRegenerate: nothing,
  onResend: nothing,
  onRemove: nothing,
  onVersion: nothing,
  onChoose: nothing,
  estimate: nothing,
};
const message = (role: ChatMessage['role'], content: string): ChatMessage => ({
  id: role,
  role,
  content,
  reasoning: '',
  createAt: 0,
  status: 'complete',
});
/** The direction that an element takes from the nearest one that says it. */
const directionOf = (text: string) =>
  screen.getByText(text).closest('[dir]')?.getAttribute('dir') ?? undefined;

test('a question runs in the direction of its words', async () => {
  show(<MessageView message={message('user', 'ما اسمك؟')} actions={actions} />);
  await screen.findByText('ما اسمك؟');
  expect(directionOf('ما اسمك؟')).toBe('auto');
});

test('each block of an answer runs in the direction of its own words, code always from the left', async () => {
  const answer = [
    'مرحبا',
    '- أول\n- ثان\n  - داخل',
    '> اقتباس',
    '```\nconst a = 1;\n```',
    'Good bye',
  ].join('\n\n');
  show(
    <MessageView
      message={{ ...message('assistant', answer), reasoning: 'أفكر' }}
      actions={actions}
    />,
  );
  await screen.findByText('Good bye');
  for (const text of ['مرحبا', 'اقتباس', 'Good bye', 'أفكر'])
    expect([text, directionOf(text)]).toEqual([text, 'auto']);
  // A list is one block: an element in it with a direction would not count for that of the list.
  const list = document.querySelector('ul');
  expect(list?.getAttribute('dir')).toBe('auto');
  expect(list?.querySelector('[dir]')).toBeNull();
  expect(screen.getByText('مرحبا').closest('[dir]')?.contains(list)).toBe(false);
  expect(document.querySelector('pre')?.closest('[dir]')?.getAttribute('dir')).toBe('ltr');
});
