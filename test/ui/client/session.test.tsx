// @vitest-environment happy-dom
// Covers src/ui/client, src/ui/shell/guard.tsx, src/ui/routes/playground/post.ts.
/** Logins that end, or are replaced by another one, while something is under way. */
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SignedInUser } from '../../../src/core/contract/entities.ts';
import { client } from '../../../src/ui/client/api.ts';
import { toastFailure } from '../../../src/ui/client/failures.ts';
import { queryClient } from '../../../src/ui/client/query-client.ts';
import { currentUser, forgetUser, storeUser } from '../../../src/ui/client/session.ts';
import { uploadImage } from '../../../src/ui/client/upload.ts';
import { queryKeys } from '../../../src/ui/queries/query-keys.ts';
import { statusQuery } from '../../../src/ui/queries/use-status.ts';
import { postAsUser } from '../../../src/ui/routes/playground/post.ts';
import { Guard } from '../../../src/ui/shell/guard.tsx';
import { prepareConsole, show } from '../support/render.tsx';

prepareConsole();

const user = (id: number): SignedInUser => ({
  id,
  role: 1,
  status: 1,
  username: `user ${id}`,
  display_name: '',
  nickname: '',
  portrait: '',
  group: 'default',
});

/** What another tab does: it writes, and this one is told. */
function otherTab(next: SignedInUser | null): void {
  if (next === null) localStorage.clear();
  else localStorage.setItem('user', JSON.stringify(next));
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: next === null ? null : 'user' }));
  });
}

beforeEach(() => storeUser(user(1)));

describe('a reply that says that the login has ended', () => {
  /** A server that replies when `end` is called. */
  function slowServer() {
    const { promise, resolve } = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', () => promise);
    class Upload {
      status = 401;
      responseText = '{"success":false}';
      upload = {};
      onload = () => {};
      open() {}
      setRequestHeader() {}
      getResponseHeader = () => null;
      send = () => void promise.then(() => this.onload());
    }
    vi.stubGlobal('XMLHttpRequest', Upload);
    return () => resolve(Response.json({ success: false, message: '' }, { status: 401 }));
  }
  const calls = {
    'a call': () => client.token.list({}),
    'an order of a playground': () =>
      postAsUser('/pg/images/generations', {}, new AbortController().signal),
    'an upload': () => uploadImage(new File(['x'], 'x.png')),
  };
  const changes = {
    'another user has signed in here': () => {
      forgetUser();
      storeUser(user(2));
    },
    'the same user has signed in again': () => {
      forgetUser('expired');
      storeUser(user(1));
    },
    'another user has signed in in another tab': () => {
      otherTab(null);
      otherTab(user(2));
    },
  };

  describe.each(Object.entries(calls))('to %s', (_, call) => {
    it.each(Object.entries(changes))('does not end the next one, after %s', async (_, change) => {
      const end = slowServer();
      show(null);
      const failed = call().then(
        () => undefined,
        (error: unknown) => error,
      );
      change();
      end();
      const failure = await failed;
      act(() => toastFailure(failure));
      expect(currentUser()).not.toBeNull();
      expect(localStorage.getItem('user')).not.toBeNull();
      expect(screen.queryByRole('alert')).toBeNull();
    });

    it('ends it where it is the same', async () => {
      const end = slowServer();
      const router = show(null, '/token?p=2');
      const failed = call().then(
        () => undefined,
        (error: unknown) => error,
      );
      end();
      const failure = await failed;
      await act(async () => toastFailure(failure));
      expect(currentUser()).toBeNull();
      await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
      expect(router.state.location.state).toEqual({ from: '/token?p=2' });
    });
  });
});

describe('what was read', () => {
  const { list } = queryKeys.budget;
  const fill = () => {
    queryClient.setQueryData(list, ['of user 1']);
    queryClient.setQueryData(statusQuery.queryKey, { system_name: 'Turnpike' } as never);
    queryClient
      .getQueryCache()
      .find({ queryKey: statusQuery.queryKey })
      ?.setOptions({
        ...statusQuery,
        queryHash: JSON.stringify(statusQuery.queryKey),
      } as never);
  };
  it.each([
    ['the login has expired', () => forgetUser('expired')],
    ['a sign-out', () => forgetUser()],
    ['a sign-out in another tab', () => otherTab(null)],
    ['another user has signed in in another tab', () => otherTab(user(2))],
  ])('is forgotten after %s, but for the status of the site', (_, change) => {
    fill();
    change();
    expect(queryClient.getQueryData(list)).toBeUndefined();
    expect(queryClient.getQueryData(statusQuery.queryKey)).toBeDefined();
  });
  it('stays while the user does', () => {
    fill();
    storeUser({ ...user(1), role: 10 });
    expect(queryClient.getQueryData(list)).toEqual(['of user 1']);
  });
});

it('starts a screen anew for another user: what was typed by the one before is not for them', async () => {
  function Form() {
    const { data } = useQuery({ queryKey: ['mine'], queryFn: () => currentUser()?.username });
    return (
      <>
        <p>{data}</p>
        <input aria-label="Webhook" />
      </>
    );
  }
  const routes = [
    { element: <Guard access="user" />, children: [{ path: '*', element: <Form /> }] },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/personal'] });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.findByText('user 1');
  fireEvent.change(screen.getByLabelText('Webhook'), { target: { value: 'https://one' } });
  otherTab(user(2));
  await screen.findByText('user 2');
  expect(screen.getByLabelText<HTMLInputElement>('Webhook').value).toBe('');
});
