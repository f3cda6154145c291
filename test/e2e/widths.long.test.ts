/** Every screen fits every width from a small phone to a wide desktop (docs/rules/console.md#shell). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { coveredColumns, overflow, redrawn, squeezedTexts, visit } from '../support/page-checks.ts';
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

describe.skipIf(!hasTool('browser'))('the width of the console', { timeout: 960_000 }, () => {
  let site: ConsoleSite;
  let page: Page;
  beforeAll(async () => {
    site = await startConsoleSite();
    await site.chat(siteModel);
    await site.api('POST', '/api/turnpike/budgets', {
      ...{ name: 'of everybody', owner: 'group', owner_id: 'default', amount: 4_999_999_999 },
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
  });
  afterAll(() => site?.close());

  it.each(['zh', 'en'] as const)(
    'no screen is wider than its window, no column it needs is covered, no words lie over others: %s',
    async (language) => {
      await chooseLook(page, 'light', language);
      await page.goto(`${site.url}/detail`);
      const tooWide: string[] = [];
      const covered: string[] = [];
      const squeezed: string[] = [];
      for (const screen of screens) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await visit(page, screen);
        if (screen !== '/') expect(page.url()).toBe(site.url + screen); // it leads on
        await page.getByRole('heading').first().waitFor();
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          await redrawn(page);
          const pixels = await overflow(page);
          if (pixels > 0) tooWide.push(`${screen} at ${width}: ${pixels}`);
          for (const column of await coveredColumns(page))
            covered.push(`${screen} at ${width}: ${column}`);
          for (const text of await squeezedTexts(page))
            squeezed.push(`${screen} at ${width}: ${text}`);
        }
      }
      expect(tooWide).toEqual([]);
      expect(covered).toEqual([]);
      expect(squeezed).toEqual([]);
    },
  );
});
