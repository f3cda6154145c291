// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { errorLogAddress, Metrics } from '../../../../src/ui/routes/detail/metrics.tsx';
import type { Usage } from '../../../../src/ui/routes/detail/use-usage.ts';
import { onCall, prepareConsole, show } from '../../support/render.tsx';
import { usage } from './usage-fixture.ts';

prepareConsole();

function showMetrics(outcomes: Partial<Usage['outcomes']>, username = '', balance = usage.balance) {
  storeUser({
    id: 2,
    role: 1,
    status: 1,
    username: 'ann',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  });
  onCall('GET /api/user/self', () => ({ quota: 1, request_count: 1 }));
  onCall('GET /api/turnpike/data/usage', () => usage);
  const shown = { ...usage, balance, outcomes: { ...usage.outcomes, ...outcomes } };
  show(<Metrics usage={shown} overview={undefined} view={{ own: true, username }} />, '/');
}

it('shows the success rate of final results, with a link to the failures', async () => {
  showMetrics({});
  expect(await screen.findByText('99.7% succeeded', { exact: false })).toBeTruthy();
  const link = screen.getByRole('link', { name: '3 failed' });
  expect(link.getAttribute('href')).toBe('/log?type=5&start=1000&end=87400');
});

it('has no link where nothing failed, and no rate where nothing ended', async () => {
  showMetrics({ failed: 0 });
  expect(await screen.findByText('100% succeeded', { exact: false })).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

it('leads to the newest failures where the range is longer than the log shows', () => {
  expect(errorLogAddress({ from: 0, to: 7 * 86_400 })).toBe('/log?type=5');
});

it('compares with the range before', async () => {
  showMetrics({});
  expect(await screen.findByText('200.0% more than the previous period')).toBeTruthy();
});

it('of a user who is looked at show that user’s balance, and no live figures', async () => {
  showMetrics({}, 'bob');
  expect(await screen.findByText('Balance of bob')).toBeTruthy();
  expect(screen.getByText('Spent by bob')).toBeTruthy();
  expect(document.body.textContent).toContain('−$0.10');
  expect(screen.queryByText(/RPM/)).toBeNull();
});

it.each([
  ['that falls below zero', [700_000, -50_000, -900_000]],
  ['that is below zero', [-50_000, -900_000]],
  ['that is above zero', [0, 700_000]],
])('draws a balance %s within its line', async (_, closing) => {
  showMetrics({}, 'bob', { opening: 0, closing });
  const metric = (await screen.findByText('Balance of bob')).parentElement;
  const line = metric?.querySelector('polyline')?.getAttribute('points') ?? '';
  const heights = line.split(' ').map((point) => Number(point.split(',')[1]));
  expect(heights).toHaveLength(closing.length);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(3);
  expect(Math.max(...heights)).toBeLessThanOrEqual(25);
  // The higher the balance, the nearer the top.
  expect(heights.indexOf(Math.min(...heights))).toBe(closing.indexOf(Math.max(...closing)));
});
