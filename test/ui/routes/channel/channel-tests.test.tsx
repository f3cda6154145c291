// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { ChannelHeaderActions } from '../../../../src/ui/routes/channel/channel-header.tsx';
import { TestDialog } from '../../../../src/ui/routes/channel/test-dialog.tsx';
import { useChannelRuns } from '../../../../src/ui/routes/channel/use-channel-runs.tsx';
import { channel } from '../../support/channel.ts';
import { onCall, prepareConsole, sent, show } from '../../support/render.tsx';

prepareConsole();

const calls = (start: string) => sent.filter(({ call }) => call.startsWith(start)).length;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const idle = { running: false, total: 0, done: 0, failed: 0, started_at: 0, ended_at: 0 };
const overview = (count: number) => ({
  channel_states: {
    auto_disabled: 0,
    cooling: 0,
    failing: 0,
    working: count - 1,
    untested: 0,
    disabled: 1,
  },
});

function Header() {
  return <ChannelHeaderActions runs={useChannelRuns({ onShowFailed: () => {} })} />;
}

describe('testing all channels', () => {
  beforeEach(() => {
    const texts = {
      username: 'root',
      display_name: '',
      nickname: '',
      portrait: '',
      group: 'default',
    };
    storeUser({ id: 1, role: 100, status: 1, ...texts });
  });

  it('says how many calls it starts, and starts none before the answer', async () => {
    onCall('GET /api/turnpike/overview', () => overview(301));
    onCall('GET /api/turnpike/channel/runs', () => ({ tests: idle, balances: idle }));
    show(<Header />);
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test all' }).disabled).toBe(
        false,
      ),
    );
    press('Test all');
    const question = await screen.findByRole('alertdialog');
    await within(question).findByText('Test 300 channels?');
    expect(calls('GET /api/channel/test')).toBe(0);
    fireEvent.click(within(question).getByRole('button', { name: 'Start 300 tests' }));
    await waitFor(() => expect(calls('GET /api/channel/test')).toBe(1));
  });

  it('can be stopped, and says how far it came', async () => {
    let tests = { ...idle, running: true, total: 300, done: 12, failed: 3 };
    onCall('GET /api/turnpike/overview', () => overview(301));
    onCall('GET /api/turnpike/channel/runs', () => ({ tests, balances: idle }));
    onCall('POST /api/turnpike/channel/runs/tests/stop', () => {
      tests = { ...tests, running: false };
      return tests;
    });
    show(<Header />);
    fireEvent.click(await screen.findByRole('button', { name: 'Stop the tests' }));
    await screen.findByText('Tests stopped after 12 of 300 channels, 3 failed');
    await screen.findByRole('button', { name: 'Test all' });
  });
});

describe('updating all balances', () => {
  beforeEach(() => {
    const texts = {
      username: 'root',
      display_name: '',
      nickname: '',
      portrait: '',
      group: 'default',
    };
    storeUser({ id: 1, role: 100, status: 1, ...texts });
  });
  const item = async (name: string) => {
    const more = await screen.findByRole('button', { name: 'More actions' });
    fireEvent.click(more);
    return screen.findByRole('menuitem', { name });
  };

  it('says how many calls it starts, and starts none before the answer', async () => {
    onCall('GET /api/turnpike/overview', () => overview(301));
    onCall('GET /api/turnpike/channel/runs', () => ({ tests: idle, balances: idle }));
    show(<Header />);
    await waitFor(() =>
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test all' }).disabled).toBe(
        false,
      ),
    );
    fireEvent.click(await item('Update all balances'));
    const question = await screen.findByRole('alertdialog');
    await within(question).findByText('Query 300 balances?');
    expect(calls('GET /api/channel/update_balance')).toBe(0);
    fireEvent.click(within(question).getByRole('button', { name: 'Query 300 balances' }));
    await waitFor(() => expect(calls('GET /api/channel/update_balance')).toBe(1));
  });

  it('can be stopped, and says how far it came', async () => {
    let balances = { ...idle, running: true, total: 300, done: 12, failed: 3 };
    onCall('GET /api/turnpike/overview', () => overview(301));
    onCall('GET /api/turnpike/channel/runs', () => ({ tests: idle, balances }));
    onCall('POST /api/turnpike/channel/runs/balances/stop', () => {
      balances = { ...balances, running: false };
      return balances;
    });
    show(<Header />);
    fireEvent.click(await screen.findByRole('button', { name: 'Stop the balance queries' }));
    await screen.findByText('Balance queries stopped after 12 of 300 channels, 3 failed');
    expect(screen.queryByRole('button', { name: 'Stop the balance queries' })).toBeNull();
  });
});

describe('testing all models of a channel', () => {
  const models = Array.from({ length: 12 }, (_, index) => `model-${index}`);
  const open = (names: readonly string[], onClose = vi.fn()) => {
    onCall('GET /api/channel/test/3', () => new Promise(() => {}));
    show(<TestDialog channel={{ ...channel, models: names.join(',') }} onClose={onClose} />);
  };

  it('asks before many calls', async () => {
    open(models);
    press('Test 12');
    await screen.findByText('Test 12 models?');
    expect(calls('GET /api/channel/test')).toBe(0);
  });

  it('stops after the test under way', async () => {
    const first = Promise.withResolvers<object>();
    open(models.slice(0, 3));
    onCall('GET /api/channel/test/3', () => first.promise);
    press('Test 3');
    await waitFor(() => expect(calls('GET /api/channel/test')).toBe(1));
    press('Stop the tests');
    first.resolve({});
    await screen.findByRole('button', { name: 'Test 3' });
    expect(calls('GET /api/channel/test')).toBe(1);
  });
});
