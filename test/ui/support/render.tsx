/**
 * Renders parts of the console as they stand in a page: theme, texts in English, a query cache and
 * a router.
 */
import { MantineProvider } from '@mantine/core';
import { cleanNotifications, Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, getConfig, prettyDOM, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import * as React from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { setRouter } from '../../../src/ui/browser/router-handle.ts';
import { queryClient as consoleQueries } from '../../../src/ui/client/query-client.ts';
import { forgetUser, storeUser } from '../../../src/ui/client/session.ts';
import { DialogHost } from '../../../src/ui/components/dialog-host.tsx';
import { loadTextPart, startTexts } from '../../../src/ui/i18n/index.ts';
import { type TextPart, textParts } from '../../../src/ui/i18n/parts.ts';

// Screens load their parts when they are needed, which takes a while on a busy machine.
configure({
  asyncUtilTimeout: 20_000,
  // Draws the page when a wait has failed for good, not each time that it looks.
  getElementError: (message, container) => {
    const { _disableExpensiveErrorDiagnostics: isWaiting } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean;
    };
    const page = isWaiting === true ? '' : prettyDOM(container as HTMLElement);
    return Object.assign(new Error([message, page].join('\n\n')), {
      name: 'TestingLibraryElementError',
    });
  },
});

// React's development build records a stack for each of the first 10,000 elements of a second,
// which is a sixth of the work of these tests. No test reads them.
const internals = React as unknown as Record<string, { recentlyCreatedOwnerStacks: number }>;
Object.defineProperty(
  internals['__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'],
  'recentlyCreatedOwnerStacks',
  { get: () => Number.POSITIVE_INFINITY, set: () => undefined, configurable: true },
);

interface Sent {
  readonly call: string;
  readonly body: unknown;
}
type Reply = (body: unknown) => unknown;

/** The calls that reached the server, without those for its status. */
export const sent: Sent[] = [];
const replies = new Map<string, Reply>();

/**
 * What the server replies to a call such as `GET /api/token/`, at once or later; throw a {@link
 * Refusal} to refuse it.
 */
export function onCall(call: string, reply: Reply): void {
  replies.set(call, reply);
}

/** A refusal of the server. */
export class Refusal extends Error {
  readonly code: string;
  readonly field: string | undefined;
  constructor(code: string, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}

/** What `onCall` returns for a call whose reply has more than `data`. */
export class WholeBody {
  readonly body: object;
  constructor(body: object) {
    this.body = body;
  }
}

async function reply(url: string, request: RequestInit | undefined): Promise<Response> {
  const call = `${request?.method ?? 'GET'} ${url.split('?')[0]}`;
  const body: unknown = typeof request?.body === 'string' ? JSON.parse(request.body) : undefined;
  if (call !== 'GET /api/status') sent.push({ call, body });
  try {
    const data = (await replies.get(call)?.(body)) ?? null;
    if (data instanceof WholeBody) return Response.json(data.body);
    return Response.json({ success: true, message: '', data });
  } catch (error) {
    const { message, code, field } = error as Refusal;
    return Response.json({ success: false, message, code, field });
  }
}

/** Call it in the file: prepares texts, a server of stubs, and what the DOM environment lacks. */
export function prepareConsole(): void {
  beforeEach(() => {
    sent.length = 0;
    replies.clear();
    onCall('GET /api/status', () => ({
      system_name: 'Turnpike',
      quota_per_unit: 500_000,
      display_in_currency: true,
      setup: true,
    }));
    vi.stubGlobal('fetch', (url: string, request?: RequestInit) => reply(url, request));
  });
  beforeAll(async () => {
    // Another file may have used the same window, and signed in.
    forgetUser();
    window.localStorage.clear();
    window.sessionStorage.clear();
    window.history.replaceState(null, '', '/');
    document.body.replaceChildren();
    for (const { name } of [...document.body.attributes]) document.body.removeAttribute(name);
    window.localStorage.setItem('i18nextLng', 'en');
    await startTexts();
    for (const name of Object.keys(textParts) as TextPart[]) await loadTextPart(name);
    // Loaded with the first dialog; in a test that would count as its time.
    await import('../../../src/ui/components/dialog-frame.tsx');
    window.matchMedia ??= vi.fn().mockImplementation((query: string) => ({
      matches: false,
      media: query,
      addEventListener: () => {},
      removeEventListener: () => {},
      addListener: () => {},
      removeListener: () => {},
    }));
    // Text areas measure themselves again when fonts are there.
    if (document.fonts === undefined)
      Object.defineProperty(document, 'fonts', { value: new EventTarget() });
    // Nothing has a place here: everything counts as in sight.
    window.IntersectionObserver = class extends window.IntersectionObserver {
      readonly #report: IntersectionObserverCallback;
      constructor(report: IntersectionObserverCallback) {
        super(report);
        this.#report = report;
      }
      override observe(target: Element) {
        const entry = { target, isIntersecting: true } as IntersectionObserverEntry;
        queueMicrotask(() => this.#report([entry], this));
      }
    };
    window.ResizeObserver ??= class {
      observe() {}
      unobserve() {}
      disconnect() {}
    };
  });
  afterEach(() => {
    cleanup();
    // Toasts outlive what showed them; only a few are shown at once.
    cleanNotifications();
  });
}

/** Call it in the file: each of its tests is signed in with this role. */
export function prepareUser(role: number): void {
  const texts = { username: 'ann', display_name: '', nickname: '', portrait: '', group: 'default' };
  beforeEach(() => storeUser({ id: 1, role, status: 1, ...texts }));
}

/** `path` is where the router starts. Returns the router, to read the URL. */
export function show(element: ReactNode, path = '/') {
  // Failed mutations are shown as in the console.
  const mutationCache = consoleQueries.getMutationCache();
  const queryClient = new QueryClient({
    mutationCache,
    defaultOptions: { queries: { retry: false } },
  });
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  setRouter(router);
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={queryClient}>
        <Notifications />
        <RouterProvider router={router} />
        <DialogHost />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
}
