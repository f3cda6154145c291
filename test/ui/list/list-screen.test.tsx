// Covers src/ui/queries.
// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Trash2 } from 'lucide-react';
import { describe, expect, it, vi } from 'vitest';
import { storageKeys } from '../../../src/ui/browser/local-storage.ts';
import { ListScreen } from '../../../src/ui/list/list-screen.tsx';
import { useList } from '../../../src/ui/list/use-list.ts';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

interface Thing {
  readonly id: number;
  readonly name: string;
}
type Page = { readonly items: readonly Thing[]; readonly total: number };
type Request = {
  readonly state: { readonly q: string };
  readonly page: number;
  readonly pageSize: number;
};

const url = { q: '' } as const;
const asTheyAre = (things: readonly Thing[]) => things;
const keyOf = (thing: Thing) => thing.id;
const things = (count: number): readonly Thing[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `thing ${index + 1}` }));

/** A server with these things; `remove` takes them away. */
function server(count: number) {
  let all = things(count);
  const fetchPage = vi.fn(async ({ state, page, pageSize }: Request): Promise<Page> => {
    const found = all.filter(({ name }) => name.includes(state.q));
    return { items: found.slice((page - 1) * pageSize, page * pageSize), total: found.length };
  });
  const remove = (rows: readonly Thing[]) => {
    all = all.filter((one) => !rows.includes(one));
  };
  return { fetchPage, remove };
}

function Things({
  fetchPage,
  remove,
}: {
  fetchPage: (request: Request) => Promise<Page>;
  remove?: (rows: readonly Thing[]) => void;
}) {
  const list = useList({ queryKey: ['things'], url, keyOf, toRows: asTheyAre, fetchPage });
  return (
    <ListScreen
      list={list}
      title="Things"
      create={{ label: 'New thing', onCreate: () => {} }}
      filters={[{ kind: 'search', name: 'q', label: 'Name', placeholder: 'Name' }]}
      onRefresh={list.refetch}
      nameOf={(thing) => thing.name}
      columns={[{ key: 'name', label: 'Name', fixed: true, render: (thing) => thing.name }]}
      columnsKey={storageKeys.tokenColumns}
      batch={{
        label: 'Actions on the selected things',
        actions: [
          {
            key: 'delete',
            label: 'Delete',
            icon: Trash2,
            danger: true,
            confirm: (rows) => ({
              title: 'Delete?',
              text: rows.map(({ name }) => name).join(),
              confirm: `Delete ${rows.length}`,
            }),
            onAct: (rows) => {
              remove?.(rows);
              list.refetch();
            },
          },
        ],
      }}
      texts={{ failed: 'Could not load the things', noMatch: 'No matching things' }}
      empty={{ title: 'No things yet', text: 'Make one.' }}
    />
  );
}

describe('a list', () => {
  it('without anything says so, and has the one button that creates', async () => {
    show(<Things fetchPage={server(0).fetchPage} />);
    await screen.findByRole('heading', { name: 'No things yet' });
    expect(screen.getAllByRole('button', { name: 'New thing' })).toHaveLength(1);
    expect(screen.queryByRole('table')).toBeNull();
  });

  it.each([
    [900, 10],
    [1200, 20],
  ])('of a window of %i pixels has %i rows, until a number is chosen', async (height, rows) => {
    vi.stubGlobal('innerHeight', height);
    const { fetchPage } = server(60);
    show(<Things fetchPage={fetchPage} />);
    await screen.findByText('thing 1');
    expect(fetchPage).toHaveBeenLastCalledWith({ state: { q: '' }, page: 1, pageSize: rows });
    vi.unstubAllGlobals();
  });

  it('without matches offers to clear the filters, and clears them', async () => {
    const router = show(<Things fetchPage={server(3).fetchPage} />, '/?q=nothing');
    await screen.findByRole('heading', { name: 'No matching things' });
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await screen.findByText('thing 1');
    expect(router.state.location.search).toBe('');
  });

  it('that cannot be read says why and can be retried', async () => {
    const fetchPage = vi
      .fn<() => Promise<Page>>()
      .mockRejectedValueOnce(new Error('down'))
      .mockResolvedValue({ items: things(1), total: 1 });
    show(<Things fetchPage={fetchPage} />);
    const alert = await screen.findByRole('alert');
    within(alert).getByRole('heading', { name: 'Could not load the things' });
    fireEvent.click(within(alert).getByRole('button', { name: 'Retry' }));
    await screen.findByText('thing 1');
  });

  it('whose row with the focus is gone focuses the one in its place', async () => {
    const { fetchPage, remove } = server(3);
    show(<Things fetchPage={fetchPage} remove={remove} />);
    const row = () =>
      screen.getAllByRole('row').find(({ textContent }) => textContent === 'thing 2');
    await waitFor(() => expect(row()).toBeDefined());
    act(() => row()?.focus());
    remove((await fetchPage({ state: { q: '2' }, page: 1, pageSize: 10 })).items);
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(screen.queryByText('thing 2')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('thing 3'));
  });

  it('asks the server for the page and the filters of the URL', async () => {
    const { fetchPage } = server(25);
    show(<Things fetchPage={fetchPage} />, '/?q=thing&p=2');
    await screen.findByText('thing 11');
    expect(fetchPage).toHaveBeenLastCalledWith({ state: { q: 'thing' }, page: 2, pageSize: 10 });
    expect(screen.getByText('11–20 of 25')).toBeTruthy();
  });

  it('goes to the last page that exists', async () => {
    const router = show(<Things fetchPage={server(25).fetchPage} />, '/?p=9');
    await screen.findByText('thing 25');
    expect(router.state.location.search).toBe('?p=3');
    expect(screen.queryByText('No matching things')).toBeNull();
  });

  it('goes to the first, the last and any page, by button and by its number', async () => {
    const { fetchPage } = server(45);
    const router = show(<Things fetchPage={fetchPage} />);
    await screen.findByText('thing 1');
    const button = (name: string) =>
      screen.getByRole<HTMLButtonElement>('button', { name: `${name} page` });
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Page' });
    expect(['First', 'Previous', 'Next', 'Last'].map((name) => button(name).disabled)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    fireEvent.click(button('Last'));
    await screen.findByText('thing 45');
    expect([router.state.location.search, field.value]).toEqual(['?p=5', '5']);
    expect([button('Next').disabled, button('Last').disabled]).toEqual([true, true]);
    const enter = (value: string) => {
      fireEvent.change(field, { target: { value } });
      fireEvent.keyDown(field, { key: 'Enter' });
    };
    enter('3');
    await screen.findByText('thing 21');
    enter('99');
    await screen.findByText('thing 45');
    expect(field.value).toBe('5');
    enter('0');
    await screen.findByText('thing 1');
    expect(router.state.location.search).toBe('');
    fireEvent.change(field, { target: { value: '4' } });
    fireEvent.blur(field);
    await screen.findByText('thing 31');
    fireEvent.click(button('First'));
    await screen.findByText('thing 1');
    expect(field.value).toBe('1');
  });

  it('stays on its page when the number is taken back, empty or no number', async () => {
    const { fetchPage } = server(25);
    const router = show(<Things fetchPage={fetchPage} />, '/?p=2');
    await screen.findByText('thing 11');
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Page' });
    fireEvent.change(field, { target: { value: '3' } });
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(field.value).toBe('2');
    for (const value of ['', 'three', '-']) {
      fireEvent.change(field, { target: { value } });
      fireEvent.keyDown(field, { key: 'Enter' });
      expect([field.value, router.state.location.search]).toEqual(['2', '?p=2']);
    }
    expect(fetchPage).toHaveBeenCalledTimes(1);
  });

  it('with one page has no number to type, with two no buttons for first and last', async () => {
    show(<Things fetchPage={server(12).fetchPage} />);
    await screen.findByText('thing 1');
    expect(screen.queryByRole('button', { name: 'Last page' })).toBeNull();
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'thing 12' } });
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' });
    await screen.findByText('1–1 of 1');
    expect(screen.queryByRole('textbox', { name: 'Page' })).toBeNull();
  });

  it('acts on the selected rows once they are confirmed, and leaves a page that this empties', async () => {
    const { fetchPage, remove } = server(11);
    const router = show(<Things fetchPage={fetchPage} remove={remove} />, '/?p=2');
    await screen.findByText('thing 11');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select thing 11' }));
    const bar = await screen.findByRole('toolbar', { name: 'Actions on the selected things' });
    within(bar).getByText('1 selected');
    fireEvent.click(within(bar).getByRole('button', { name: 'Delete' }));
    const question = await screen.findByRole('alertdialog');
    within(question).getByText('thing 11');
    fireEvent.click(within(question).getByRole('button', { name: 'Delete 1' }));
    await screen.findByText('thing 10');
    expect(router.state.location.search).toBe('');
    expect(screen.getByText('1–10 of 10')).toBeTruthy();
  });

  it('says to screen readers how much a search has found, also nothing', async () => {
    show(<Things fetchPage={server(12).fetchPage} />);
    const said = () => screen.getByRole('status').textContent;
    expect(said()).toBe('');
    await waitFor(() => expect(said()).toBe('12 rows'));
    for (const [text, found] of [
      ['thing 12', '1 row'],
      ['nowhere', '0 rows'],
    ] as const) {
      const field = screen.getByRole('searchbox', { name: 'Name' });
      fireEvent.change(field, { target: { value: text } });
      fireEvent.keyDown(field, { key: 'Enter' });
      await waitFor(() => expect(said()).toBe(found));
    }
  });

  it('forgets the selection when other rows are shown', async () => {
    show(<Things fetchPage={server(12).fetchPage} />);
    await screen.findByText('thing 1');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
    within(await screen.findByRole('toolbar')).getByText('10 selected');
    fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
    await screen.findByText('thing 12');
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Previous page' }));
    await screen.findByText('thing 1');
  });

  it('selects on a phone: from the menu of a card, then by check boxes, then the whole page', async () => {
    const asked = window.matchMedia;
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          ...asked(query),
          matches: true,
          addEventListener: () => {},
          removeEventListener: () => {},
        }) as MediaQueryList,
    );
    const { fetchPage, remove } = server(12);
    show(<Things fetchPage={fetchPage} remove={remove} />);
    await screen.findByText('thing 1');
    expect(screen.queryByRole('checkbox')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'More actions for thing 2' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Select' }));
    const box = (name: string) =>
      screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}` });
    expect([box('thing 2').checked, box('thing 3').checked]).toEqual([true, false]);
    fireEvent.click(box('thing 3'));
    const bar = within(await screen.findByRole('toolbar'));
    bar.getByText('2 selected');
    fireEvent.click(bar.getByRole('button', { name: 'Select all on this page' }));
    bar.getByText('10 selected');
    expect(bar.queryByRole('button', { name: 'Select all on this page' })).toBeNull();
    bar.getByRole('button', { name: 'Delete' });
    fireEvent.click(bar.getByRole('button', { name: 'Clear selection' }));
    expect(screen.queryByRole('checkbox')).toBeNull();
    vi.restoreAllMocks();
  });
});
