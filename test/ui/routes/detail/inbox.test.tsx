// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import type { LossEntity } from '../../../../src/core/contract/losses.ts';
import type { Overview } from '../../../../src/core/contract/overview.ts';
import { channelStates } from '../../../../src/core/vocabulary/channel-states.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { Inbox } from '../../../../src/ui/routes/detail/inbox.tsx';
import { prepareConsole, show } from '../../support/render.tsx';

prepareConsole();
beforeAll(() => loadTextPart('detail'));

const quiet = {
  channel_states: Object.fromEntries(channelStates.map((state) => [state, 0])),
  ...{ late_jobs: [], ending_models: [], separate_nodes: [], disk_left: -1 },
} as unknown as Overview;
const states = (counts: Partial<Overview['channel_states']>): Overview => ({
  ...quiet,
  channel_states: { ...quiet.channel_states, ...counts },
});
const loss = (kind: LossEntity['kind'], channel: number, text: string): LossEntity => ({
  ...{ kind, channel, text, name: 'main', model: '', since: 0 },
});
const showInbox = (overview: Overview, losses: readonly LossEntity[] = []) =>
  show(<Inbox overview={overview} losses={losses} />, '/');
const entries = () =>
  within(screen.getByRole('region', { name: 'Needs attention' }))
    .getAllByRole('listitem')
    .map((item) => [
      item.querySelector('span')?.textContent?.trim(),
      item.querySelector('a')?.getAttribute('href'),
    ]);

it('is not there where nothing needs attention', () => {
  showInbox(states({ working: 9, disabled: 2 }));
  expect(screen.queryByRole('region')).toBeNull();
});

it('leads from each state of channels to the channels in it', () => {
  showInbox(states({ auto_disabled: 1, cooling: 2, failing: 3, untested: 32, working: 1 }));
  expect(entries()).toEqual([
    ['Channels: 1 auto-disabled.', '/channel?status=3'],
    ['Channels: 2 paused after failures.', '/channel?status=cooling'],
    ['Channels: 3 failing.', '/channel?status=failing'],
    ['Channels: 32 never tested.', '/channel?status=untested'],
  ]);
});

it('leads from a loss to its channel, and from a missing price to the prices', () => {
  showInbox(quiet, [
    loss('below_cost', 3, 'gpt-4o at channel #3 dear earned less than it cost'),
    loss('unpriced', 4, '2 models of channel #4 have no price'),
    loss('price', 0, 'a price differs from its source'),
  ]);
  expect(entries().map(([, to]) => to)).toEqual([
    '/channel?edit=3',
    '/setting#operation.prices',
    '/setting#operation.prices',
  ]);
});

it('names late jobs, a full disk, other gateways and what ends with its day and successor', () => {
  const ending = (model: string, successor = '') => ({
    ...{ model, ends: '2026-11-30', successor, channels: [3] },
  });
  showInbox({
    ...quiet,
    ...{ late_jobs: ['losses', 'log-sums'], disk_left: 120 },
    separate_nodes: [{ host: 'other', address: '10.0.0.2' }],
    ending_models: [ending('claude-old', 'claude-new'), ending('gpt-old')],
  });
  const texts = entries().map(([text]) => text);
  expect(texts).toEqual([
    expect.stringContaining('120 MB are free on the disk.'),
    expect.stringContaining('The gateway on other (10.0.0.2)'),
    expect.stringContaining('losses, log-sums'),
    expect.stringContaining('claude-old (2026-11-30) → claude-new, gpt-old (2026-11-30).'),
  ]);
});

it('stays short on a site with many, and shows the rest on demand', () => {
  showInbox(
    {
      ...quiet,
      ending_models: Array.from({ length: 40 }, (_, index) => ({
        ...{ model: `model-${index}`, ends: '2026-11-30', successor: '', channels: [1] },
      })),
    },
    Array.from({ length: 9 }, (_, index) => loss('balance', index + 1, `channel ${index + 1}`)),
  );
  expect(entries()).toHaveLength(5);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 10' }));
  expect(entries()).toHaveLength(10);
  const ends = entries().at(-1)?.[0] ?? '';
  expect([ends.includes('model-7'), ends.includes('model-8'), ends.includes('…')]).toEqual([
    ...[true, false, true],
  ]);
});
