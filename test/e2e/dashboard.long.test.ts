/** The dashboard in a real browser: what was spent, by whom and when, and what channels earned. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { overflow } from '../support/page-checks.ts';
import { photograph, variants } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('the dashboard', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    // One request of unknown cost, then two that cost 0.4 of the price: $0.0075 each.
    await site.chat(siteModel);
    await site.api('PUT', '/api/channel/', { id: 1, cost: '{"ratio":0.4}' });
    await site.chat(siteModel);
    await site.chat(siteModel);
    page = await site.open({
      viewport: { width: 1440, height: 1200 },
      locale: 'en-US',
      timezoneId: 'Asia/Shanghai',
    });
    await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await page.goto(`${site.url}/detail`);
  });
  afterAll(() => site?.close());

  const row = (name: RegExp) => page.getByRole('row', { name });

  it('shows what was spent as a chart and as a table with the same sum', async () => {
    await page.getByRole('img', { name: 'Spending, $0.022500' }).waitFor();
    await page.getByRole('button', { name: 'Show as table' }).first().click();
    const table = page.getByRole('region', { name: 'Spending' });
    await table.waitFor();
    // 24 hours and the one that has begun.
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThanOrEqual(25);
    await expect.poll(() => table.getByRole('row').last().textContent()).toContain('$0.022500');
    await page.goBack();
    await page.getByRole('img', { name: 'Spending, $0.022500' }).waitFor();
  });

  it('counts requests and tokens instead, by week of the reader’s zone', async () => {
    await page.goto(`${site.url}/detail?range=month&by=week`);
    await page.getByRole('button', { name: /^Show/ }).first().click();
    await page.getByRole('menuitem', { name: 'Tokens' }).click();
    await page.getByRole('img', { name: 'Tokens, 4,500' }).waitFor();
    expect(page.url()).toContain('show=tokens');
    await page.reload();
    await page.getByRole('img', { name: 'Tokens, 4,500' }).waitFor();
  });

  it('shows one user by name, with that user’s balance over time', async () => {
    await page.goto(`${site.url}/detail?user=root&show=balance`);
    await page.getByText('Balance of root').waitFor();
    await page.getByRole('img', { name: /^Balance, / }).waitFor();
    await page.goto(`${site.url}/detail?user=nobody`);
    await page.getByText('Spent by nobody').waitFor();
  });

  it('shows revenue, cost and margin of the channel, and how much of it is known', async () => {
    await page.goto(`${site.url}/detail`);
    await row(/main/).waitFor();
    const cells = await row(/main/).getByRole('cell').allTextContents();
    expect(cells).toEqual(['3', '$0.022500', '$0.006000', '$0.009000', '60%', '66.67%']);
    await page.getByRole('button', { name: 'main', exact: true }).click();
    await row(new RegExp(siteModel)).waitFor();
  });

  it('begins with the steps that the site says', async () => {
    await site.api('PUT', '/api/option/', { key: 'DataExportDefaultTime', value: 'day' });
    await page.goto(`${site.url}/detail`);
    await page.getByRole('button', { name: /^Range\s*last 7 days/ }).waitFor();
    await page.getByRole('button', { name: /^By\s*day/ }).waitFor();
    await site.api('PUT', '/api/option/', { key: 'DataExportDefaultTime', value: 'hour' });
  });

  it('leaves the menu where nothing is added up, and says so', async () => {
    await site.api('PUT', '/api/option/', { key: 'DataExportEnabled', value: 'false' });
    await site.chat(siteModel);
    await page.goto(`${site.url}/detail`);
    await page.getByText(/^Usage statistics are switched off/).waitFor();
    expect(
      await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).count(),
    ).toBe(0);
    await page.getByRole('img', { name: 'Spending, $0.022500' }).waitFor();
    await site.api('PUT', '/api/option/', { key: 'DataExportEnabled', value: 'true' });
  });

  it.each(variants)('fits its window: %s, %s, %o', async (theme, language, { width }) => {
    await page.setViewportSize({ width, height: 1200 });
    await page.addInitScript(
      ([languageName, themeName]) => {
        localStorage.setItem('i18nextLng', languageName ?? '');
        localStorage.setItem('theme-mode', themeName ?? '');
      },
      [language, theme],
    );
    await page.goto(`${site.url}/detail?range=week`);
    await row(/main/).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await photograph(page, `dashboard-${language}-${width}-${theme}`);
  });
});
