// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { forgetUser } from '../../../../src/ui/client/session.ts';
import { OauthScreen } from '../../../../src/ui/routes/oauth/index.tsx';
import { onCall, prepareConsole, Refusal, show, WholeBody } from '../../support/render.tsx';

prepareConsole();
afterEach(() => act(() => forgetUser()));

const open = (address: string) =>
  show(
    <Routes>
      <Route path="/oauth/:provider" element={<OauthScreen />} />
      <Route path="*" element={null} />
    </Routes>,
    address,
  );

test('a login at a provider whose account has a second factor goes on to its second step', async () => {
  const data = { challenge: 'c-1', methods: ['totp'] };
  const refusal = { success: false, message: 'Confirm', code: 'second_factor_required', data };
  onCall('GET /api/oauth/github', () => new WholeBody(refusal));
  const router = open('/oauth/github?code=a&state=b');
  await waitFor(() => expect(router.state.location.pathname).not.toBe('/oauth/github'));
  // Another way that is taken in the same turn would have won.
  await act(async () => {});
  expect(router.state.location.pathname).toBe('/login/second-factor');
  expect(router.state.location.state).toMatchObject(data);
  expect(screen.queryByText(/redirecting to login/i)).toBeNull();
});

test('a refused login says why and goes to the settings, which send visitors to the login', async () => {
  onCall('GET /api/oauth/github', () => {
    throw new Refusal('oauth_state_invalid', 'This link is used up');
  });
  const router = open('/oauth/github?error=access_denied');
  await screen.findByText('This link is used up');
  await screen.findByText(/redirecting to login/i);
  await waitFor(() => expect(router.state.location.pathname).toBe('/setting'));
});
