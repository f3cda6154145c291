// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetUser, storeUser } from '../../../../src/ui/client/session.ts';
import { openDialogs } from '../../../../src/ui/components/dialogs.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { isRequestId, rankOf } from '../../../../src/ui/shell/palette/items.ts';
import { KeyHelp } from '../../../../src/ui/shell/shell.tsx';
import { channel } from '../../support/channel.ts';
import { onCall, prepareConsole, Refusal, sent, show, WholeBody } from '../../support/render.tsx';

prepareConsole();
beforeAll(async () => {
  await import('../../../../src/ui/shell/palette/open.tsx');
  await import('../../../../src/ui/form/search-settings.ts');
});

const signIn = (role: number) =>
  storeUser({
    id: 1,
    role,
    status: 1,
    username: 'ann',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  });
const listOf = (items: readonly object[]) =>
  new WholeBody({ success: true, message: '', data: items, total: items.length });
beforeEach(() => {
  for (const dialog of openDialogs.current()) act(dialog.close);
  onCall('GET /api/channel/', () => listOf([{ ...channel, id: 8, name: 'Mistral Paris' }]));
  onCall('GET /api/user/search', () => ({
    items: [{ id: 7, username: 'mia', display_name: 'Mia Lee' }],
    total: 1,
    page: 1,
    page_size: 5,
  }));
  onCall('GET /api/token/', () => listOf([{ id: 5, name: 'mi-app' }]));
  onCall('GET /api/channel/models_enabled', () => ['mistral-large', 'ministral', 'gpt-4o']);
  onCall('GET /api/user/models', () => ['mistral-large']);
});

const open = async () => {
  const router = show(<KeyHelp />);
  fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'Search and go' });
  const type = (text: string) => fireEvent.change(field, { target: { value: text } });
  const press = (key: string) => fireEvent.keyDown(field, { key });
  const address = () => {
    const { pathname, search, hash } = router.state.location;
    return `${pathname}${search}${hash}`;
  };
  return { field, type, press, address };
};
const labels = () => screen.queryAllByRole('option').map((option) => option.textContent);
const settled = () =>
  waitFor(() => {
    expect(screen.queryByText('Searching …')).toBeNull();
  });
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('the palette', () => {
  it('shows screens and acts of the reader before anything is typed, and asks nobody', async () => {
    signIn(1);
    await open();
    const shown = labels();
    expect(shown).toEqual(expect.arrayContaining(['API tokens', 'Statement', 'New token']));
    for (const name of ['Channels', 'Settings', 'New channel', 'Test all channels'])
      expect(shown).not.toContain(name);
    expect(sent).toEqual([]);
  });

  it('offers visitors what is open to them, and asks nobody for them', async () => {
    forgetUser();
    const { type } = await open();
    expect(labels()).toEqual(expect.arrayContaining(['All models', 'Pricing']));
    expect(labels()).not.toContain('Log out');
    type('mistral');
    await settled();
    expect(sent).toEqual([]);
    screen.getByText('Nothing matches');
  });

  it('goes to a screen by keys alone, also by its English name', async () => {
    signIn(100);
    const { type, press, address } = await open();
    type('usage');
    await waitFor(() => expect(labels()[0]).toBe('Usage logs'));
    press('Enter');
    await waitFor(() => expect(address()).toBe('/log'));
    await isClosed();
  });

  it('finds channels, users, tokens and models for administrators', async () => {
    signIn(10);
    const { type } = await open();
    type('mi');
    await screen.findByText('Mistral Paris');
    await settled();
    const group = (name: string) =>
      within(screen.getByRole('group', { name }))
        .getAllByRole('option')
        .map((option) => option.textContent);
    expect(group('Channels')).toEqual([
      'Mistral Paris#8',
      'Test channel Mistral Paris',
      'Disable channel Mistral Paris',
    ]);
    expect(group('Users')).toEqual(['mia#7 Mia Lee']);
    expect(group('API tokens')).toEqual(['mi-app#5']);
    expect(group('Models')).toEqual(['mistral-large', 'Channels with mistral-large', 'ministral']);
  });

  it('asks for no channels and users where the reader is a customer', async () => {
    signIn(1);
    const { type } = await open();
    type('mi');
    await screen.findByText('mi-app');
    await settled();
    expect(new Set(sent.map(({ call }) => call))).toEqual(
      new Set(['GET /api/token/', 'GET /api/user/models']),
    );
  });

  it.each([
    ['ModelRatio', 'Model ratio', '/setting?tab=operation#ModelRatio'],
    ['失败重试', 'Retries', '/setting?tab=operation#RetryTimes'],
  ])('finds the setting %s in either language', async (text, label, target) => {
    signIn(100);
    const { type, address } = await open();
    type(text);
    const group = await screen.findByRole('group', { name: 'Settings' });
    const option = within(group).getAllByRole('option')[0] as HTMLElement;
    expect(option.textContent).toContain(label);
    fireEvent.click(option);
    await waitFor(() => expect(address()).toBe(target));
  });

  it('leads to the price of a model', async () => {
    signIn(100);
    const { type, address } = await open();
    type('gpt-4o');
    fireEvent.click(await screen.findByText('Price of gpt-4o'));
    await waitFor(() =>
      expect(address()).toBe('/setting?tab=operation&price=gpt-4o#operation.prices'),
    );
  });

  it('takes a request id to its row of the log', async () => {
    signIn(1);
    const id = '20261120190452000000000abcdEF12';
    const { type, press, address } = await open();
    type(` ${id} `);
    await screen.findByText(`Request ${id}`);
    press('Enter');
    await waitFor(() => expect(address()).toBe(`/log?request=${id}&open=${id}`));
  });

  it('disables a channel, and says so', async () => {
    signIn(10);
    onCall('POST /api/turnpike/channel/batch/status', () => 1);
    const { type } = await open();
    type('mistral');
    fireEvent.click(await screen.findByText('Disable channel Mistral Paris'));
    await screen.findByText('Channel Mistral Paris is disabled');
    expect(sent.find(({ call }) => call.startsWith('POST'))?.body).toEqual({ ids: [8], status: 2 });
  });

  it("shows the upstream's own sentence where a test fails", async () => {
    signIn(10);
    onCall(
      'GET /api/channel/test/8',
      () => new WholeBody({ success: false, message: 'Your balance is used up', time: 0.1 }),
    );
    const { type } = await open();
    type('mistral');
    fireEvent.click(await screen.findByText('Test channel Mistral Paris'));
    await screen.findByText('Your balance is used up');
    screen.getByText('Test of Mistral Paris failed');
  });

  it('asks before it tests all channels', async () => {
    signIn(10);
    onCall('GET /api/channel/test', () => undefined);
    const { type, press, address } = await open();
    type('test all');
    await waitFor(() => expect(labels()[0]).toBe('Test all channels'));
    press('Enter');
    const question = await screen.findByRole('alertdialog', { name: 'Test all channels?' });
    expect(sent.map(({ call }) => call)).not.toContain('GET /api/channel/test');
    fireEvent.click(within(question).getByRole('button', { name: 'Start the tests' }));
    await waitFor(() => expect(address()).toBe('/channel'));
    expect(sent.map(({ call }) => call)).toContain('GET /api/channel/test');
  });

  it('says what could not be searched, and shows the rest', async () => {
    signIn(10);
    onCall('GET /api/user/search', () => {
      throw new Refusal('invalid_request', 'The database is closed');
    });
    const { type } = await open();
    type('mistral');
    await screen.findByText('Users could not be searched: The database is closed');
    screen.getByText('Mistral Paris');
  });

  it('moves with the arrow keys, in a circle, and leaves Enter to an input method', async () => {
    signIn(1);
    const { field, press, address } = await open();
    const chosen = () =>
      document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
    const all = labels();
    expect(chosen()).toBe(all[0]);
    press('ArrowUp');
    expect(chosen()).toBe(all.at(-1));
    press('ArrowDown');
    press('ArrowDown');
    expect(chosen()).toBe(all[1]);
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    expect(address()).toBe('/');
  });

  it('opens nothing above a question', async () => {
    signIn(1);
    await open();
    fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
    fireEvent.keyDown(document.documentElement, { key: '?', code: 'Slash', shiftKey: true });
    // What a key opens waits for its texts alone.
    await loadTextPart('palette');
    await act(async () => {});
    expect(openDialogs.current()).toHaveLength(1);
  });

  it('takes the focus at once, and gives it back', async () => {
    signIn(1);
    show(
      <>
        <input aria-label="Name" />
        <KeyHelp />
      </>,
    );
    const name = screen.getByRole('textbox', { name: 'Name' });
    act(() => name.focus());
    fireEvent.keyDown(name, { key: 'k', code: 'KeyK', metaKey: true });
    expect(document.activeElement).not.toBe(name);
    const field = await screen.findByRole('combobox', { name: 'Search and go' });
    fireEvent.keyDown(field, { key: 'Escape' });
    await isClosed();
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it('is named in the list of keys', async () => {
    signIn(1);
    show(<KeyHelp />);
    fireEvent.keyDown(document.documentElement, { key: '?', code: 'Slash', shiftKey: true });
    within(await screen.findByRole('dialog', { name: 'Keyboard' })).getByText('Search and go');
  });
});

describe('what a text finds', () => {
  it('needs each word, and puts whole names and beginnings first', () => {
    expect(rankOf('gpt 4o', 'gpt-4o')).toBe(1);
    expect(rankOf('GPT-4o', 'gpt-4o')).toBe(4);
    expect(rankOf('gpt', 'gpt-4o')).toBe(3);
    expect(rankOf('4o', 'gpt-4o')).toBe(2);
    expect(rankOf('gpt 5', 'gpt-4o')).toBe(0);
    expect(rankOf('budget', '预算', 'budget')).toBe(1);
  });

  it('is a request id only where it is whole', () => {
    expect(isRequestId('20261120190452000000000abcdEF12')).toBe(true);
    for (const text of ['20261120190452', '1234567890', 'gpt-4o', ''])
      expect(isRequestId(text)).toBe(false);
  });
});
