// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserEntity } from '../../../../src/core/contract/entities.ts';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { UserScreen } from '../../../../src/ui/routes/user/index.tsx';
import { matchOf, orderOf } from '../../../../src/ui/routes/user/use-users.ts';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();

const ann: UserEntity = {
  id: 7,
  username: 'ann',
  display_name: 'Ann Lee',
  nickname: '',
  portrait: '',
  role: 1,
  status: 1,
  email: 'ann@example.org',
  phone: '',
  github_id: '',
  oidc_id: '',
  wechat_id: '',
  telegram_id: '',
  linux_do_id: '',
  group: 'vip',
  quota: 5_000_000,
  used_quota: 1_000_000,
  request_count: 12_345,
  aff_code: '',
  aff_count: 2,
  aff_quota: 0,
  aff_history_quota: 500_000,
  inviter_id: 3,
  setting: '',
  created_at: 1_700_000_000,
  seen_at: 1_700_000_000,
  DeletedAt: null,
};
const people: readonly UserEntity[] = [
  { ...ann, id: 12, username: 'gone', DeletedAt: '2026-01-01T00:00:00.000Z' },
  { ...ann, id: 11, username: 'old', status: 3 },
  {
    ...ann,
    id: 10,
    username: 'bad',
    status: 2,
    aff_count: 0,
    aff_history_quota: 0,
    inviter_id: 0,
  },
  { ...ann, id: 9, username: 'colleague', role: 10 },
  { ...ann, id: 8, username: 'me', role: 10, inviter_id: 0 },
  ann,
  { ...ann, id: 1, username: 'root', role: 100 },
];

const signIn = (id: number, role: number) =>
  storeUser({
    id,
    role,
    status: 1,
    username: 'a',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  });
const open = async (role: number, id = role === 100 ? 1 : 8, path = '/user') => {
  signIn(id, role);
  const router = show(<UserScreen />, path);
  await screen.findByText('ann');
  return router;
};
const row = (name: string) =>
  screen.getByText(name, { selector: '[title]' }).closest('tr') as HTMLElement;
/** Every action that the row offers: its words, then its menu. */
const actionsOf = async (name: string) => {
  const words = within(row(name))
    .queryAllByRole('button')
    .map((button) => button.textContent ?? '')
    .filter((word) => word !== '');
  await openMenu(name);
  const items = within(screen.getByRole('menu')).getAllByRole('menuitem');
  const labels = items.map((item) => item.textContent ?? '');
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  return [...words, ...labels];
};
const openMenu = async (name: string) => {
  fireEvent.click(within(row(name)).getByRole('button', { name: `More actions for ${name}` }));
  await screen.findByRole('menu');
};
const choose = async (name: string, item: string) => {
  await openMenu(name);
  fireEvent.click(screen.getByRole('menuitem', { name: item }));
};
const writes = () => sent.filter(({ call }) => !call.startsWith('GET'));

beforeEach(() => {
  onCall('GET /api/user/search', () => ({
    items: people,
    total: people.length,
    page: 1,
    page_size: 10,
  }));
  onCall('GET /api/group/', () => ['default', 'vip']);
});

describe('the list of users', () => {
  it('shows group, figures, invites, role and status', async () => {
    await open(100);
    expect(row('ann').textContent).toMatch(
      /ann#7 · Ann LeeRegular userActivevip\$10\.00used \$2\.00.*12,345.*2 · \$1\.00 earnedInvited by #3/,
    );
    // Where there is nothing, nothing is said.
    expect(row('me').textContent).not.toMatch(/Invited|inviter/);
    expect(row('bad').textContent).not.toMatch(/earned|Invited|inviter/);
    expect(row('bad').textContent).toContain('Banned');
    expect(row('gone').textContent).toContain('Deactivated');
    expect(row('old').textContent).toContain('Deactivated');
    expect(
      within(row('ann')).getByRole('img', { name: 'Balance $10.00, used $2.00' }),
    ).toBeDefined();
  });

  it('is filtered by what was used, and sorted by role', async () => {
    const router = await open(100);
    fireEvent.click(screen.getByRole('button', { name: 'Used' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: '$10.00 or more' }));
    const head = screen.getByRole('columnheader', { name: /^Role/ });
    fireEvent.click(within(head).getByRole('button'));
    await waitFor(() => expect(router.state.location.search).toBe('?used=10&sort=role'));
    const state = {
      q: '',
      group: '',
      role: '',
      status: '',
      balance: '',
      unseen: '',
      sort: 'role',
    };
    expect(matchOf({ ...state, used: '10' }, 500_000)).toMatchObject({ used_from: 5_000_000 });
    expect(matchOf({ ...state, used: 'none' }, 500_000)).toMatchObject({ used_to: 0 });
    expect(orderOf({ ...state, used: '' })).toEqual({ sort: 'role', ascending: false });
  });

  it('offers the super admin what the rules allow', async () => {
    await open(100);
    const read = ['Usage logs', 'Statement'];
    const change = ['Edit', 'Adjust quota', ...read];
    expect(await actionsOf('ann')).toEqual([...change, 'Promote to admin', 'Ban', 'Deactivate']);
    expect(await actionsOf('colleague')).toEqual([
      ...change,
      'Demote to regular user',
      'Ban',
      'Deactivate',
    ]);
    expect(await actionsOf('bad')).toEqual([...change, 'Promote to admin', 'Unban', 'Deactivate']);
    expect(await actionsOf('root')).toEqual(change);
    expect(await actionsOf('gone')).toEqual(read);
    expect(await actionsOf('old')).toEqual(read);
  });

  it('offers an admin nothing against the own level, and no promotion', async () => {
    await open(10);
    expect(await actionsOf('ann')).toEqual([
      'Edit',
      'Adjust quota',
      'Usage logs',
      'Statement',
      'Ban',
      'Deactivate',
    ]);
    expect(await actionsOf('colleague')).toEqual(['Usage logs']);
    expect(await actionsOf('root')).toEqual(['Usage logs']);
    expect(await actionsOf('me')).toEqual(['Usage logs', 'Statement']);
  });

  it('leads to the logs and the statement of a user', async () => {
    const router = await open(100);
    await choose('ann', 'Usage logs');
    expect(router.state.location.pathname + router.state.location.search).toBe(
      '/log?user=ann&time=all',
    );
    await choose('ann', 'Statement');
    expect(router.state.location.pathname + router.state.location.search).toBe('/statement?user=7');
  });

  it('asks before it bans, and shows why the server refuses', async () => {
    onCall('POST /api/user/manage', () => {
      throw new Refusal(
        'user_update_forbidden',
        'You cannot change users of your own level or above',
      );
    });
    await open(100);
    await choose('ann', 'Ban');
    const question = await screen.findByRole('alertdialog', { name: 'Ban “ann”?' });
    expect(question.textContent).toContain('User #7 is logged out at once');
    expect(writes()).toEqual([]);
    fireEvent.click(within(question).getByRole('button', { name: 'Ban user' }));
    await screen.findByText('You cannot change users of your own level or above');
    expect(writes()).toEqual([
      { call: 'POST /api/user/manage', body: { id: 7, action: 'disable' } },
    ]);
  });

  it.each([
    ['ann', 'Promote to admin', 'Promote to admin', 'promote', '“ann” is now an admin'],
    [
      'colleague',
      'Demote to regular user',
      'Demote to regular user',
      'demote',
      '“colleague” is now a regular user',
    ],
    ['bad', 'Unban', 'Unban user', 'enable', 'Unbanned “bad”'],
    ['ann', 'Deactivate', 'Deactivate user', 'delete', 'Deactivated “ann”'],
  ])('%s: %s', async (name, item, confirm, action, done) => {
    onCall('POST /api/user/manage', () => ({ id: 7, role: 1, status: 1 }));
    await open(100);
    await choose(name, item);
    fireEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: confirm }),
    );
    await screen.findByText(done);
    expect(writes()[0]?.body).toMatchObject({ action });
  });
});

describe('a balance', () => {
  const dialog = async () => {
    fireEvent.click(within(row('ann')).getByRole('button', { name: /^Adjust quota/ }));
    return screen.findByRole('dialog', { name: 'Adjust the quota of “ann”' });
  };
  const amount = (inside: HTMLElement) =>
    within(inside).getByRole('textbox', { name: 'Quota to add' });

  it('changes by what is added or taken away, from what the reader saw', async () => {
    await open(100);
    const inside = await dialog();
    fireEvent.change(amount(inside), { target: { value: '-1,000,000' } });
    expect(inside.textContent).toMatch(/= −\$2\.00/);
    expect(inside.textContent).toMatch(/Balance now\$10\.00Afterwards\$8\.00/);
    fireEvent.click(within(inside).getByRole('button', { name: 'Adjust quota' }));
    await screen.findByText('Adjusted the quota of “ann”');
    expect(writes()).toEqual([
      { call: 'PUT /api/user/', body: { id: 7, quota: 4_000_000, quota_base: 5_000_000 } },
    ]);
  });

  it('is shown as it is now where the reply of a change was lost, which may have been made', async () => {
    await open(100);
    const inside = await dialog();
    fireEvent.change(amount(inside), { target: { value: '1,000,000' } });
    onCall('GET /api/user/search', () => ({
      items: people.map((user) => (user === ann ? { ...ann, quota: 6_000_000 } : user)),
      total: people.length,
    }));
    const usual = globalThis.fetch;
    vi.stubGlobal('fetch', (url: string, request?: RequestInit) =>
      request?.method === 'PUT' ? Promise.reject(new TypeError('lost')) : usual(url, request),
    );
    fireEvent.click(within(inside).getByRole('button', { name: 'Adjust quota' }));
    await within(inside).findByText(
      'Unable to connect to server · No reply came, so it may have been done all the same.',
    );
    await waitFor(() => expect(inside.textContent).toContain('Balance now$12.00'));
    expect(amount(inside)).toHaveProperty('value', '1,000,000');
    // Nor is it made again without a question.
    vi.stubGlobal('fetch', usual);
    fireEvent.click(within(inside).getByRole('button', { name: 'Adjust quota' }));
    const question = await screen.findByRole('alertdialog', { name: 'Do it again?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(writes()).toEqual([]);
    fireEvent.click(within(inside).getByRole('button', { name: 'Adjust quota' }));
    const again = await screen.findByRole('alertdialog', { name: 'Do it again?' });
    fireEvent.click(within(again).getByRole('button', { name: 'Do it again' }));
    await waitFor(() => expect(writes()).toHaveLength(1));
  });

  it('is not changed by nothing', async () => {
    await open(100);
    const inside = await dialog();
    fireEvent.click(within(inside).getByRole('button', { name: 'Adjust quota' }));
    await within(inside).findByText('Enter a whole number other than 0');
    fireEvent.click(within(inside).getByRole('button', { name: '$5.00' }));
    expect(inside.textContent).toContain('Afterwards$15.00');
    expect(writes()).toEqual([]);
  });
});

describe('the form', () => {
  const write = (inside: HTMLElement, label: RegExp, value: string) =>
    fireEvent.change(within(inside).getByLabelText(label), { target: { value } });
  const adding = async (role = 100) => {
    await open(role);
    fireEvent.click(screen.getByRole('button', { name: 'Add user' }));
    return screen.findByRole('dialog', { name: 'Add user' });
  };
  const submit = (inside: HTMLElement, name: string) =>
    fireEvent.click(within(inside).getByRole('button', { name }));

  it('adds a user', async () => {
    onCall('POST /api/user/', () => ({ id: 13 }));
    const inside = await adding();
    submit(inside, 'Add user');
    expect(
      await within(inside).findAllByText('Username and password must not be empty'),
    ).toHaveLength(2);
    write(inside, /^Username/, 'a@b');
    write(inside, /^Password/, 'short');
    submit(inside, 'Add user');
    await within(inside).findByText(/without spaces or @/);
    await within(inside).findByText(/At least 8 characters and at most/);
    expect(writes()).toEqual([]);
    write(inside, /^Username/, 'bob');
    write(inside, /^Password/, 'a long password');
    submit(inside, 'Add user');
    await screen.findByText('User added');
    expect(writes()).toEqual([
      {
        call: 'POST /api/user/',
        body: {
          username: 'bob',
          password: 'a long password',
          display_name: '',
          group: 'default',
          role: 1,
        },
      },
    ]);
  });

  it('offers a role to the super admin only, and no nickname nor balance', async () => {
    const inside = await adding(10);
    expect(within(inside).queryByLabelText(/^(Role|Nickname|Balance)/)).toBeNull();
  });

  it('shows at its field that a name is taken', async () => {
    onCall('POST /api/user/', () => {
      throw new Refusal('username_taken', 'The username is taken');
    });
    const inside = await adding();
    write(inside, /^Username/, 'ann');
    write(inside, /^Password/, 'a long password');
    submit(inside, 'Add user');
    await within(inside).findByText('The username is taken');
    expect(
      within(inside)
        .getByLabelText(/^Username/)
        .getAttribute('aria-invalid'),
    ).toBe('true');
  });

  it('sends only what changed, and a balance with the one it was changed from', async () => {
    onCall('GET /api/user/7', () => ann);
    signIn(1, 100);
    show(<UserScreen />, '/user?edit=7');
    const inside = await screen.findByRole('dialog', { name: 'Edit user' });
    write(inside, /^Balance/, '-5');
    write(inside, /^Nickname/, 'A');
    expect((within(inside).getByLabelText(/^Balance/) as HTMLInputElement).value).toBe('-5');
    submit(inside, 'Save');
    await screen.findByText('User saved');
    expect(writes()).toEqual([
      { call: 'PUT /api/user/', body: { id: 7, nickname: 'A', quota: -5, quota_base: 5_000_000 } },
    ]);
  });

  it('keeps an imported name that breaks the rules, and refuses a balance beyond the range', async () => {
    onCall('GET /api/user/7', () => ({ ...ann, username: 'has space', quota: -3 }));
    signIn(1, 100);
    show(<UserScreen />, '/user?edit=7');
    const inside = await screen.findByRole('dialog', { name: 'Edit user' });
    expect((within(inside).getByLabelText(/^Balance/) as HTMLInputElement).value).toBe('-3');
    write(inside, /^Balance/, '1000000000000001');
    submit(inside, 'Save');
    await within(inside).findByText(/from −1000000000000000 to 1000000000000000/);
    write(inside, /^Balance/, '-3');
    write(inside, /^Password/, 'another long password');
    submit(inside, 'Save');
    await screen.findByText('User saved');
    expect(writes()).toEqual([
      { call: 'PUT /api/user/', body: { id: 7, password: 'another long password' } },
    ]);
  });
});
