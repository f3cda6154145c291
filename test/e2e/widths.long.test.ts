/** Every screen fits every width from a small phone to a wide desktop (docs/rules/console.md#shell). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import {
  atRest,
  coveredColumns,
  overflow,
  redrawn,
  squeezedTexts,
  visit,
} from '../support/page-checks.ts';
import { chooseLook } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

/** Phones, a tablet on either side of where the menu changes, laptops zoomed to 200 %, desktops. */
const widths = [320, 390, 600, 601, 720, 768, 820, 912, 1024, 1440, 1920] as const;

const screens = [
  ['/', '/about', '/pricing', '/model_square', '/playground', '/playground/image'],
  ['/playground/image?view=gallery'],
  ['/playground/video', '/detail', '/token', '/token?new=1', '/log', '/midjourney', '/task'],
  ['/budget', '/budget?new=1'],
  ['/topup', '/topup/history', '/statement', '/channel', '/channel?new=1', '/redemption', '/user'],
  [
    '/model_square_management',
    '/audit',
    '/node',
    '/setting?tab=operation',
    '/setting?tab=system',
    '/personal',
  ],
].flat();

/** What is there before a login. */
const entrances = ['/login', '/register', '/reset', '/reset?email=a@b.example&token=t', '/not-me'];

describe.skipIf(!hasTool('browser'))('the width of the console', { timeout: 960_000 }, () => {
  let site: ConsoleSite;
  let page: Page;
  let visitor: Page;
  beforeAll(async () => {
    site = await startConsoleSite();
    await site.chat(siteModel);
    await site.api('POST', '/api/turnpike/budgets', {
      name: 'of everybody',
      owner: 'group',
      owner_id: 'default',
      amount: 4_999_999_999,
    });
    await site.api('POST', '/api/redemption/', { name: 'a gift for users', quota: 5 });
    await site.api('POST', '/api/user/', { username: 'somebody', password: 'a-long-password' });
    await site.api('PUT', '/api/user/self', { display_name: 'Wilhelmina Feathers' });
    await site.api('PUT', '/api/option/', {
      key: 'SystemName',
      value: 'Gateway of the University',
    });
    await site.api('PUT', '/api/option/', {
      key: 'general_setting.docs_link',
      value: 'https://docs.example.com',
    });
    page = await site.open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${site.url}/detail`);
    visitor = await site.open({ viewport: { width: 1440, height: 900 } }, 'visitor');
    await visitor.goto(`${site.url}/login`);
  });
  afterAll(() => site?.close());

  it.each(['zh', 'en'] as const)(
    'no screen is wider than its window, no column it needs is covered, no words lie over others: %s',
    async (language) => {
      for (const each of [page, visitor]) await chooseLook(each, 'light', language);
      await page.goto(`${site.url}/detail`);
      const tooWide: string[] = [];
      const covered: string[] = [];
      const squeezed: string[] = [];
      const measure = async (window: Page, screen: string) => {
        for (const width of widths) {
          await window.setViewportSize({ width, height: 900 });
          await redrawn(window);
          const pixels = await overflow(window);
          if (pixels > 0) tooWide.push(`${screen} at ${width}: ${pixels}`);
          for (const column of await coveredColumns(window))
            covered.push(`${screen} at ${width}: ${column}`);
          for (const text of await squeezedTexts(window))
            squeezed.push(`${screen} at ${width}: ${text}`);
        }
        await window.setViewportSize({ width: 1440, height: 900 });
      };
      for (const screen of entrances) {
        await visitor.goto(site.url + screen);
        await visitor.getByRole('heading').first().waitFor();
        await atRest(visitor);
        await measure(visitor, screen);
      }
      for (const screen of screens) {
        await visit(page, screen);
        if (screen !== '/') expect(page.url()).toBe(site.url + screen); // it leads on
        await page.getByRole('heading').first().waitFor();
        await measure(page, screen);
      }
      expect(tooWide).toEqual([]);
      expect(covered).toEqual([]);
      expect(squeezed).toEqual([]);
    },
  );
});
