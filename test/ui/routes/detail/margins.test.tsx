// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Margin, MarginSummary } from '../../../../src/core/contract/data.ts';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { Margins } from '../../../../src/ui/routes/detail/margins.tsx';
import { onCall, prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const known: Margin = {
  count: 4,
  quota: 500_000,
  tokens: 9,
  costed_quota: 500_000,
  costed_count: 4,
  cost: 150_000.5,
  margin: 349_999.5,
  share: 0.699999,
};
const unknown: Margin = {
  ...known,
  costed_quota: 0,
  costed_count: 0,
  cost: null,
  margin: null,
  share: null,
};
const loss: Margin = { ...known, cost: 600_000, margin: -100_000, share: -0.2 };
const channel = (id: number, name: string, margin: Margin, names_cost = true) => ({
  channel: id,
  name,
  type: 1,
  names_cost,
  models: [{ model_name: `model of ${name}`, ...margin }],
  ...margin,
});
const summary: MarginSummary = {
  by: 'day',
  starts: [1_795_176_000],
  totals: { ...known, quota: 1_500_000, count: 12, costed_count: 8 },
  channels: [
    channel(1, 'good', known),
    channel(2, 'silent', unknown, false),
    channel(3, 'dear', loss),
    channel(9, '', unknown),
  ],
  spans: [known],
};

function showMargins(reply: MarginSummary) {
  storeUser({
    id: 1,
    role: 100,
    status: 1,
    username: 'root',
    display_name: '',
    nickname: '',
    portrait: '',
    group: 'default',
  });
  onCall('GET /api/turnpike/data/margins', () => reply);
  show(<Margins range="week" by="day" />, '/');
}
const cells = (name: string | RegExp) =>
  [...(screen.getByRole('row', { name }).querySelectorAll('td') ?? [])].map(
    ({ textContent }) => textContent,
  );

it('shows revenue, cost, margin and share of each channel; an unknown cost is not zero', async () => {
  showMargins(summary);
  expect(await screen.findByRole('row', { name: /good/ })).toBeTruthy();
  expect(cells(/good/)).toEqual(['4', '$1.000000', '$0.300002', '$0.700000', '70%', '100%']);
  expect(cells(/silent/)).toEqual(['4', '$1.000000', 'unknown', 'unknown', '–', '0%']);
  expect(cells(/dear/)).toEqual(['4', '$1.000000', '$1.200000', '−$0.200000', '−20%', '100%']);
  expect(cells(/Deleted channel #9/)[2]).toBe('unknown');
  expect(cells(/All channels/)[0]).toBe('12');
});

it('opens a channel’s models', async () => {
  showMargins(summary);
  const button = await screen.findByRole('button', { name: 'good', expanded: false });
  fireEvent.click(button);
  expect(screen.getByRole('row', { name: /model of good/ })).toBeTruthy();
  expect(button.getAttribute('aria-expanded')).toBe('true');
});

it('has the course of time as a chart and as a table', async () => {
  showMargins(summary);
  expect(await screen.findByRole('img', { name: /^Margin/ })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show as table' }));
  expect(screen.getByRole('columnheader', { name: 'Revenue of unknown cost' })).toBeTruthy();
});

it('says how to begin where no channel names its cost', async () => {
  showMargins({ ...summary, totals: unknown, channels: [channel(2, 'silent', unknown, false)] });
  expect(await screen.findByText(/No channel names what its upstream charges/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Channel' }).getAttribute('href')).toBe('/channel');
});
