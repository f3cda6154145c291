// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeUser } from '../../../../src/ui/client/session.ts';
import { LogScreen } from '../../../../src/ui/routes/log/index.tsx';
import { onCall, prepareConsole, show } from '../../support/render.tsx';

prepareConsole();

const requestId = '20261120120000123000000abcdefgh';
const row = (id: string, model: string) => ({
  id: 1,
  user_id: 2,
  created_at: 1_795_176_000,
  type: 2,
  content: '',
  username: 'ann',
  token_name: 'app',
  model_name: model,
  quota: 10,
  prompt_tokens: 1,
  completion_tokens: 1,
  use_time: 1,
  is_stream: false,
  channel: 0,
  channel_name: '',
  token_id: 3,
  group: 'default',
  ip: '',
  other: '{}',
  request_id: id,
});

const asked: URLSearchParams[] = [];
beforeEach(() => {
  asked.length = 0;
  storeUser({ id: 2, role: 1, status: 1, username: 'ann', display_name: '', nickname: '', portrait: '', group: 'default' });
  const { fetch } = globalThis;
  onCall('GET /api/user/self/groups', () => ({}));
  onCall('GET /api/log/self/stat', () => ({ quota: 10, rpm: 0, tpm: 0 }));
  onCall('GET /api/user/self', () => ({ quota: 1, request_count: 1 }));
  onCall('GET /api/turnpike/overview', () => ({ lanes: [] }));
  vi.stubGlobal('fetch', (url: string, request?: RequestInit) => {
    const { pathname, searchParams } = new URL(url, 'http://site.test');
    if (pathname !== '/api/log/self') return fetch(url, request);
    asked.push(searchParams);
    const found = searchParams.get('request_id') === requestId ? [row(requestId, 'old-model')] : [row('20261122x', 'new-model')];
    return Promise.resolve(
      Response.json({ success: true, message: '', data: { items: found, total: found.length, page: 1, page_size: 10 } }),
    );
  });
});

describe('the log', () => {
  it('finds a request by its id, whenever it was', async () => {
    show(<LogScreen />, `/log?request=${requestId}`);
    await screen.findAllByText('old-model');
    const [first] = asked;
    expect(first?.get('request_id')).toBe(requestId);
    expect([first?.get('start_timestamp') ?? '0', first?.get('end_timestamp') ?? '0']).toEqual(['0', '0']);
  });

  it('opens the row of a link that is no longer on the first page', async () => {
    const router = show(<LogScreen />, `/log?open=${requestId}`);
    await screen.findByRole('region', { name: 'How this was priced' });
    await waitFor(() => expect(router.state.location.search).toBe(`?open=${requestId}&request=${requestId}`));
    expect(screen.queryByText('new-model')).toBeNull();
  });
});
