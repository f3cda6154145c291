// @vitest-environment happy-dom
// Covers src/ui/list/use-draft.ts, src/ui/form.
/** The back button while a drawer is open, asks or is being saved. */
import { useQueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError } from '../../../src/core/contract/envelope.ts';
import { storeUser } from '../../../src/ui/client/session.ts';
import { EntityDrawer } from '../../../src/ui/form/entity-drawer.tsx';
import { useEntityForm } from '../../../src/ui/form/use-entity-form.ts';
import { useDraft } from '../../../src/ui/list/use-draft.ts';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

interface Thing {
  readonly id: number;
  readonly name: string;
}
const thing: Thing = { id: 7, name: 'a' };
const onSave = vi.fn<() => Promise<void>>();

function Drawer({ onClose }: { readonly onClose: () => void }) {
  const form = useEntityForm<{ name: string }, void>({
    creating: false,
    before: { name: thing.name },
    reread: undefined,
    check: () => ({}),
    save: onSave,
    onSaved: onClose,
    fieldOf: () => undefined,
  });
  return (
    <EntityDrawer
      form={form}
      fields={[{ kind: 'text', name: 'name', label: 'Name' }]}
      title="Edit"
      subtitle="#7"
      submitLabel="Save"
      onClose={onClose}
    />
  );
}

function List() {
  const { draft, edit, close } = useDraft<Thing>('thing', async () => thing);
  return (
    <>
      <button type="button" onClick={() => edit(thing)}>
        Edit a
      </button>
      {draft && <Drawer onClose={close} />}
    </>
  );
}

/** The list, come to from the log, with its drawer open and a name typed. */
async function open() {
  const router = show(<List />, '/log');
  await act(() => router.navigate('/channel'));
  fireEvent.click(screen.getByRole('button', { name: 'Edit a' }));
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'b' } });
  const at = () => `${router.state.location.pathname}${router.state.location.search}`;
  expect(at()).toBe('/channel?edit=7');
  return { router, at };
}
const questions = () => screen.queryAllByRole('alertdialog');
const answer = async (name: string) => {
  const dialog = await screen.findByRole('alertdialog');
  fireEvent.click(within(dialog).getByRole('button', { name }));
  await waitFor(() => expect(questions()).toEqual([]));
};

beforeEach(() => {
  const texts = { username: 'ann', display_name: '', nickname: '', portrait: '', group: 'default' };
  storeUser({ id: 1, role: 100, status: 1, ...texts });
});

describe('a drawer that is left while it is saved', () => {
  async function leaveWhileSaving(leave: (router: ReturnType<typeof show>) => Promise<void>) {
    const { promise, resolve } = Promise.withResolvers<void>();
    onSave.mockReturnValue(promise);
    const { router, at } = await open();
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onSave).toHaveBeenCalled());
    await act(() => leave(router));
    await answer('Discard changes');
    await act(async () => resolve());
    return { router, at };
  }

  it('closes, and the list stays', async () => {
    const { router, at } = await leaveWhileSaving((router) => router.navigate(-1));
    await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
    expect(at()).toBe('/channel');
    // The next one asks as before.
    fireEvent.click(screen.getByRole('button', { name: 'Edit a' }));
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'b' } });
    await act(() => router.navigate(-1));
    await answer('Keep editing');
    expect(at()).toBe('/channel?edit=7');
  });

  it.each(['Cancel', 'Close'])('can be left by %s: the reply may never come', async (name) => {
    const { at } = await leaveWhileSaving(async () => {
      fireEvent.click(screen.getByRole('button', { name }));
    });
    await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
    expect(at()).toBe('/channel');
  });

  it('leaves the page alone to which the reader went', async () => {
    const { at } = await leaveWhileSaving((router) => router.navigate('/token?edit=7'));
    expect(at()).toBe('/token?edit=7');
  });
});

it('opened by a link stays, with what was typed, when its thing is deleted meanwhile', async () => {
  const load = vi.fn<() => Promise<Thing>>().mockResolvedValueOnce(thing);
  load.mockRejectedValue(new CallError('Gone', 200, 'not_found'));
  function Linked() {
    const { draft, close } = useDraft<Thing>('thing', load);
    const queryClient = useQueryClient();
    return (
      <>
        <button type="button" onClick={() => void queryClient.invalidateQueries()}>
          Read again
        </button>
        {draft && <Drawer onClose={close} />}
      </>
    );
  }
  const router = show(<Linked />, '/channel?edit=7');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'b' } });
  fireEvent.click(screen.getByRole('button', { name: 'Read again', hidden: true }));
  await waitFor(() => expect(load).toHaveBeenCalledTimes(2));
  await act(async () => undefined);
  expect(questions()).toEqual([]);
  // Saving says it, at the form.
  onSave.mockRejectedValue(new CallError('Gone', 200, 'not_found'));
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  const drawer = within(screen.getByRole('dialog'));
  expect((await drawer.findByRole('alert')).textContent).toBe('Gone');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'b');
  expect(router.state.location.search).toBe('?edit=7');
});

it('asks once, however often the back button is pressed', async () => {
  const { router, at } = await open();
  await act(() => router.navigate(-1));
  await screen.findByRole('alertdialog');
  await act(() => router.navigate(-1));
  await waitFor(() => expect(questions()).toHaveLength(1));
  await answer('Keep editing');
  expect(at()).toBe('/channel?edit=7');
  await act(() => router.navigate(-1));
  await answer('Discard changes');
  await waitFor(() => expect(at()).toBe('/channel'));
});
