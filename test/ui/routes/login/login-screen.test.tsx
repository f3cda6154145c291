// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentUser, forgetUser, storeUser } from '../../../../src/ui/client/session.ts';
import { LoginScreen } from '../../../../src/ui/routes/login/index.tsx';
import { onCall, prepareConsole, sent, show, WholeBody } from '../../support/render.tsx';

prepareConsole();

const ann = {
  id: 2,
  username: 'ann',
  display_name: '',
  nickname: '',
  portrait: '',
  role: 1,
  status: 1,
  group: 'default',
};
const status = {
  system_name: 'Turnpike',
  quota_per_unit: 500_000,
  display_in_currency: true,
  setup: true,
  password_login: true,
};
const reply = (data: object) => () => new WholeBody({ code: 200, message: '', data });

beforeEach(() => {
  onCall('GET /users/get/info', reply({ ...ann, email: '', phone: '+86138****0000', quota: 5 }));
});
afterEach(() => forgetUser());

function open(path = '/login') {
  return show(
    <Routes>
      <Route path="/login" element={<LoginScreen />} />
      <Route path="*" element={null} />
    </Routes>,
    path,
  );
}

async function logIn() {
  fireEvent.change(await screen.findByPlaceholderText('Phone, email or username'), {
    target: { value: ' ann ' },
  });
  fireEvent.change(screen.getByLabelText('Password', { selector: 'input' }), {
    target: { value: 'a-long-password' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }));
}

describe('a login by password', () => {
  it('leads to the personal page and keeps no more of the user than other logins do', async () => {
    onCall('POST /public/email_login', reply({ token: 't' }));
    const router = open();
    await logIn();
    await waitFor(() => expect(router.state.location.pathname).toBe('/personal'));
    expect(sent.find(({ call }) => call === 'POST /public/email_login')?.body).toEqual({
      param: 'ann',
      password: 'a-long-password',
    });
    expect(currentUser()).toEqual(ann);
    expect(localStorage.getItem('user')).toBe(JSON.stringify(ann));
  });

  it('without a token in the reply has failed', async () => {
    onCall('POST /public/email_login', reply({}));
    open();
    await logIn();
    await screen.findByText('Login failed: invalid credentials');
    expect(currentUser()).toBeNull();
  });

  it('that is refused shows the text of the server', async () => {
    onCall(
      'POST /public/email_login',
      () =>
        new WholeBody({
          code: 401,
          message: 'Wrong, said the server',
          reason: 'wrong_credentials',
        }),
    );
    open();
    await logIn();
    await screen.findByText('Wrong, said the server');
  });
});

describe('somebody who is logged in', () => {
  it('does not stay on the login page, and leaves it after a login in another window', async () => {
    storeUser(ann);
    const first = open();
    await waitFor(() => expect(first.state.location.pathname).toBe('/'));
    forgetUser();
    const second = open();
    await screen.findByPlaceholderText('Phone, email or username');
    storeUser(ann);
    await waitFor(() => expect(second.state.location.pathname).toBe('/personal'));
  });
});

describe('the tab that is open first', () => {
  it.each([
    ['codes reach phones', { phone_login: true, sms_delivery: true }, 'Phone code'],
    ['codes go to the log', { phone_login: true, sms_delivery: false }, 'Password'],
    [
      'codes go to the log and passwords are off',
      { phone_login: true, sms_delivery: false, password_login: false },
      'Phone code',
    ],
    ['phone login is off', { phone_login: false, sms_delivery: true }, 'Password'],
  ])('%s', async (_, options, tab) => {
    onCall('GET /api/status', () => ({ ...status, ...options }));
    open();
    await waitFor(() =>
      expect(screen.queryAllByRole('tab')).toHaveLength(options.phone_login ? 2 : 1),
    );
    await waitFor(() =>
      expect(screen.getByRole('tab', { name: tab }).getAttribute('aria-selected')).toBe('true'),
    );
  });
});
