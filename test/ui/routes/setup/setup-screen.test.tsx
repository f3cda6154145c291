// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { currentUser } from '../../../../src/ui/client/session.ts';
import { changeLanguage } from '../../../../src/ui/i18n/index.ts';
import { SetupScreen, setupScreen } from '../../../../src/ui/routes/setup/index.tsx';
import { onCall, prepareConsole, Refusal, sent, show } from '../../support/render.tsx';

prepareConsole();

const cell = (n: number) =>
  screen.getByRole<HTMLInputElement>('textbox', { name: `Setup code, character ${n}` });
const cells = () => [1, 2, 3, 4, 5, 6].map((n) => cell(n).value).join('');
const paste = (text: string, into: HTMLElement) =>
  fireEvent.paste(into, { clipboardData: { getData: () => text } });
const checks = () =>
  sent.filter(({ call }) => call === 'POST /api/turnpike/setup/check').map(({ body }) => body);

beforeEach(() => {
  onCall('GET /api/setup', () => ({ status: false, root_init: false, database_type: 'sqlite' }));
  onCall('POST /api/turnpike/setup/check', (body) => ({
    valid: ['7KQ2MF', 'my own long code'].includes((body as { setup_token: string }).setup_token),
  }));
});

describe('the language', () => {
  const opened = async (languages: readonly string[], stored: string | null) => {
    await changeLanguage('zh');
    if (stored === null) window.localStorage.removeItem('i18nextLng');
    else window.localStorage.setItem('i18nextLng', stored);
    const own = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(languages);
    const Screen = await setupScreen();
    own.mockRestore();
    show(<Screen />, '/setup');
  };
  afterEach(() => changeLanguage('en'));

  it.each([
    [['en-US', 'en'], 'Confirm it is you', 'en'],
    [['de-DE', 'de', 'en', 'zh'], 'Confirm it is you', 'en'],
    [['zh-CN', 'en'], '确认是你', null],
    [['fr'], '确认是你', null],
  ])('is that of the browser %j', async (languages, heading, kept) => {
    await opened(languages, null);
    await screen.findByText(heading, { selector: 'h2' });
    // It stays after the setup.
    expect(window.localStorage.getItem('i18nextLng')).toBe(kept);
  });

  it('that was chosen in this browser stays', async () => {
    await opened(['en'], 'zh');
    await screen.findByText('确认是你', { selector: 'h2' });
  });
});

describe('the setup code', () => {
  it.each(['7KQ2MF', '7KQ 2MF', '7kq-2mf', ' 7kq–2mf\n'])(
    'can be pasted as %j into any cell',
    async (text) => {
      show(<SetupScreen />, '/setup');
      await screen.findByText('Confirm it is you', { selector: 'h2' });
      paste(text, cell(3));
      await screen.findByText('The code is correct');
      expect(cells()).toBe('7KQ2MF');
      expect(checks()).toEqual([{ setup_token: '7KQ2MF' }]);
    },
  );

  it('of another form, chosen with SETUP_TOKEN, can be pasted as well', async () => {
    show(<SetupScreen />, '/setup');
    paste('my own long code', cell(1));
    await screen.findByText('The code is correct');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Setup code' }).value).toBe(
      'my own long code',
    );
  });

  it.each([
    ['#code=7KQ-2MF', '7KQ2MF'],
    ['#code=my%20own%20long%20code', 'my own long code'],
  ])('comes by the link %s and leaves the address', async (hash, code) => {
    const router = show(<SetupScreen />, `/setup?lang=en${hash}`);
    await screen.findByText('The code is correct');
    expect(checks()).toEqual([{ setup_token: code }]);
    const { pathname, search, hash: left } = router.state.location;
    expect(`${pathname}${search}${left}`).toBe('/setup?lang=en');
  });

  it('that is wrong says so', async () => {
    show(<SetupScreen />, '/setup#code=AAAAAA');
    await screen.findByText('Wrong code: check the line in the terminal');
  });
});

describe('a field of the setup', () => {
  it('shows what is wrong in place of its hint, not both', async () => {
    show(<SetupScreen />, '/setup');
    const username = await screen.findByRole('textbox', { name: 'Username' });
    screen.getByText('Up to 20 characters');
    fireEvent.change(username, { target: { value: 'x'.repeat(21) } });
    fireEvent.blur(username);
    await screen.findByText('At most 20 characters; no spaces, no @, no phone number');
    expect(screen.queryByText('Up to 20 characters')).toBeNull();
  });
});

const fill = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
const setUp = async () => {
  const router = show(<SetupScreen />, '/setup#code=7KQ-2MF');
  await screen.findByText('The code is correct');
  fill('Password', 'a-long-password');
  fill('Repeat the password', 'a-long-password');
  fireEvent.click(screen.getByRole('button', { name: 'Open the gateway' }));
  return router;
};

it('a code that was right and is no longer, as after a restart, is marked as wrong', async () => {
  onCall('POST /api/setup', () => {
    throw new Refusal('setup_token_wrong', 'Wrong setup code. Use the one shown in the terminal');
  });
  await setUp();
  await screen.findByText('Wrong code: check the line in the terminal');
  expect(screen.queryByText('The code is correct')).toBeNull();
});

describe('after the setup', () => {
  it('the root user is logged in without a second login', async () => {
    onCall('POST /api/user/login', () => ({ id: 1, role: 100, status: 1, username: 'root' }));
    const router = await setUp();
    await waitFor(() => expect(router.state.location.pathname).toBe('/detail'));
    expect(sent.find(({ call }) => call === 'POST /api/user/login')?.body).toEqual({
      username: 'root',
      password: 'a-long-password',
    });
    expect(currentUser()?.username).toBe('root');
  });

  it('a login that fails leads to the login page', async () => {
    onCall('POST /api/user/login', () => {
      throw new Refusal('rate_limited', 'later');
    });
    const router = await setUp();
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });
});
