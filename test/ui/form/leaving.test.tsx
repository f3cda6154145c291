// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetUser, storeUser } from '../../../src/ui/client/session.ts';
import { FormDrawer } from '../../../src/ui/form/form-drawer.tsx';
import { SaveBar } from '../../../src/ui/form/save-bar.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

const onClose = vi.fn();

function drawer(changes: readonly string[]) {
  const nothing = () => {};
  return show(
    <FormDrawer
      opened
      creating={false}
      onClose={onClose}
      title="Edit"
      changes={changes}
      submitLabel="Save"
      submitting={false}
      onSubmit={nothing}
    >
      <input aria-label="Name" />
    </FormDrawer>,
    '/channel',
  );
}

function settings(changes: readonly string[]) {
  const nothing = () => {};
  return show(
    <SaveBar changes={changes} saving={false} onDiscard={nothing} onSave={nothing} />,
    '/setting',
  );
}

const question = () => screen.findByText('Discard changes?');
const answer = (name: string) =>
  fireEvent.click(within(screen.getByRole('alertdialog')).getByRole('button', { name }));
const isAsked = () => screen.queryByText('Discard changes?') !== null;
const isReloadHeld = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

beforeEach(() => {
  onClose.mockClear();
  const texts = {
    username: 'root',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  };
  storeUser({ id: 1, role: 100, status: 1, ...texts });
});

describe.each([
  ['a drawer', drawer, '/channel'],
  ['the settings', settings, '/setting'],
] as const)('leaving %s with unsaved changes', (_, render, home) => {
  it('for another page asks first, and stays until the answer', async () => {
    const router = render(['Name a → b']);
    await act(() => router.navigate('/log'));
    await question();
    screen.getByText('Not saved yet: Name a → b.');
    expect(router.state.location.pathname).toBe(home);
    answer('Keep editing');
    await waitFor(() => expect(isAsked()).toBe(false));
    expect(router.state.location.pathname).toBe(home);
    await act(() => router.navigate('/log'));
    await question();
    answer('Discard changes');
    await waitFor(() => expect(router.state.location.pathname).toBe('/log'));
  });

  it('takes Escape in the question for staying', async () => {
    const router = render(['Name a → b']);
    await act(() => router.navigate('/log'));
    await question();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(isAsked()).toBe(false));
    expect(router.state.location.pathname).toBe(home);
    expect(onClose).not.toHaveBeenCalled();
  });

  it('for a reload makes the browser ask', () => {
    render(['Name a → b']);
    expect(isReloadHeld()).toBe(true);
  });

  it('after the login has expired asks nothing', async () => {
    const router = render(['Name a → b']);
    forgetUser('expired');
    await act(() => router.navigate('/login'));
    expect(router.state.location.pathname).toBe('/login');
    expect(isAsked()).toBe(false);
  });
});

describe('leaving without changes', () => {
  it('asks nothing', async () => {
    const router = drawer([]);
    expect(isReloadHeld()).toBe(false);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledTimes(1);
    await act(() => router.navigate('/log'));
    expect(router.state.location.pathname).toBe('/log');
    expect(isAsked()).toBe(false);
  });
});

describe('closing a drawer with changes', () => {
  it('by Escape asks, and a second Escape answers only the question', async () => {
    drawer(['Name a → b']);
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await question();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(isAsked()).toBe(false));
    expect(onClose).not.toHaveBeenCalled();
  });
});
