// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { forgetUser, storeUser } from '../../../../src/ui/client/session.ts';
import { AboutScreen } from '../../../../src/ui/routes/about/index.tsx';
import { onCall, prepareConsole, show } from '../../support/render.tsx';

prepareConsole();
afterEach(() => act(() => forgetUser()));

test.each([
  ['a visitor', undefined, false],
  ['a user', 1, false],
  ['an administrator', 10, true],
])('which version runs here is told to administrators: %s', async (_, role, isTold) => {
  onCall('GET /api/status', () => ({ setup: true, system_name: 'Site', version: '9.8.7' }));
  onCall('GET /api/about', () => 'What this site is for.');
  const texts = { username: 'u', display_name: '', nickname: '', portrait: '', group: 'default' };
  if (role !== undefined) storeUser({ id: 1, role, status: 1, ...texts });
  show(<AboutScreen />);
  await screen.findByText('What this site is for.');
  // The status has come, too: it names the page.
  await screen.findByText('About');
  await expect.poll(() => document.title).toBe('About · Site');
  expect(screen.queryByText('Turnpike 9.8.7') !== null).toBe(isTold);
});
