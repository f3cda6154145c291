// Covers src/ui/theme.
/** The main screens of the console, in both languages and both themes. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest, violations, watchFaults } from '../support/page-checks.ts';
import {
  chooseLook,
  keepsPhotographs,
  photograph,
  variants,
  wide,
} from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('the screens of the console', { timeout: 960_000 }, () => {
  let site: ConsoleSite;
  let page: Page;
  let faults: readonly string[] = [];
  beforeAll(async () => {
    site = await startConsoleSite();
    await site.chat(siteModel);
    page = await site.open({ viewport: wide });
    faults = watchFaults(page);
    await page.goto(`${site.url}/detail`);
  });
  afterAll(() => site?.close());

  // That nothing is wider than the window is measured at every width (widths.long.test.ts), and axe
  // sees all screens light, in English and wide in accessibility.long.test.ts.
  it.each(keepsPhotographs ? variants : variants.slice(1))(
    'each passes axe, %s, %s, %o',
    async (theme, language, viewport) => {
      await page.setViewportSize(viewport);
      for (const screen of ['detail', 'channel', 'channel?new=1', 'token', 'token?new=1', 'log']) {
        await chooseLook(page, theme, language);
        await page.goto(`${site.url}/${screen}`);
        await atRest(page);
        await page.getByRole('heading').first().waitFor();
        // Not redirected to the login page.
        expect(page.url()).toBe(`${site.url}/${screen}`);
        await photograph(page, `${screen}-${theme}-${language}-${viewport.width}`);
        expect({ screen, found: await violations(page) }).toEqual({ screen, found: [] });
      }
      await page.setViewportSize(wide);
    },
  );

  it('never threw and never violated the Content-Security-Policy', () => {
    expect(faults).toEqual([]);
  });
});
