/**
 * What a customer's screens show first stays where it is when the rest has come, on phones and
 * desktops (docs/rules/console.md#states).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { holdRequests } from '../support/held-requests.ts';
import { atRest, watchRequests } from '../support/page-checks.ts';
import { phone, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

/** Those with several parts that come one after the other; on a phone most of them are below. */
const screensOf = new Map([
  [wide, ['/detail', '/personal', '/topup', '/model_square']],
  [phone, ['/detail', '/personal', '/topup', '/log', '/model_square', '/playground/video']],
]);
/** Above it a shift is one that readers notice (web.dev/articles/cls). */
const most = 0.1;
const account = { username: 'ann', password: 'a-long-password' };

interface Shift {
  readonly value: number;
  readonly what: readonly string[];
}

describe.skipIf(!hasTool('browser'))('what a screen shows first', { timeout: 480_000 }, () => {
  let site: ConsoleSite;
  let page: Page;
  beforeAll(async () => {
    site = await startConsoleSite();
    await site.api('PUT', '/api/option/', { key: 'Notice', value: 'Maintenance on **Sunday**' });
    await site.api('POST', '/api/user/', account);
    await site.api('PUT', '/api/user/', { id: 2, username: account.username, quota: 5_000_000 });
    page = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    watchRequests(page);
    const login = await page.request.post(`${site.url}/api/user/login`, { data: account });
    const { data: user } = (await login.json()) as { data: { id: number } };
    const asked = await page.request.post(`${site.url}/pg/chat/completions`, {
      headers: { 'New-Api-User': String(user.id) },
      data: { model: siteModel, messages: [{ role: 'user', content: 'hello' }] },
    });
    expect(asked.status()).toBe(200);
    await page.addInitScript((stored) => {
      localStorage.setItem('user', stored);
      localStorage.setItem('i18nextLng', 'en');
      const shifts: { value: number; what: string[] }[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as {
          value: number;
          sources: { node?: { nodeName: string; className?: string } }[];
        }[])
          shifts.push({
            value: entry.value,
            what: entry.sources.map(({ node }) => `${node?.nodeName} ${node?.className ?? ''}`),
          });
      }).observe({ type: 'layout-shift', buffered: true });
    }, JSON.stringify(user));
  });
  afterAll(() => site?.close());

  it.each([...screensOf.keys()])(
    'does not move when the rest comes: $width px',
    async (viewport) => {
      await page.setViewportSize(viewport);
      const moved: string[] = [];
      for (const screen of screensOf.get(viewport) ?? []) {
        const held = await holdRequests(page, /\/api\/(?!status$)/);
        await page.goto(site.url + screen);
        await Promise.race([held.first, atRest(page)]);
        // Its skeleton is drawn.
        await page.evaluate(
          () =>
            new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        await held.release();
        await atRest(page);
        const shifts = await page.evaluate(
          () => (window as unknown as { shifts: readonly Shift[] }).shifts,
        );
        const sum = shifts.reduce((total, { value }) => total + value, 0);
        if (sum >= most)
          moved.push(
            `${screen} ${sum.toFixed(2)}: ${shifts.flatMap(({ what }) => what).join(', ')}`,
          );
      }
      expect(moved).toEqual([]);
    },
  );
});
