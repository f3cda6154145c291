// @vitest-environment happy-dom
// Covers src/ui/routes/playground/prompts.
import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDialogs } from '../../../../src/ui/components/dialogs.ts';
import { PromptsButton } from '../../../../src/ui/routes/playground/prompts/prompts-button.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

interface Kept {
  id: string;
  name: string;
  text: string;
  changed_at: number;
}
let kept: Kept[] = [];

prepareConsole();

/** Around the field: a message is sent, an image ordered. */
const onOrder = vi.fn();

function Field() {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onOrder();
      }}
      onPaste={onOrder}
    >
      <textarea
        aria-label="field"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <PromptsButton text={text} onChange={setText} />
    </form>
  );
}

const field = () =>
  screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'field', hidden: true });
const press = async (name: string | RegExp) =>
  fireEvent.click(await screen.findByRole('button', { name }));

afterEach(() =>
  act(() => {
    for (const dialog of openDialogs.current()) dialog.close();
  }),
);
beforeEach(() => {
  onOrder.mockClear();
  kept = [{ id: 'a', name: 'Poem', text: 'Write a poem.', changed_at: 1 }];
  onCall('GET /api/turnpike/self/prompts', () => kept);
});

test('a prompt is inserted behind what was written', async () => {
  show(<Field />);
  await press('Kept prompts');
  await press(/^Poem/);
  expect(field().value).toBe('Write a poem.');
  fireEvent.change(field(), { target: { value: 'In French. \n' } });
  await press('Kept prompts');
  await press(/^Poem/);
  expect(field().value).toBe('In French.\nWrite a poem.');
});

test('what was written is kept under a name; a refusal is said and the form stays', async () => {
  show(<Field />);
  vi.spyOn(crypto, 'randomUUID').mockReturnValue('7d5b6d0c-8c0f-4f8e-9d6e-0d5f4d3c2b1a');
  fireEvent.change(field(), { target: { value: 'Draw a red gate.\nAt dawn.' } });
  await press('Kept prompts');
  await screen.findByText('Poem');
  await press('Keep what I wrote');
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('Draw a red gate.');
  fireEvent.change(name, { target: { value: ' ' } });
  await press('Save');
  expect(screen.getByText('Fill this in')).toBeTruthy();
  fireEvent.change(name, { target: { value: 'Gate' } });
  const call = 'PUT /api/turnpike/self/prompts/7d5b6d0c-8c0f-4f8e-9d6e-0d5f4d3c2b1a';
  onCall(call, () => {
    throw new Refusal('playground_full', 'No more can be kept');
  });
  await press('Save');
  expect(await screen.findByText(/No more can be kept/)).toBeTruthy();
  expect(sent.at(-1)?.body).toEqual({ name: 'Gate', text: 'Draw a red gate.\nAt dawn.' });
  onCall(call, (given) => {
    const prompt = { ...(given as Kept), id: 'b', changed_at: 2 };
    kept = [prompt, ...kept];
    return prompt;
  });
  await press('Save');
  expect(await screen.findByRole('button', { name: /^Gate/ })).toBeTruthy();
  fireEvent.paste(screen.getByRole('dialog'));
  expect(onOrder).not.toHaveBeenCalled();
});

test('a prompt is edited, and deleted after a question', async () => {
  show(<Field />);
  await press('Kept prompts');
  await press('Edit “Poem”');
  const text = screen.getByRole('textbox', { name: 'Text' });
  fireEvent.change(text, { target: { value: 'Write a song.' } });
  onCall('PUT /api/turnpike/self/prompts/a', (given) => {
    kept = [{ ...(given as Kept), id: 'a', changed_at: 2 }];
    return kept[0];
  });
  await press('Save');
  expect(await screen.findByText('Write a song.')).toBeTruthy();
  onCall('DELETE /api/turnpike/self/prompts/a', () => {
    kept = [];
  });
  await press('Delete “Poem”');
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('Poem');
  fireEvent.click(within(question).getByRole('button', { name: 'Delete prompt' }));
  expect(await screen.findByText('No prompts kept yet')).toBeTruthy();
});

test('a list that cannot be loaded says so', async () => {
  onCall('GET /api/turnpike/self/prompts', () => {
    throw new Refusal('internal_error', 'The database is gone');
  });
  show(<Field />);
  await press('Kept prompts');
  expect(await screen.findByText('The prompts could not be loaded')).toBeTruthy();
});
