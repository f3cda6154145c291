// Covers src/ui/theme.
/** The main screens of the console at every width, in both languages and both themes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest, overflow, violations, watchFaults } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('the screens of the console', { timeout: 240_000 }, () => {
  let site: ConsoleSite;
  let page: Page;
  let faults: readonly string[] = [];
  beforeAll(async () => {
    site = await startConsoleSite();
    await site.chat(siteModel);
    page = await site.open({ viewport: wide });
    faults = watchFaults(page);
    await page.goto(`${site.url}/detail`);
  }, 90_000);
  afterAll(() => site?.close());

  it.each([
    ['light', wide],
    ['dark', wide],
    ['light', { width: 1024, height: 768 }],
    ['light', phone],
    ['dark', phone],
  ] as const)('each fits and passes axe, %s, %o', async (theme, viewport) => {
    await page.setViewportSize(viewport);
    for (const screen of ['detail', 'channel', 'channel?new=1', 'token', 'token?new=1', 'log']) {
      for (const language of ['zh', 'en'] as const) {
        const isDrawer = screen.includes('?');
        if (isDrawer && (language === 'en' || viewport.width === 1024)) continue;
        // The theme changes no width: English is measured in the light one.
        if (theme === 'dark' && language === 'en') continue;
        await chooseLook(page, theme, language);
        await page.goto(`${site.url}/${screen}`);
        await atRest(page);
        await page.getByRole('heading').first().waitFor();
        // Not redirected to the login page.
        expect(page.url()).toBe(`${site.url}/${screen}`);
        const name = `${screen} ${language}`;
        if (!isDrawer) {
          await photograph(page, `${screen}-${theme}-${language}-${viewport.width}`);
          expect({ name, overflow: await overflow(page) }).toEqual({ name, overflow: 0 });
        }
        // Between phone and desk nothing new can be found.
        if (language === 'zh' && viewport.width !== 1024)
          expect({ name, found: await violations(page) }).toEqual({ name, found: [] });
      }
    }
    await page.setViewportSize(wide);
  });

  it('never threw and never violated the Content-Security-Policy', () => {
    expect(faults).toEqual([]);
  });
});
