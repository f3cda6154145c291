// Covers src/ui/routes/redemption.
/**
 * Redemption codes and invites in a real browser: what an administrator and a customer do with
 * them.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest } from '../support/page-checks.ts';
import { chooseLook, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

const codeText = /^[0-9a-f]{32}$/;

describe.skipIf(!hasTool('browser'))('codes and invites', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await site.open({
      viewport: wide,
      locale: 'en-US',
      permissions: ['clipboard-read', 'clipboard-write'],
      acceptDownloads: true,
    });
    await page.addInitScript(() => {
      if (localStorage.getItem('i18nextLng') === null) localStorage.setItem('i18nextLng', 'en');
    });
  });
  afterAll(() => site?.close());

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  /** The row of one code, by its name and id. */
  const rowOf = (name: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `More actions for ${name}`, exact: true }) });
  const menuOf = async (name: string, item: string) => {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const redeem = (key: string) => site.api<number>('POST', '/api/user/topup', { key });

  it('creates codes from an empty list and offers them once, as text and to copy', async () => {
    await page.goto(`${site.url}/detail`);
    await page.getByRole('link', { name: 'Redemption codes' }).click();
    await page.getByText('No redemption codes yet').waitFor();
    await page.getByRole('button', { name: 'New codes' }).click();
    const drawer = page.getByRole('dialog', { name: 'New codes' });
    await drawer.getByLabel('Name').fill('Spring');
    await drawer.getByLabel('How many').fill('101');
    await drawer.getByRole('button', { name: '$5', exact: true }).click();
    await drawer.getByText('= $5.00').waitFor();
    await drawer.getByRole('button', { name: '1 week' }).click();
    await drawer.getByRole('button', { name: 'New codes' }).click();
    await drawer.getByText('Enter a whole number from 1 to 100').waitFor();
    await drawer.getByLabel('How many').fill('3');
    await drawer.getByRole('button', { name: 'New codes' }).click();

    const dialog = page.getByRole('dialog', { name: '3 codes created' });
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download text' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Spring.txt');
    const keys = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(keys).toHaveLength(3);
    for (const key of keys) expect(key).toMatch(codeText);
    await dialog.getByRole('button', { name: 'Copy 3 codes' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    expect((await clipboard()).split('\n')).toEqual(keys);
    await photograph(page, 'redemption-created-en-1440');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => row('Spring').count()).toBe(3);
    expect(await redeem(keys[0] ?? '')).toBe(2_500_000);
  });

  it('names a code without a name after its quota, and refuses a past expiry', async () => {
    await page.goto(`${site.url}/redemption?new=1`);
    const drawer = page.getByRole('dialog', { name: 'New codes' });
    await drawer.getByLabel('Expires').first().fill('2020-01-01T10:00:00');
    await drawer.getByRole('button', { name: 'New codes' }).click();
    await drawer.getByText('Choose a time in the future').waitFor();
    await drawer.getByRole('button', { name: 'Never' }).click();
    await drawer.getByRole('button', { name: 'New codes' }).click();
    await page
      .getByRole('dialog', { name: '1 code created' })
      .getByRole('button', { name: 'Done' })
      .click();
    await row('$0.20').first().waitFor();
  });

  it('shows who redeemed a code, and edits only unused ones', async () => {
    await page.goto(`${site.url}/redemption`);
    const used = rowOf('Spring #1');
    await used.getByText('Used').waitFor();
    expect(await used.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
    await used.getByRole('button', { name: /^View/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Spring #1' });
    await dialog.getByText('root · User #1').waitFor();
    await expect.poll(() => dialog.locator('code').first().textContent()).toMatch(codeText);
    await page.keyboard.press('Escape');
    await rowOf('Spring #2').getByRole('button', { name: /^Edit/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit code' });
    await drawer.getByLabel('Name').fill('Autumn');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await rowOf('Autumn #2').waitFor();
  });

  it('disables and enables, filters by status, finds a whole code', async () => {
    await menuOf('Spring #3', 'Disable');
    await rowOf('Spring #3').getByText('Disabled').waitFor();
    await page.goto(`${site.url}/redemption?status=2`);
    await rowOf('Spring #3').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await menuOf('Spring #3', 'Copy code');
    await expect.poll(clipboard).toMatch(codeText);
    const key = await clipboard();
    await menuOf('Spring #3', 'Enable');
    await page.getByText('No matching codes').waitFor();
    await page.goto(`${site.url}/redemption`);
    await page
      .getByRole('searchbox')
      .or(page.getByRole('textbox', { name: 'Id, name or code' }))
      .first()
      .fill(key);
    await page.waitForURL(/q=/);
    await rowOf('Spring #3').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
  });

  it('copies the selected codes, deletes one, and deletes what cannot be redeemed', async () => {
    await page.goto(`${site.url}/redemption`);
    await page.getByRole('checkbox', { name: 'Select Autumn #2' }).click();
    await page.getByRole('checkbox', { name: 'Select Spring #3' }).click();
    await page.getByRole('button', { name: 'Copy selected codes' }).click();
    await page.getByText('Copied 2 codes').waitFor();
    await expect
      .poll(() => clipboard())
      .toMatch(/^(Autumn|Spring)\t[0-9a-f]{32}\n(Autumn|Spring)\t[0-9a-f]{32}$/);
    await menuOf('Spring #3', 'Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete code' }).click();
    await rowOf('Spring #3').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete invalid codes' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete all invalid codes?' });
    await question.getByText(/^\d used, \d disabled and \d expired codes are deleted/).waitFor();
    await question.getByRole('button', { name: 'Delete 1 invalid code' }).click();
    await page.getByText('Deleted 1 invalid code').waitFor();
    await rowOf('Spring #1').waitFor({ state: 'detached' });
    await rowOf('Autumn #2').waitFor();
  });

  it('shows invite link and earnings, and moves them to the balance', async () => {
    await site.api('PUT', '/api/option/', { key: 'QuotaForInviter', value: '1500000' });
    const aff_code = await site.api<string>('GET', '/api/user/aff');
    for (const username of ['ann', 'bob']) {
      await site.api('POST', '/api/user/register', {
        username,
        password: 'a-long-password',
        aff_code,
      });
    }
    const before = (await site.api<{ quota: number }>('GET', '/api/user/self')).quota;
    await page.goto(`${site.url}/detail`);
    await page.getByRole('button', { name: /account menu/i }).click();
    await page.getByRole('menuitem', { name: 'Personal settings' }).click();
    await page.waitForURL('**/personal');
    const card = page.getByRole('region', { name: 'Invite' });
    await card.getByText('2 users').waitFor();
    await card.getByRole('button', { name: 'Copy the invite link' }).click();
    const link = `${site.url}/login?aff=${aff_code}`;
    await expect.poll(clipboard).toBe(link);
    await card.getByRole('button', { name: 'Transfer' }).click();
    const dialog = page.getByRole('dialog', { name: /Transfer invite earnings/ });
    const amount = dialog.getByLabel('Quota to transfer').first();
    await amount.fill('499999');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog.getByText('The minimum is $1.00').waitFor();
    await amount.fill('3000001');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog.getByText('Insufficient invite quota: at most $6.00').waitFor();
    await photograph(page, 'personal-transfer-en-1440');
    await amount.fill('2500000');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await page.getByText('Transferred $5.00 to the balance').waitFor();
    await card.getByText('$1.00', { exact: true }).waitFor();
    expect(await site.api('GET', '/api/user/self')).toMatchObject({
      quota: before + 2_500_000,
      aff_quota: 500_000,
      aff_history_quota: 3_000_000,
    });
  });

  it('is a screen for administrators only; customers have their personal settings', async () => {
    const customer = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await customer.goto(`${site.url}/login`);
    await customer.evaluate(() => localStorage.setItem('i18nextLng', 'en'));
    await customer.reload();
    await customer.locator('input[autocomplete="username"]').fill('ann');
    await customer.locator('input[type="password"]').fill('a-long-password');
    await customer.locator('button[type="submit"]').click();
    await customer.waitForURL('**/personal');
    expect(await customer.getByRole('link', { name: 'Redemption codes' }).count()).toBe(0);
    await customer.goto(`${site.url}/redemption`);
    await customer
      .getByText('You cannot view this page')
      .or(customer.getByText(/permission/))
      .first()
      .waitFor();
    await customer.goto(`${site.url}/personal`);
    await customer.getByRole('heading', { name: 'ann' }).waitFor();
    expect(await customer.getByRole('button', { name: 'Transfer' }).isDisabled()).toBe(true);
    await customer.context().close();
  });

  it.each(variants)('is photographed: %s, %s', async (theme, language, viewport) => {
    await site.api('POST', '/api/redemption/', {
      name: `春节活动 ${theme}`,
      quota: 5_000_000,
      count: 6,
    });
    await page.setViewportSize(viewport);
    for (const path of ['redemption', 'redemption?new=1', 'personal']) {
      await chooseLook(page, theme, language);
      await page.goto(`${site.url}/${path}`);
      await atRest(page);
      const name = path.replace('?new=1', '-new');
      await photograph(page, `${name}-${theme}-${language}-${viewport.width}`);
      // Nothing is wider than the window.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
    }
  });
});
