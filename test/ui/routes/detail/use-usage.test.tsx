// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { useUrlState } from '../../../../src/ui/hooks/use-url-state.ts';
import {
  type RangeName,
  useTagUsage,
  useUsage,
} from '../../../../src/ui/routes/detail/use-usage.ts';
import { onCall, prepareConsole, show } from '../../support/render.tsx';
import { usage } from './usage-fixture.ts';

prepareConsole();

const url = { user: '', range: 'day' } as const;
function Figures() {
  const [{ user, range }] = useUrlState(url);
  const view = { range: range as RangeName, by: 'hour', own: false, username: user } as const;
  const sums = useUsage(view).usage?.totals.quota ?? 'unknown';
  const tags = useTagUsage(view).data;
  return <output>{`${sums} ${tags === undefined ? 'unknown' : 'known'}`}</output>;
}

let goOn = () => {};
beforeEach(() => {
  const texts = { display_name: '', nickname: '', portrait: '', group: 'default' };
  storeUser({ id: 1, role: 10, status: 1, username: 'root', ...texts });
  const held = (data: unknown) => () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = goOn;
    goOn = () => {
      before();
      resolve();
    };
    return promise.then(() => data);
  };
  goOn = () => {};
  onCall('GET /api/turnpike/data/usage', held(usage));
  onCall('GET /api/turnpike/data/tags', held([]));
});

it('shows nobody the figures of somebody else while theirs are read, but the range before', async () => {
  const router = show(<Figures />, '/detail');
  const shown = () => screen.getByRole('status').textContent;
  expect(shown()).toBe('unknown unknown');
  await act(async () => goOn());
  await screen.findByText('300000 known');
  await act(() => router.navigate('/detail?range=week'));
  expect(shown()).toBe('300000 known');
  await act(async () => goOn());
  await act(() => router.navigate('/detail?range=week&user=ann'));
  expect(shown()).toBe('unknown unknown');
  await act(async () => goOn());
  await screen.findByText('300000 known');
});
