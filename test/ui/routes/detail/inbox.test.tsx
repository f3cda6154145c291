// @vitest-environment happy-dom
// Covers src/ui/routes/detail/inbox-entries.tsx, channels-in.ts, test-channels.ts, expiring-tokens.ts, change-expiring.ts, late-jobs.tsx.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import type { LossEntity } from '../../../../src/core/contract/losses.ts';
import type { Overview } from '../../../../src/core/contract/overview.ts';
import { channelStates } from '../../../../src/core/vocabulary/channel-states.ts';
import { roles } from '../../../../src/core/vocabulary/roles.ts';
import { loadTextPart } from '../../../../src/ui/i18n/index.ts';
import { ChannelHealthList } from '../../../../src/ui/routes/detail/channel-health.tsx';
import { useExpiringTokens } from '../../../../src/ui/routes/detail/expiring-tokens.ts';
import { Inbox } from '../../../../src/ui/routes/detail/inbox.tsx';
import { channel } from '../../support/channel.ts';
import {
  onCall,
  prepareConsole,
  prepareUser,
  sent,
  show,
  WholeBody,
} from '../../support/render.tsx';

prepareConsole();
prepareUser(roles.root);
beforeAll(() => loadTextPart('detail'));

const quiet = {
  channel_states: Object.fromEntries(channelStates.map((state) => [state, 0])),
  late_jobs: [],
  ending_models: [],
  separate_nodes: [],
  disk_left: -1,
  channels: [],
} as unknown as Overview;
const states = (counts: Partial<Overview['channel_states']>): Overview => ({
  ...quiet,
  channel_states: { ...quiet.channel_states, ...counts },
});
const loss = (kind: LossEntity['kind'], channel: number, text: string): LossEntity => ({
  kind,
  channel,
  text,
  name: 'main',
  model: '',
  since: 0,
});
const none = { total: 0, tokens: [], match: {}, refresh: async () => undefined };
const showInbox = (overview: Overview, losses: readonly LossEntity[] = []) =>
  show(<Inbox overview={overview} losses={losses} expiring={none} />, '/');
const entries = () =>
  within(screen.getByRole('region', { name: 'Needs attention' }))
    .getAllByRole('listitem')
    .map((item) => [
      item.querySelector('div')?.textContent?.trim(),
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

it('names the channels that it knows, those of the same name once', () => {
  const one = (state: string, name: string) => ({ state, name });
  showInbox({
    ...states({ auto_disabled: 1, failing: 40, untested: 3 }),
    channels: [
      one('auto_disabled', 'OpenAI'),
      ...Array.from({ length: 6 }, () => one('failing', 'bulk')),
      one('failing', 'main'),
    ] as unknown as Overview['channels'],
  });
  expect(entries().map(([text]) => text)).toEqual([
    'Channels: 1 auto-disabled (OpenAI).',
    'Channels: 40 failing (bulk · main …).',
    'Channels: 3 never tested.',
  ]);
});

it('tests the channels in a state with one click, more than ten after a question, and shows them', async () => {
  let untested = 3;
  onCall('GET /api/channel/', () => {
    const data = Array.from({ length: untested }, (_, index) => ({ ...channel, id: index + 1 }));
    return new WholeBody({ success: true, message: '', data });
  });
  onCall('POST /api/turnpike/channel/batch/test', () => undefined);
  const tested = () =>
    sent.flatMap(({ call, body }) => (call.endsWith('/batch/test') ? [body] : []));
  const router = showInbox(states({ untested: 32 }));
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  await waitFor(() => expect(router.state.location.search).toBe('?status=untested'));
  expect(tested()).toEqual([{ ids: [1, 2, 3] }]);
  untested = 32;
  fireEvent.click(screen.getByRole('button', { name: 'Test' }));
  const question = await screen.findByRole('alertdialog', { name: 'Test 32 channels?' });
  expect(tested()).toHaveLength(1);
  fireEvent.click(within(question).getByRole('button', { name: 'Start 32 tests' }));
  await waitFor(() => expect(tested()).toHaveLength(2));
});

it('counts the channels of each state beside their health, each with a link to exactly these', () => {
  const overview = {
    ...states({ auto_disabled: 1, failing: 2, working: 4, untested: 32, disabled: 5 }),
    channels: ['failing', 'untested'].map((state, index) => ({
      id: index,
      state,
      name: state,
      type: 1,
      recent: [],
      status_reason: '',
      status_time: 0,
      response_time: 0,
    })) as unknown as Overview['channels'],
  };
  show(<ChannelHealthList overview={overview} />, '/');
  const links = screen
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['All 44', '/channel'],
    ['1 auto-disabled', '/channel?status=3'],
    ['2 failing', '/channel?status=failing'],
    ['4 working', '/channel?status=working'],
    ['32 never tested', '/channel?status=untested'],
    ['5 disabled', '/channel?status=2'],
  ]);
  // No grid of channels of which nothing is known.
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('failing'),
  ]);
});

it('leads from a loss to its channel or price, and from a missing price to those that are missing', () => {
  showInbox(quiet, [
    {
      ...loss('below_cost', 3, 'gpt-4o at channel #3 main earned less than it cost'),
      model: 'gpt-4o',
    },
    loss('balance', 3, 'the balance of channel #3 ends soon'),
    loss('unpriced', 4, '2 models of channel #4 have no price'),
    loss('price', 0, 'a price differs from its source'),
  ]);
  expect(entries().map(([, to]) => to)).toEqual([
    '/setting?price=gpt-4o#operation.prices',
    '/channel?edit=3',
    '/setting?prices=unset#operation.prices',
    '/setting?prices=sources#operation.prices',
  ]);
});

it('names a full disk, other gateways, late jobs, and what ends with its day and successor', () => {
  const ending = (model: string, successor: string, channels: number[]) => ({
    model,
    ends: '2026-11-30',
    successor,
    channels,
  });
  showInbox({
    ...quiet,
    late_jobs: ['losses', 'log-sums'],
    disk_left: 120,
    separate_nodes: [{ host: 'other', address: '10.0.0.2' }],
    ending_models: [ending('claude-old', 'claude-new', [3]), ending('gpt-old', '', [3, 4])],
  });
  expect(entries()).toEqual([
    [expect.stringContaining('120 MB are free on the disk.'), '/setting#operation.log'],
    [expect.stringContaining('The gateway on other (10.0.0.2)'), '/node'],
    [expect.stringContaining('losses, log-sums'), undefined],
    [
      expect.stringContaining(
        'claude-old ends at its vendor on 2026-11-30. Its successor is claude-new',
      ),
      '/channel?edit=3',
    ],
    [
      expect.stringContaining('gpt-old ends at its vendor on 2026-11-30. No successor'),
      '/channel?model=gpt-old',
    ],
  ]);
});

it('says on demand what keeps a late job from ending', async () => {
  const job = { interval: 900, last_duration: 0, next_run_at: 0, last_succeeded_at: 0, late: true };
  onCall('GET /api/turnpike/jobs', () => [
    { ...job, name: 'losses', running: false, last_error: 'no such table', last_started_at: 1 },
    { ...job, name: 'log-sums', running: true, last_error: '', last_started_at: 1_795_000_000 },
    { ...job, name: 'others', running: false, last_error: 'unrelated', last_started_at: 1 },
  ]);
  showInbox({ ...quiet, late_jobs: ['losses', 'log-sums'] });
  fireEvent.click(await screen.findByRole('button', { name: 'Why?' }));
  expect(await screen.findByText('no such table')).toBeDefined();
  expect(screen.getByText(/^started 2026-11-.*, still running$/)).toBeDefined();
  expect(screen.queryByText('unrelated')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Why?' })).toBeNull();
});

it('names tokens that expire within 7 days, and extends all of them at once', async () => {
  onCall('GET /api/turnpike/token', () => ({
    page: 1,
    page_size: 5,
    total: 6,
    items: ['app', 'batch'].map((name) => ({ name, username: 'ann' })),
  }));
  onCall('POST /api/turnpike/bulk/user-tokens', () => ({
    matched: 6,
    changed: 6,
    groups: [],
    more_groups: 0,
    refused: [],
    ids: [1],
    undo: [],
    lost: { keys: 0, models: [] },
  }));
  const Shown = () => {
    const expiring = useExpiringTokens(true);
    return expiring && <Inbox overview={quiet} losses={[]} expiring={expiring} />;
  };
  const now = Math.floor(Date.now() / 1000);
  show(<Shown />, '/');
  await screen.findByText('6 tokens expire within 7 days: app (ann), batch (ann) ….');
  fireEvent.click(screen.getByRole('button', { name: 'Extend' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Change 6 tokens that expire within 7 days')).toBeDefined();
  fireEvent.click(dialog.getByRole('button', { name: 'Show what changes' }));
  await dialog.findByText(/6 of 6 will change/);
  const asked = sent.find(({ call }) => call.endsWith('bulk/user-tokens'))?.body as {
    readonly match: { readonly expires_from: number; readonly expires_to: number };
  };
  expect(asked).toMatchObject({
    change: { expired_time: -1 },
    preview: true,
    match: { status: 1 },
  });
  expect(asked.match.expires_from).toBeGreaterThanOrEqual(now);
  expect(asked.match.expires_to - asked.match.expires_from).toBe(7 * 86_400);
});

it('stays short on a site with many, and shows the rest on demand', () => {
  showInbox(
    quiet,
    Array.from({ length: 9 }, (_, index) => loss('balance', index + 1, `channel ${index + 1}`)),
  );
  expect(entries()).toHaveLength(5);
  fireEvent.click(screen.getByRole('button', { name: 'Show all 9' }));
  expect(entries()).toHaveLength(9);
});
