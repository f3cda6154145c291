// Covers src/ui/routes/statement.
/** Export and deletion of usage logs, and the statement, in a browser. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { holdRequests } from '../support/held-requests.ts';
import { atRest } from '../support/page-checks.ts';
import { phone, photograph, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('usage logs and statement', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    await site.chat(siteModel);
    await site.chat(siteModel);
    page = await site.open({ viewport: wide, acceptDownloads: true });
    await page.goto(`${site.url}/log`);
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'));
  });
  afterAll(() => site?.close());

  const openFromMenu = async (item: string) => {
    await page.goto(`${site.url}/log`);
    await page.locator('tr[data-row="0"]').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  it('exports what the filters select', async () => {
    await openFromMenu('Export logs');
    const dialog = page.getByRole('dialog', { name: 'Export usage logs' });
    await photograph(page, 'log-export-light-en');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('usage-logs.csv');
    const text = readFileSync(await file.path(), 'utf8');
    expect(text.startsWith('\uFEFFid,time,type')).toBe(true);
    expect(text.split('\r\n').filter((line) => line.includes(`,${siteModel},`))).toHaveLength(2);
    await page.getByText('Saved usage-logs.csv').waitFor();
    await dialog.waitFor({ state: 'detached' });
  });

  it('a cancelled export saves nothing', async () => {
    await openFromMenu('Export logs');
    const rows = await holdRequests(page, '**/api/turnpike/log/export**');
    const downloads: unknown[] = [];
    page.on('download', (file) => downloads.push(file));
    const dialog = page.getByRole('dialog', { name: 'Export usage logs' });
    await dialog.getByRole('button', { name: 'Export' }).click();
    await dialog.getByRole('status').getByText('Preparing').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await rows.release();
    await atRest(page);
    expect(downloads).toEqual([]);
  });

  it('exports activity by day, token and model of any range', async () => {
    await openFromMenu('Export activity');
    const dialog = page.getByRole('dialog', { name: 'Export activity' });
    await dialog.getByLabel('From').fill('2020-01-01');
    await photograph(page, 'activity-export-light-en');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    const [head, line, ...rest] = text.split('\r\n');
    expect(head).toMatch(/^\uFEFFdate,user_id,username,token_id,token,model,requests,/);
    expect(line).toMatch(
      new RegExp(`^\\d{4}-\\d\\d-\\d\\d,1,root,1,app,${siteModel},2,2000,1000,`),
    );
    expect(rest).toEqual(['']);
    await dialog.waitFor({ state: 'detached' });
  });

  it('deletes old logs after a question that names how many', async () => {
    await openFromMenu('Delete old logs');
    const dialog = page.getByRole('dialog', { name: 'Delete old logs' });
    const time = dialog.getByLabel('Delete logs before');
    await expect.poll(() => time.inputValue()).toMatch(/^\d{4}-\d\d-\d\dT/);
    await dialog.getByText('0 logs').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete old logs' }).isDisabled()).toBe(true);
    await time.fill('');
    await dialog.getByRole('button', { name: 'Delete old logs' }).click();
    await dialog.getByText('Select the log retention time').waitFor();
    await time.fill('2999-01-01T00:00:00');
    await dialog.getByText('Must not be in the future').waitFor();
    /** Of the field: a time before now. */
    const ago = (ms: number) =>
      page.evaluate((before) => {
        const at = new Date(Date.now() - before);
        const pad = (value: number) => String(value).padStart(2, '0');
        return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
      }, ms);
    const question = page.getByRole('alertdialog', { name: /^Delete \d+ logs\?$/ });
    /** Asks while the number is not known yet; resolves with what lets it be known. */
    const askEarly = async (before: string) => {
      const count = await holdRequests(page, '**/api/log/?*');
      await time.fill(before);
      await dialog.getByRole('button', { name: 'Delete old logs' }).click();
      await count.first;
      return count;
    };
    // Who leaves meanwhile is not asked any more.
    const countLate = await askEarly(await ago(2000));
    await photograph(page, 'log-prune-counting-light-en');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await countLate.release();
    await atRest(page);
    expect(await question.count()).toBe(0);
    await openFromMenu('Delete old logs');
    const countNow = await askEarly(await ago(500));
    await countNow.release();
    await question.waitFor();
    await photograph(page, 'log-prune-light-en');
    await question.getByRole('button', { name: /^Delete \d+ logs$/ }).click();
    await page.getByText(/\d+ logs deleted/).waitFor();
    const { items } = await site.api<{ items: readonly { type: number }[] }>(
      'GET',
      '/api/log/?type=2',
    );
    expect(items).toEqual([]);
  });

  it('explains a balance: opening, what changed, closing', async () => {
    await page.goto(`${site.url}/log`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Statement' }).click();
    await page.getByRole('heading', { name: 'Statement' }).waitFor();
    await page.getByText('Opening balance + all changes = closing balance').waitFor();
    const usage = page.getByRole('row', { name: /Charges/ });
    await expect.poll(() => usage.innerText()).toMatch(/\b2\b/);
    await page.getByRole('button', { name: 'Show details: Charges' }).click();
    await page.getByRole('cell', { name: siteModel }).waitFor();
    await photograph(page, 'statement-light-en');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^statement-1-\d{4}-\d{2}\.csv$/);
    await page.setViewportSize(phone);
    await photograph(page, 'statement-light-en-390');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      phone.width,
    );
    await page.setViewportSize(wide);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').count()).toBe(0);
    await photograph(page, 'statement-print');
    await page.emulateMedia({ media: 'screen' });
  });
});
