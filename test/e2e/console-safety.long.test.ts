// Covers src/ui/routes/not-found.
/**
 * Hostile names and texts in every screen, and failures as readers meet them
 * (docs/rules/security.md#hostile-texts).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest } from '../support/page-checks.ts';
import { hasTool } from '../support/tools.ts';

const run = 'window.top.hit=1';
/** Each would run a script, or turn the text around it, where it is drawn as anything but text. */
const hostile = `"><img src=x onerror=${run}><svg onload=${run}><script>${run}</script>\u202eevil\u2066`;
const hostileLink = `javascript:${run}`;

describe.skipIf(!hasTool('browser'))('the console is safe', () => {
  let site: ConsoleSite;
  let page: Page;
  const alarms: string[] = [];

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await site.open({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    await page.addInitScript(() => {
      if (localStorage.getItem('i18nextLng') === null) localStorage.setItem('i18nextLng', 'en');
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        console.error(`policy: ${effectiveDirective} ${blockedURI}`),
      );
    });
    page.on('dialog', (dialog) => {
      alarms.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => alarms.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.text().startsWith('policy:')) alarms.push(message.text());
    });
  });
  afterAll(() => site?.close());

  it('names and texts that attack run in no screen', async () => {
    const write = (key: string, value: string) => site.api('PUT', '/api/option/', { key, value });
    const model = hostile.replaceAll(' ', '/');
    await site.api('POST', '/api/channel/', {
      name: hostile,
      tag: hostile,
      type: 1,
      key: 'sk-a\nsk-b',
      setting: '{"multi_key_mode":"random"}',
      base_url: site.upstream.url,
      models: `${model},${siteModel}`,
      group: 'default',
    });
    await site.api('POST', '/api/token/', {
      name: hostile.slice(0, 50),
      remain_quota: 5,
      unlimited_quota: false,
    });
    await site.api('POST', '/api/redemption/', { name: hostile.slice(0, 20), quota: 1 });
    await site.api('POST', '/api/user/', {
      username: '<b>eve</b>',
      password: 'a-long-password',
      display_name: '<img/src=x>',
    });
    await write('ModelRatio', JSON.stringify({ [model]: 1, [siteModel]: 1 }));
    await site.chat(model);
    for (const key of ['Notice', 'Footer', 'About', 'HomePageContent', 'SystemName'])
      await write(key, hostile);
    await expect(write('Logo', hostileLink)).rejects.toThrow(/Logo/);
    await write('UserUsableGroups', JSON.stringify({ default: hostile }));

    const paths = [
      '/',
      '/about',
      '/pricing',
      '/model_square',
      '/detail',
      '/token',
      '/log',
      '/topup',
      '/topup/history',
      '/statement',
      '/channel',
    ];
    const admin = [
      '/channel?tags=1',
      '/redemption',
      '/model_square_management',
      '/user',
      '/personal',
      '/setting?tab=operation',
      '/setting?tab=other',
    ];
    // The notice opens by itself on the first page that has the time to.
    await page.goto(`${site.url}/about`);
    const notice = page.getByRole('dialog', { name: 'Notice' });
    await notice.getByRole('button', { name: 'Got it' }).click();
    await notice.waitFor({ state: 'detached' });
    for (const path of [...paths, ...admin, '/nowhere']) {
      await page.goto(site.url + path);
      await page.locator('main').waitFor();
      await atRest(page);
      expect(
        await page
          .locator('main :is(script, a[href^="javascript"], img[src="x"][onerror])')
          .count(),
        path,
      ).toBe(0);
      expect(await page.evaluate(() => (window as { hit?: number }).hit), path).toBeUndefined();
    }
    // What opens on demand: drawers, menus, details, the questions of dialogs.
    await page.goto(`${site.url}/channel?edit=2`);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${site.url}/channel?q=evil`);
    await page.locator('tr[data-row="0"] button').last().click();
    await page.getByRole('menuitem', { name: 'Keys…' }).click();
    await page.getByRole('dialog').getByText('#2').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable key 2' }).click();
    await page.getByRole('dialog').getByText('Disabled by hand').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Enable key 2' }).click();
    await page.getByRole('dialog').getByText('Disabled by hand').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.goto(`${site.url}/log`);
    await page.locator('tr[data-row="0"]').click();
    await atRest(page);
    expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
    expect(alarms).toEqual([]);
    for (const [key, value] of [
      ['Notice', ''],
      ['Footer', ''],
      ['HomePageContent', ''],
      ['SystemName', 'Turnpike'],
    ] as const)
      await write(key, value);
  });

  describe('failures', () => {
    /** The next call that changes something is answered with a status. */
    const answerWith = (status: number, body: object | string = '') =>
      page.route(
        '**/api/channel/fix',
        (route) =>
          route.fulfill({
            status,
            contentType: 'application/json',
            body: typeof body === 'string' ? body : JSON.stringify(body),
          }),
        { times: 1 },
      );
    const fix = async () => {
      await page.goto(`${site.url}/channel`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('button', { name: 'More actions', exact: true }).first().click();
      await page.getByRole('menuitem', { name: 'Rebuild the routing table' }).click();
    };

    it.each([
      [405, '', 'This site is a demo only, without a backend'],
      [429, { success: false, message: '' }, 'Too many requests, try again later'],
      [500, { error: { message: 'x' } }, 'Internal server error, contact the administrator'],
      [503, { success: false, message: 'Closed for lunch' }, 'Closed for lunch'],
      [200, { success: false, message: 'It is forbidden' }, 'It is forbidden'],
      [200, '<html>', 'Something went wrong, please try again later'],
    ])('%i %j', async (status, body, text) => {
      await answerWith(status, body);
      await fix();
      await page.getByRole('alert').getByText(text).waitFor();
    });

    it('no network: the banner names it, and the page recovers', async () => {
      await page.goto(`${site.url}/channel`);
      await page.locator('tr[data-row="0"]').waitFor();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByRole('alert').first().waitFor();
      await page.context().setOffline(false);
      await page.getByRole('alert').first().waitFor({ state: 'detached' });
    });

    it('an expired login: cookie and storage are cleared, and the login page says why', async () => {
      // No page of the console is open meanwhile, which would notice by itself.
      await page.goto('about:blank');
      const [session] = (await page.context().cookies()).filter(({ name }) => name === 'session');
      expect(session).toBeDefined();
      await page.context().addCookies(
        [{ ...session, name: 'session', value: 'gone' }].map((cookie) => ({
          ...cookie,
          path: '/',
        })),
      );
      await page.goto(`${site.url}/log`);
      await page.waitForURL('**/login?expired=true');
      await page.getByText('Not logged in or login expired, please log in again').first().waitFor();
      expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();
      expect((await page.context().cookies()).filter(({ name }) => name === 'session')).toEqual([]);
    });
  });
});
