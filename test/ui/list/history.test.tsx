// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { storageKeys } from '../../../src/ui/browser/local-storage.ts';
import { ListScreen } from '../../../src/ui/list/list-screen.tsx';
import { useDraft } from '../../../src/ui/list/use-draft.ts';
import { useExpansion } from '../../../src/ui/list/use-expansion.ts';
import { useList } from '../../../src/ui/list/use-list.ts';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

interface Thing {
  readonly id: number;
  readonly name: string;
}

const all: readonly Thing[] = Array.from({ length: 25 }, (_, index) => ({
  id: index + 1,
  name: `thing ${index + 1}`,
}));
const url = { q: '', kind: '' } as const;
const asTheyAre = (rows: readonly Thing[]) => rows;
const keyOf = ({ id }: Thing) => id;
const addressOf = ({ id }: Thing) => `row-${id}`;
const load = vi.fn(async (id: number): Promise<Thing> => {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new Error('no such thing');
  return found;
});

function Things() {
  const list = useList({
    queryKey: ['things'],
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const found = all.filter(({ name }) => name.includes(state.q));
      return { items: found.slice((page - 1) * pageSize, page * pageSize), total: found.length };
    },
  });
  const { open, toggle } = useExpansion(list, addressOf);
  const { draft, create, edit, close } = useDraft<Thing>('thing', load);
  return (
    <ListScreen
      list={list}
      title="Things"
      create={{ label: 'New thing', onCreate: create }}
      filters={[
        { kind: 'search', name: 'q', label: 'Name', placeholder: 'Name' },
        { kind: 'switch', name: 'kind', label: 'Kind' },
      ]}
      onRefresh={list.refetch}
      nameOf={({ name }) => name}
      columns={[
        {
          key: 'name',
          label: 'Name',
          fixed: true,
          render: (thing) => (
            <>
              <button type="button" onClick={(event) => toggle(thing, event.shiftKey)}>
                open {thing.name}
              </button>
              <button type="button" onClick={() => edit(thing)}>
                edit {thing.name}
              </button>
            </>
          ),
        },
      ]}
      columnsKey={storageKeys.tokenColumns}
      expansion={{ open, onToggle: toggle, content: ({ name }) => <p>details of {name}</p> }}
      texts={{ failed: 'failed', noMatch: 'No matching things' }}
      empty={{ title: 'No things yet', text: 'Make one.' }}
    >
      {draft !== undefined && (
        <section aria-label="drawer">
          <p>{draft === null ? 'a new thing' : `editing ${draft.name}`}</p>
          <button type="button" onClick={close}>
            close
          </button>
        </section>
      )}
    </ListScreen>
  );
}

const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const search = (router: ReturnType<typeof show>) => router.state.location.search;
const back = (router: ReturnType<typeof show>) => act(() => router.navigate(-1));

describe('Back in a list', () => {
  it('leads to the page before, and to the filters before', async () => {
    const router = show(<Things />);
    await screen.findByText('open thing 1');
    click('Next page');
    await screen.findByText('open thing 11');
    fireEvent.click(screen.getByRole('switch', { name: 'Kind' }));
    await waitFor(() => expect(search(router)).toBe('?kind=1'));
    await back(router);
    expect(search(router)).toBe('?p=2');
    await screen.findByText('open thing 11');
    await back(router);
    expect(search(router)).toBe('');
    await screen.findByText('open thing 1');
  });

  it('undoes a search as a whole', async () => {
    const router = show(<Things />);
    await screen.findByText('open thing 1');
    const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Name' });
    for (const text of ['thing 2', 'thing 25']) {
      fireEvent.change(field, { target: { value: text } });
      fireEvent.keyDown(field, { key: 'Enter' });
      await waitFor(() => expect(new URLSearchParams(search(router)).get('q')).toBe(text));
    }
    await back(router);
    expect(search(router)).toBe('');
    expect(field.value).toBe('');
  });

  it('does not lead to a page that does not exist', async () => {
    const router = show(<Things />, '/?p=2');
    await screen.findByText('open thing 11');
    await act(() => router.navigate('/?p=9'));
    await screen.findByText('open thing 25');
    expect(search(router)).toBe('?p=3');
    await back(router);
    expect(search(router)).toBe('?p=2');
  });
});

describe('scrolling', () => {
  it('begins at the top of another page and returns to its place with Back', async () => {
    const router = show(<Things />);
    await screen.findByText('open thing 1');
    const sheet = screen
      .getByRole('heading', { name: /Things/ })
      .closest('div[class*="list"]') as HTMLElement;
    sheet.scrollTop = 240;
    fireEvent.scroll(sheet);
    click('Next page');
    await screen.findByText('open thing 11');
    expect(sheet.scrollTop).toBe(0);
    await back(router);
    await screen.findByText('open thing 1');
    expect(sheet.scrollTop).toBe(240);
  });

  it('stays where it is when a row is opened', async () => {
    show(<Things />);
    await screen.findByText('open thing 1');
    const sheet = screen
      .getByRole('heading', { name: /Things/ })
      .closest('div[class*="list"]') as HTMLElement;
    sheet.scrollTop = 240;
    click('open thing 2');
    await screen.findByText('details of thing 2');
    expect(sheet.scrollTop).toBe(240);
  });
});

describe('an open row', () => {
  it('is in the address, and the address opens it', async () => {
    const router = show(<Things />);
    await screen.findByText('open thing 1');
    click('open thing 2');
    await screen.findByText('details of thing 2');
    expect(search(router)).toBe('?open=row-2');
    click('open thing 3');
    await screen.findByText('details of thing 3');
    expect(search(router)).toBe('?open=row-3');
    click('Next page');
    await waitFor(() => expect(search(router)).toBe('?p=2'));
  });

  it('opens from a link to a page', async () => {
    show(<Things />, '/?p=2&open=row-12');
    await screen.findByText('details of thing 12');
  });
});

describe('a drawer', () => {
  it('is in the address while it is open, and Back closes it', async () => {
    const router = show(<Things />, '/?p=2');
    await screen.findByText('open thing 11');
    click('edit thing 12');
    await screen.findByText('editing thing 12');
    expect(search(router)).toBe('?p=2&edit=12');
    await back(router);
    await waitFor(() => expect(screen.queryByRole('region', { name: 'drawer' })).toBeNull());
    expect(search(router)).toBe('?p=2');
  });

  it('that is closed leaves no entry behind', async () => {
    const router = show(<Things />);
    await screen.findByText('open thing 1');
    click('Next page');
    await screen.findByText('open thing 11');
    click('edit thing 12');
    await screen.findByText('editing thing 12');
    click('close');
    await waitFor(() => expect(search(router)).toBe('?p=2'));
    await back(router);
    expect(search(router)).toBe('');
  });

  it('opens from a link and reads what it edits', async () => {
    const router = show(<Things />, '/?edit=25');
    await screen.findByText('editing thing 25');
    expect(load).toHaveBeenLastCalledWith(25);
    click('close');
    await waitFor(() => expect(search(router)).toBe(''));
  });

  it('of something that does not exist says so and stays closed', async () => {
    const router = show(<Things />, '/?edit=99');
    await screen.findByRole('alert');
    await waitFor(() => expect(search(router)).toBe(''));
  });

  it('for something new keeps its address until it is closed', async () => {
    const router = show(<Things />, '/?new=1');
    await screen.findByText('a new thing');
    expect(search(router)).toBe('?new=1');
    click('close');
    await waitFor(() => expect(search(router)).toBe(''));
  });
});
