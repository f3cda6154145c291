/** One change of many rows in a real browser: looked at, made, taken back. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest, violations } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

interface Counted {
  readonly items: readonly unknown[];
}

describe.skipIf(!hasTool('browser'))('changes of many rows', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    await site.api('POST', '/api/channel/', {
      name: 'many',
      type: 1,
      base_url: site.upstream.url,
      models: 'gpt-4o,gpt-4o-mini',
      key: Array.from({ length: 24 }, (_, index) => `sk-${index}`).join('\n'),
      tag: 'east',
    });
    for (const username of ['ann', 'bob'])
      await site.api('POST', '/api/user/', { username, password: 'a-long-password' });
    page = await site.open({ viewport: wide, locale: 'en-US' });
    await page.addInitScript(() => {
      if (localStorage.getItem('i18nextLng') === null) localStorage.setItem('i18nextLng', 'en');
    });
  });
  afterAll(() => site?.close());

  const dialog = () => page.getByRole('dialog');
  const inGroup = async (group: string) =>
    (await site.api<Counted['items']>('GET', `/api/channel/?group=${group}&page_size=100`)).length;
  const selectPage = () => page.getByRole('checkbox', { name: /Select all/ }).check();
  const selectMatching = async () => {
    await page.goto(`${site.url}/channel?tag=east`);
    await page.getByRole('row', { name: /many/ }).first().waitFor();
    await selectPage();
    await page.getByRole('button', { name: 'Select all 24 that match' }).click();
    await page.getByText('All 24 that match').waitFor();
    await page.getByRole('button', { name: 'Change…' }).click();
  };

  it('all channels that match get a group, and lose it again', async () => {
    await selectMatching();
    await dialog().getByText('Change 24 channels').waitFor();
    const names = dialog().getByLabel('Names');
    await names.click();
    const list = await page.getByRole('listbox', { name: 'Names' }).boundingBox();
    const field = await names.boundingBox();
    const buttons = await dialog().getByRole('button', { name: 'Cancel' }).boundingBox();
    // What is open covers neither what is chosen above it nor the buttons below it.
    expect(list?.y).toBeGreaterThan((field?.y ?? 0) + 20);
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(buttons?.y ?? 0);
    await photograph(page, 'bulk-names-open');
    await names.fill('vip');
    await page.keyboard.press('Enter');
    await atRest(page);
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    await photograph(page, 'bulk-choose');
    await dialog().getByRole('button', { name: 'Show what changes' }).click();
    await dialog().getByText('24 of 24 will change').waitFor();
    await dialog().getByText('Groups: + vip').waitFor();
    await atRest(page);
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    await photograph(page, 'bulk-shown');
    expect(await inGroup('vip')).toBe(0);
    await dialog().getByRole('button', { name: 'Change 24' }).click();
    await dialog().getByText('24 changed').waitFor();
    expect(await inGroup('vip')).toBe(24);
    await dialog().getByRole('button', { name: 'Undo' }).click();
    await dialog().getByText('24 changed back').waitFor();
    expect(await inGroup('vip')).toBe(0);
    await dialog().getByRole('button', { name: 'Close' }).last().click();
  });

  it('deleting says how many, which, and what is gone for good', async () => {
    await selectMatching();
    await dialog().getByRole('combobox', { name: 'What to change' }).click();
    await page.getByRole('option', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog', { name: 'Delete 24 channels' }).waitFor();
    await dialog().getByRole('button', { name: 'Show what is deleted' }).click();
    await dialog().getByText('24 keys are gone for good').waitFor();
    await dialog().getByText('gpt-4o-mini').waitFor();
    await dialog().getByText('OpenAI · east').waitFor();
    await dialog().getByText('24 in all').waitFor();
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    await photograph(page, 'bulk-delete');
    await dialog().getByRole('button', { name: 'Back' }).click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await inGroup('default')).toBeGreaterThan(24);
  });

  it('users are granted quota, filtered and sorted', async () => {
    await page.goto(`${site.url}/user?role=1&sort=-quota`);
    await page.getByRole('row', { name: /bob/ }).waitFor();
    await page.getByRole('columnheader', { name: 'Last seen' }).waitFor();
    await selectPage();
    await page.getByRole('button', { name: 'Change…' }).click();
    await dialog().getByLabel('Amount for each').fill('500000');
    await dialog().getByRole('button', { name: 'Show what changes' }).click();
    await dialog().getByText('Grant: $1.00').waitFor();
    await dialog().getByText('This cannot be undone.').waitFor();
    await photograph(page, 'bulk-grant');
    await dialog().getByRole('button', { name: 'Change 2' }).click();
    await dialog().getByText('2 changed').waitFor();
    const { items } = await site.api<{ items: readonly { quota: number }[] }>(
      'GET',
      '/api/user/search?role=1',
    );
    expect(items.map(({ quota }) => quota)).toEqual([500_000, 500_000]);
    await dialog().getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Balance / used' }).click();
    await page.waitForURL(/sort=quota/);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await saved).suggestedFilename()).toBe('users.csv');
  });

  it('are made on a phone as on a desktop', async () => {
    await page.setViewportSize(phone);
    await page.goto(`${site.url}/channel?tag=east`);
    await page
      .getByRole('button', { name: /^More actions for many/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Select' }).click();
    const bar = page.getByRole('toolbar');
    const sizes = async () =>
      await page
        .locator('article label:has(input), [role=toolbar] button')
        .evaluateAll((all) =>
          all
            .map((one) => one.getBoundingClientRect())
            .map(({ width, height }) => Math.min(width, height)),
        );
    expect(Math.min(...(await sizes()))).toBeGreaterThanOrEqual(44);
    await atRest(page);
    await photograph(page, 'phone-selecting');
    await page.getByRole('checkbox').nth(1).check();
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Select all on this page' }).click();
    await bar.getByRole('button', { name: 'Select all 24 that match' }).click();
    await bar.getByText('All 24 that match').waitFor();
    await atRest(page);
    expect(await violations(page, {})).toEqual([]);
    await photograph(page, 'phone-all-selected');
    // The last card is not below the bar.
    const last = page.locator('article').last();
    await last.scrollIntoViewIfNeeded();
    await page.keyboard.press('End');
    const card = await last.boundingBox();
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(
      (await bar.boundingBox())?.y ?? 0,
    );
    await bar.getByRole('button', { name: 'Change…' }).click();
    await page.getByRole('dialog', { name: 'Change 24 channels' }).waitFor();
    await atRest(page);
    await photograph(page, 'phone-bulk-dialog');
    await page.keyboard.press('Escape');
    await page.setViewportSize(wide);
  });

  it('looks right in every look', async () => {
    for (const [theme, language, viewport] of variants) {
      if (viewport === phone) continue;
      await page.goto(`${site.url}/token`);
      await chooseLook(page, theme, language);
      await page.goto(`${site.url}/channel?tag=east`);
      await page.getByRole('row', { name: /many/ }).first().waitFor();
      await page.locator('thead input[type=checkbox]').check();
      await atRest(page);
      await photograph(page, `bulk-bar-${theme}-${language}`);
      await page.getByRole('toolbar').getByRole('button').nth(1).click();
      await dialog().waitFor();
      await atRest(page);
      await photograph(page, `bulk-dialog-${theme}-${language}`);
      await page.keyboard.press('Escape');
      await page.goto(`${site.url}/user`);
      await page.getByRole('row', { name: /bob/ }).waitFor();
      await atRest(page);
      await photograph(page, `users-${theme}-${language}`);
    }
  });
});
