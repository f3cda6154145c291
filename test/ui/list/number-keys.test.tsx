// @vitest-environment happy-dom
// Covers src/ui/list/inline-number.tsx, src/ui/list/pager.tsx.
/** The keys that end a composition of an input method are not those that end the field. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { InlineNumber } from '../../../src/ui/list/inline-number.tsx';
import { Pager } from '../../../src/ui/list/pager.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

it('a number in a row is saved by Enter and left by Escape, but not while it is composed', async () => {
  const onSave = vi.fn(async () => undefined);
  show(<InlineNumber value={5} label="Weight" check={() => undefined} onSave={onSave} />);
  fireEvent.click(screen.getByRole('button', { name: 'Weight: 5' }));
  const field = screen.getByRole('textbox', { name: 'Weight' });
  fireEvent.change(field, { target: { value: '6' } });
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  expect(onSave).not.toHaveBeenCalled();
  expect(field).toHaveProperty('value', '6');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(onSave.mock.calls).toEqual([[6]]));
});

it('the number of a page is followed by Enter, but not while it is composed', () => {
  const onPage = vi.fn();
  show(<Pager page={1} pageSize={10} total={90} onPage={onPage} />);
  const field = screen.getByRole('textbox', { name: 'Page' });
  fireEvent.change(field, { target: { value: '3' } });
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  expect(onPage).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onPage.mock.calls).toEqual([[3]]);
});
