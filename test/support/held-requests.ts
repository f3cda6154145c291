/** Requests of a page that wait until a test lets them go. */
import type { Page } from 'playwright-core';
import { noteHeld, noteReleased } from './page-checks.ts';

export interface HeldRequests {
  /** Resolves when the first one waits. */
  readonly first: Promise<void>;
  /**
   * Sends those that wait, and holds no more. Removes all routes of the page, because only
   * `unrouteAll` waits for their handlers.
   */
  release(): Promise<void>;
}

/** From now on the requests of `page` to addresses like `url` wait; it is at rest without them. */
export async function holdRequests(page: Page, url: string | RegExp): Promise<HeldRequests> {
  const [first, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(url, async (route) => {
    noteHeld(page, route.request());
    first.resolve();
    await released.promise;
    noteReleased(page, route.request());
    await route.continue();
  });
  return {
    first: first.promise,
    release: async () => {
      released.resolve();
      await page.unrouteAll({ behavior: 'wait' });
    },
  };
}
