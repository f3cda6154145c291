// @vitest-environment happy-dom
import { useQuery } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { client } from '../../../src/ui/client/api.ts';
import { ConnectionBanner } from '../../../src/ui/shell/connection-banner.tsx';
import { onCall, prepareConsole, show } from '../support/render.tsx';

prepareConsole();

function Page() {
  const { data, refetch } = useQuery({
    queryKey: ['groups'],
    queryFn: () => client.channel.groups(),
  });
  return (
    <>
      <ConnectionBanner />
      <p>{data?.join()}</p>
      <button type="button" onClick={() => void refetch()}>
        Refresh
      </button>
    </>
  );
}

describe('a server that is gone in mid-use', () => {
  it('behind a proxy is named as well, whose page is no reply', async () => {
    onCall('GET /api/group/', () => ['old']);
    show(<Page />);
    await screen.findByText('old');
    const { fetch } = globalThis;
    const page = { status: 502, headers: { 'Content-Type': 'text/html' } };
    vi.stubGlobal('fetch', async () => new Response('<html>Bad gateway</html>', page));
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await screen.findByRole('alert');
    // A failure of the gateway itself is its own.
    const body = { success: false, message: 'Closed for lunch', code: 'shutting_down' };
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 503 }));
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    vi.stubGlobal('fetch', fetch);
  });

  it('is named in a banner until it is back, and then everything is read again', async () => {
    onCall('GET /api/group/', () => ['old']);
    show(<Page />);
    await screen.findByText('old');
    expect(screen.queryByRole('alert')).toBeNull();
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The gateway does not respond.',
    );
    screen.getByText('old');
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Try now' })).toHaveProperty('disabled', false),
    );
    screen.getByRole('alert');
    onCall('GET /api/group/', () => ['new']);
    vi.stubGlobal('fetch', fetch);
    // It tries by itself.
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull(), { timeout: 30_000 });
    await screen.findByText('new');
  });
});
