/** Tags in a real browser: spending on the dashboard, its file, the log's filter, a budget. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest, overflow, violations, watchFaults } from '../support/page-checks.ts';
import { chooseLook, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('tags', () => {
  let site: ConsoleSite;
  let page: Page;
  let faults: readonly string[] = [];

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await site.open({ viewport: wide, locale: 'en-US' });
    faults = watchFaults(page);
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    for (const tags of ['team:red,job:nightly', 'team:red', 'team:blue', ''])
      await site.chat(siteModel, { 'x-turnpike-tags': tags });
  });
  afterAll(() => site?.close());

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  it('show what each cost on the dashboard, and of each day where one is opened', async () => {
    await page.goto(`${site.url}/detail?range=week`);
    const table = page.getByRole('region', { name: 'Spending by tag' });
    await table.waitFor();
    await row('team:red').getByText('50%').waitFor();
    const before = await table.getByRole('row').count();
    expect(before).toBe(4);
    await table.getByRole('button', { name: 'team:red' }).click();
    await expect.poll(() => table.getByRole('row').count()).toBe(before + 1);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv.split('\r\n')[1]).toMatch(/,team:red,2,3000,\d+$/);
  });

  it('are a filter and a column of the log, and a condition of a budget', async () => {
    await page.goto(`${site.url}/log?tag=job:nightly`);
    await page.getByText(siteModel).first().waitFor();
    await expect.poll(() => row(siteModel).count()).toBe(1);
    await page.goto(`${site.url}/budget`);
    await page.getByRole('button', { name: 'New budget' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'New budget' });
    await drawer.getByRole('button', { name: /^Advanced/ }).click();
    await drawer.getByRole('textbox', { name: 'Tag' }).fill('two,tags');
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('1');
    await drawer.getByRole('button', { name: 'New budget' }).click();
    await drawer.getByText('Up to 64 letters').waitFor();
    await photograph(page, 'budget-tag-light-en');
  });

  it.each(variants)('look well in %s, %s', async (theme, language, viewport) => {
    await page.setViewportSize(viewport);
    await page.goto(`${site.url}/detail?range=week`);
    await chooseLook(page, theme, language);
    await page.goto(`${site.url}/detail?range=week`);
    await page.getByRole('button', { name: 'team:red' }).click();
    await atRest(page);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'team:red' }).scrollIntoViewIfNeeded();
    await photograph(page, `tags-${theme}-${language}-${viewport.width}`);
  });

  it('raise no error in the browser', () => {
    expect(faults).toEqual([]);
  });
});
