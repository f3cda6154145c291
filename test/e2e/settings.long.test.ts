/** The settings of the built console in a browser (docs/rules/console.md#settings-screen). */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { panelPages } from '../../src/core/options/index.ts';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest, violations, visit } from '../support/page-checks.ts';
import { keepsPhotographs, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';

describe.skipIf(!hasTool('browser'))('the settings in a browser', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await startConsoleSite();
  });
  afterAll(() => site?.close());

  const open = async (path: string, viewport = wide, languageName = 'en', theme = 'light') => {
    const page = await site.open({ viewport });
    await page.addInitScript(
      ([language, mode]) => {
        localStorage.setItem('i18nextLng', language);
        localStorage.setItem('theme-mode', mode);
      },
      [languageName, theme] as const,
    );
    await page.goto(site.url + path);
    await page.locator('main section[id]').first().waitFor();
    return page;
  };
  const storedText = async (name: string) => {
    const rows = await site.api<{ key: string; value: string }[]>('GET', '/api/option/');
    return rows.find(({ key }) => key === name)?.value;
  };

  it('finds a setting by keys alone, on whichever tab it is, and its address opens it again', async () => {
    const page = await open('/setting');
    await page.keyboard.press('/');
    await page.keyboard.type('发件人');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Sender', { exact: true });
    await field.waitFor();
    await expect
      .poll(() => field.evaluate((element) => element === document.activeElement))
      .toBe(true);
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('?tab=system#SMTPFrom');
    const isInView = () =>
      field.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top > 100 && bottom < innerHeight;
      });
    await expect.poll(isInView).toBe(true);
    await page.reload();
    await field.waitFor();
    await expect.poll(isInView).toBe(true);
    // Prices are loaded late: the field is reached all the same.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search and go' }).waitFor();
    await page.keyboard.type('modelratio');
    await page.getByRole('option', { name: 'Model ratio', exact: false }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[id="ModelRatio"] .cm-content').waitFor();
    await expect
      .poll(() =>
        page.evaluate(() => document.activeElement?.closest('[id="ModelRatio"]') !== null),
      )
      .toBe(true);
    // Without its tab, too.
    await page.goto(`${site.url}/setting#operation.monitoring`);
    await page.getByRole('link', { name: 'Monitoring', exact: true }).first().waitFor();
    await expect
      .poll(() =>
        page
          .locator('[id="operation.monitoring"]')
          .evaluate((one) => one.getBoundingClientRect().top < 300),
      )
      .toBe(true);
    await page.context().close();
  });

  it('marks the section that was gone to, also where it can come no higher', async () => {
    const page = await open('/setting?tab=operation');
    const sections = page.getByRole('navigation', { name: 'Sections of this page' });
    const links = await sections.getByRole('link').all();
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      await link.click();
      await expect.poll(() => link.getAttribute('aria-current')).toBe('true');
    }
    await page.context().close();
  });

  it('shows the default beside a changed value, and goes back to it', async () => {
    const page = await open('/setting#RetryTimes');
    const field = page.getByLabel('Retries', { exact: true });
    await field.fill('7');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('dialog').getByText('+ 7').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('#RetryTimes').getByText('Default: 2').waitFor();
    await expect.poll(() => storedText('RetryTimes')).toBe('7');
    await page.getByRole('button', { name: 'Use the default of Retries' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => storedText('RetryTimes')).toBe('2');
    await page.context().close();
  });

  it('says in words what a switch needs, and flips it back', async () => {
    const page = await open('/setting#EmailVerificationEnabled');
    const control = page.getByRole('switch', { name: 'Require email verification to register' });
    await control.locator('..').click();
    await page.getByText('Fill in “SMTP server” (SMTPServer) first').waitFor();
    await expect.poll(() => control.isChecked()).toBe(false);
    await page.context().close();
  });

  it('names line and column of broken JSON, and stores nothing', async () => {
    const page = await open('/setting#GroupRatio');
    const editor = page.locator('#GroupRatio .cm-content');
    // Its place has the focus before.
    await expect
      .poll(() => editor.evaluate((element) => element === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"default": }');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Is not a valid JSON string (line 1, column').waitFor();
    expect(await storedText('GroupRatio')).toContain('"vip":1');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.context().close();
  });

  it('asks before password login is turned off', async () => {
    const page = await open('/setting#PasswordLoginEnabled');
    await page.getByRole('switch', { name: 'Password login', exact: true }).locator('..').click();
    await page.getByRole('alertdialog').getByText('administrators included').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await storedText('PasswordLoginEnabled')).toBe('true');
    await page.context().close();
  });

  it('an administrator below root reads them on every width, and changes none', async () => {
    const account = { username: 'reader', password: 'a-long-password' };
    await site.api('POST', '/api/user/', { ...account, display_name: 'Reader', role: 10 });
    const page = await site.open({ viewport: wide }, 'visitor');
    await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await page.goto(`${site.url}/login`);
    await page.getByLabel('Account', { exact: true }).fill(account.username);
    await page.locator('input[type="password"]').fill(account.password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname !== '/login');
    await visit(page, '/setting?tab=system');
    await page.getByText('Only the super admin can change them. Secrets are hidden.').waitFor();
    await page.locator('#SMTPToken').waitFor();
    expect(await page.locator('main [role="tabpanel"] input, main [role="switch"]').count()).toBe(
      0,
    );
    expect(await violations(page, { within: 'main' })).toEqual([]);
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await atRest(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      );
      if (width === 320) expect(await smallTargets(page, 'main')).toEqual([]);
      await photograph(page, `settings-read-${width}`);
    }
    await visit(page, '/setting#ModelRatio');
    await page.locator('[id="ModelRatio"] summary').click();
    await page.locator('[id="ModelRatio"]').getByText('"gpt-4o":').first().waitFor();
    await photograph(page, 'settings-read-prices');
    await page.context().close();
  });

  it.each(variants)(
    'every panel, %s, %s, %o: nothing is cut off, and it passes axe',
    async (theme, language, viewport) => {
      const page = await open('/setting', viewport, language, theme);
      for (const tab of panelPages) {
        await visit(page, `/setting?tab=${tab}`);
        const sections = page.locator('main section[id]');
        await sections.first().waitFor();
        // What is loaded when it comes into sight.
        for (const section of await sections.all()) await section.scrollIntoViewIfNeeded();
        await atRest(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
          true,
        );
        expect(await violations(page, { within: 'main' })).toEqual([]);
        if (viewport.width < 600 && tab === 'system')
          expect(await smallTargets(page, 'main')).toEqual([]);
        if (!keepsPhotographs) continue;
        const height = await page.locator('#content').evaluate((sheet) => sheet.scrollHeight);
        await page.setViewportSize({ ...viewport, height: height + 120 });
        await photograph(page, `settings-${tab}-${theme}-${language}-${viewport.width}`);
        await page.setViewportSize(viewport);
      }
      await page.context().close();
    },
  );
});
