// Covers src/ui/routes/audit, src/ui/routes/node.
/** The audit log in a real browser: what administrators changed can be found and read. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { violations } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

const password = 'a-long-password';

describe.skipIf(!hasTool('browser'))('the audit log', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await site.open({ viewport: wide, locale: 'en-US' });
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    await site.api('PUT', '/api/option/', { key: 'SystemName', value: 'Mountain gate' });
    await site.api('PUT', '/api/option/', { key: 'SMTPToken', value: 'mail-secret-1' });
    await site.api('POST', '/api/user/', { username: 'ann', password });
    await site.api('PUT', '/api/channel/', {
      id: 1,
      name: 'renamed',
      key: 'sk-channel-secret',
      priority: 7,
    });
    await site.api('POST', '/api/user/manage', { id: 2, action: 'promote' });
  });
  afterAll(() => site?.close());

  const rows = () => page.getByRole('row').filter({ has: page.locator('td') });

  it('stands in the sidebar, newest first, and opens on what changed', async () => {
    await page.goto(`${site.url}/channel`);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await rows().first().filter({ hasText: 'root made user ann an administrator' }).waitFor();
    await rows()
      .filter({ hasText: 'edited channel' })
      .getByRole('button', { name: /^Details/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^root edited channel/ });
    await dialog.getByRole('row', { name: 'name main renamed' }).waitFor();
    await dialog.getByRole('row', { name: 'priority 0 7' }).waitFor();
    await dialog.getByRole('row', { name: 'key Changed (values are not kept)' }).waitFor();
    await photograph(page, 'audit-dialog-light-en');
    await page.keyboard.press('Escape');
    expect(await page.content()).not.toMatch(/mail-secret|channel-secret/);
  });

  it('is filtered by the address: actor, action and target', async () => {
    for (const [query, text, count] of [
      ['action=option.', 'System name', 2],
      ['action=user.&target=2', 'an administrator', 2],
      ['target=SMTPToken', 'SMTP password', 1],
      ['text=made%20ANN', 'made user ann an administrator', 1],
    ] as const) {
      await page.goto(`${site.url}/audit?${query}`);
      await rows().filter({ hasText: text }).first().waitFor();
      expect([query, await rows().count()]).toEqual([query, count]);
    }
    await page.goto(`${site.url}/audit?actor=nobody`);
    await page.getByText('No entry matches').waitFor();
  });

  it('is saved as CSV, as it is filtered', async () => {
    await page.goto(`${site.url}/audit?action=user.`);
    await rows().first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toContain('made user ann an administrator');
    expect(text).not.toContain('option.set');
  });

  it('is for the super admin alone', async () => {
    const admin = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await admin.goto(`${site.url}/login`);
    await admin.locator('input[autocomplete="username"]').fill('ann');
    await admin.locator('input[type="password"]').fill(password);
    await admin.locator('button[type="submit"]').click();
    await admin.waitForURL((url) => !url.pathname.startsWith('/login'));
    expect(await admin.getByRole('link', { name: /Audit log|审计日志/ }).count()).toBe(0);
    await admin.context().close();
  });

  it('tells who drained a gateway, which its own screen shows in all looks', async () => {
    await page.setViewportSize(wide);
    await page.goto(`${site.url}/node`);
    await rows()
      .first()
      .getByRole('button', { name: /^Drain/ })
      .click();
    const question = page.getByRole('alertdialog', { name: /^Drain http/ });
    await question.getByText('No other gateway takes requests at present').waitFor();
    await question.getByRole('button', { name: 'Drain' }).click();
    await rows().first().getByText('Draining').waitFor();
    expect((await page.request.get(`${site.url}/readyz`)).status()).toBe(503);
    for (const [theme, language, viewport] of variants) {
      await page.setViewportSize(viewport);
      await chooseLook(page, theme, language);
      await page.goto(`${site.url}/node`);
      await page
        .getByText(/^(Draining|Empty|排空中|已空闲)$/)
        .first()
        .waitFor();
      await photograph(page, `node-${theme}-${language}-${viewport.width}`);
      expect(await violations(page)).toEqual([]);
    }
    await page.setViewportSize(wide);
    await chooseLook(page, 'light', 'en');
    await page.goto(`${site.url}/node`);
    await rows()
      .first()
      .getByRole('button', { name: /^Resume/ })
      .click();
    await rows().first().getByText('Serving').waitFor();
    await page.goto(`${site.url}/audit?action=node.`);
    await rows().first().filter({ hasText: 'root resumed gateway' }).waitFor();
    await rows().nth(1).filter({ hasText: 'root drained gateway' }).waitFor();
  });

  it('old logs can also be deleted beside the log settings', async () => {
    await page.goto(`${site.url}/setting?tab=operation`);
    await page.getByRole('button', { name: 'Delete old logs' }).click();
    await page
      .getByRole('dialog', { name: 'Delete old logs' })
      .getByLabel('Delete logs before')
      .waitFor();
  });

  it.each(variants)('is photographed: %s, %s', async (theme, language, viewport) => {
    await page.setViewportSize(viewport);
    await chooseLook(page, theme, language);
    await page.goto(`${site.url}/audit`);
    await page
      .getByText(/System name|系统名称/)
      .first()
      .waitFor();
    await photograph(page, `audit-${theme}-${language}-${viewport.width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    if (viewport !== phone) return;
    await page.getByRole('button', { name: /edited channel|编辑了渠道/ }).click();
    await page.getByRole('menuitem', { name: /^(Details|详情)$/ }).click();
    await page.getByRole('dialog').waitFor();
    await photograph(page, `audit-dialog-${theme}-${language}-390`);
  });
});
