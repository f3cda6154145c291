/**
 * User management in a real browser: what administrators do to accounts, and what their owners
 * notice.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';

const password = 'a-long-password';

interface Found {
  readonly items: readonly {
    readonly id: number;
    readonly quota: number;
    readonly role: number;
    readonly status: number;
  }[];
}

describe.skipIf(!hasTool('browser'))('users', () => {
  let site: ConsoleSite;
  let page: Page;

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await inEnglish('root');
  });
  afterAll(() => site?.close());

  const inEnglish = async (who: 'root' | 'visitor') => {
    const opened = await site.open({ viewport: wide, locale: 'en-US' }, who);
    await opened.addInitScript(() => {
      if (localStorage.getItem('i18nextLng') === null) localStorage.setItem('i18nextLng', 'en');
    });
    return opened;
  };
  const signIn = async (username: string, secret = password) => {
    const window = await inEnglish('visitor');
    await window.goto(`${site.url}/login`);
    await window.locator('input[autocomplete="username"]').fill(username);
    await window.locator('input[type="password"]').fill(secret);
    await window.locator('button[type="submit"]').click();
    return window;
  };
  /** The row of a user, by the name of its menu. */
  const rowOf = (name: string, on = page) =>
    on
      .getByRole('row')
      .filter({ has: on.getByRole('button', { name: `More actions for ${name}`, exact: true }) });
  const choose = async (name: string, item: string, on = page) => {
    await on.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
    await on.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const confirm = async (button: string) => {
    await page.getByRole('alertdialog').getByRole('button', { name: button }).click();
  };
  const find = async (name: string) =>
    (await site.api<Found>('GET', `/api/user/search?keyword=${name}`)).items[0];

  it('adds a user, who can sign in; a taken name is refused at its field', async () => {
    await page.goto(`${site.url}/detail`);
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('button', { name: 'Add user' }).click();
    const drawer = page.getByRole('dialog', { name: 'Add user' });
    await drawer.getByLabel('Username').fill('Root');
    await drawer.getByLabel('Password').first().fill(password);
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await drawer.getByText('The username is taken or belonged to a deactivated account').waitFor();
    await drawer.getByLabel('Username').fill('ann');
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await page.getByText('User added').waitFor();
    await rowOf('ann').getByText('Regular user').waitFor();
    const ann = await signIn('ann');
    await ann.waitForURL('**/personal');
    await ann.context().close();
  });

  it('edits name, group and password, and finds the user by name and group', async () => {
    await rowOf('ann').getByRole('button', { name: /^Edit/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit user' });
    await drawer.getByLabel('Display name').fill('Ann Lee');
    await drawer.getByLabel('Password').first().fill('another-long-password');
    await drawer.getByLabel('Group').first().click();
    await page.getByRole('option', { name: 'vip', exact: true }).click();
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('User saved').waitFor();
    await page.goto(`${site.url}/user?q=lee&group=vip`);
    await rowOf('ann').getByText('vip').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await page.goto(`${site.url}/user?q=lee&group=default`);
    await page.getByText('No matching users').waitFor();
    const ann = await signIn('ann', 'another-long-password');
    await ann.waitForURL('**/personal');
    await ann.context().close();
  });

  it('adds quota and takes it away; each is an entry of the statement', async () => {
    await page.goto(`${site.url}/user`);
    const before = (await find('ann'))?.quota ?? 0;
    for (const [amount, worth] of [
      ['5000000', '= $10.00'],
      ['-1500000', '= −$3.00'],
    ] as const) {
      await rowOf('ann')
        .getByRole('button', { name: /^Adjust quota/ })
        .click();
      const dialog = page.getByRole('dialog', { name: 'Adjust the quota of “ann”' });
      await dialog.getByLabel('Quota to add').first().fill(amount);
      await dialog.getByText(worth).waitFor();
      if (amount.startsWith('-')) await photograph(page, 'user-quota-en-1440');
      await dialog.getByRole('button', { name: 'Adjust quota' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    expect((await find('ann'))?.quota).toBe(before + 3_500_000);
    await choose('ann', 'Statement');
    await page.waitForURL(/\/statement\?user=\d+$/);
    await page.getByText('Adjustments').first().waitFor();
    await page.goto(`${site.url}/user`);
    await choose('ann', 'Usage logs');
    await page.waitForURL(/\/log\?user=ann&time=all$/);
    await page.getByRole('row').filter({ hasText: 'Admin' }).first().waitFor();
  });

  it('bans a user whose open window is signed out at once, and lifts the ban', async () => {
    const ann = await signIn('ann', 'another-long-password');
    await ann.waitForURL('**/personal');
    await page.goto(`${site.url}/user`);
    await choose('ann', 'Ban');
    await confirm('Ban user');
    await rowOf('ann').getByText('Banned').waitFor();
    await ann.goto(`${site.url}/token`);
    await ann.waitForURL(/\/login/);
    await ann.locator('input[autocomplete="username"]').fill('ann');
    await ann.locator('input[type="password"]').fill('another-long-password');
    await ann.locator('button[type="submit"]').click();
    await ann.getByText('Wrong username or password, or the account is banned').first().waitFor();
    await choose('ann', 'Unban');
    await confirm('Unban user');
    await rowOf('ann').getByText('Active').waitFor();
    await ann.locator('button[type="submit"]').click();
    await ann.waitForURL(/\/(detail|token)/);
    await ann.context().close();
  });

  it('promotes an admin, who cannot touch colleagues, and demotes again without ending the login', async () => {
    await choose('ann', 'Promote to admin');
    await confirm('Promote to admin');
    await rowOf('ann').getByText('Admin', { exact: true }).waitFor();
    const ann = await signIn('ann', 'another-long-password');
    await ann.waitForURL('**/personal');
    await ann.getByRole('link', { name: 'Users', exact: true }).click();
    await rowOf('root', ann).waitFor();
    for (const name of ['root', 'ann']) {
      expect(
        await rowOf(name, ann)
          .getByRole('button', { name: /^(Edit|Adjust)/ })
          .count(),
      ).toBe(0);
    }
    // A link to the form of somebody above is refused by the server.
    await ann.goto(`${site.url}/user?edit=1`);
    await ann.getByText('You cannot view users of your own level or above').waitFor();
    await choose('ann', 'Demote to regular user');
    await confirm('Demote to regular user');
    await rowOf('ann').getByText('Regular user').waitFor();
    await ann.goto(`${site.url}/user`);
    await ann.getByText('You cannot see this page').waitFor();
    await ann.goto(`${site.url}/token`);
    await ann
      .getByRole('heading', { name: /tokens/i })
      .first()
      .waitFor();
    await ann.context().close();
  });

  it('shows the refusal when somebody else was faster', async () => {
    await page.goto(`${site.url}/user`);
    await rowOf('ann').waitFor();
    await site.api('POST', '/api/user/manage', { id: (await find('ann'))?.id, action: 'promote' });
    await choose('ann', 'Promote to admin');
    await confirm('Promote to admin');
    await page.getByText('The user is already an admin').waitFor();
    await rowOf('ann').getByText('Admin', { exact: true }).waitFor();
  });

  it('deactivates for good: no more actions, no more sign-in', async () => {
    await choose('ann', 'Deactivate');
    await confirm('Deactivate user');
    await rowOf('ann').getByText('Deactivated').waitFor();
    expect(
      await rowOf('ann')
        .getByRole('button', { name: /^(Edit|Adjust)/ })
        .count(),
    ).toBe(0);
    await page.getByRole('button', { name: 'More actions for ann', exact: true }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual(['Usage logs', 'Statement']);
    await page.keyboard.press('Escape');
    const ann = await signIn('ann', 'another-long-password');
    await ann.getByText('Wrong username or password, or the account is banned').first().waitFor();
    await ann.context().close();
  });

  it('shows ten per page', async () => {
    for (let n = 1; n <= 11; n++) {
      const display_name = n % 3 === 0 ? `客户 ${n}` : '';
      await site.api('POST', '/api/user/', {
        username: `user${n}`,
        password,
        display_name,
        quota: n * 700_000,
      });
    }
    await page.goto(`${site.url}/user`);
    await rowOf('user11').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(11);
    await page.getByRole('button', { name: /Next page/ }).click();
    await rowOf('root').waitFor();
  });

  it.each(variants)('is photographed: %s, %s', async (theme, language, viewport) => {
    await page.setViewportSize(viewport);
    for (const path of ['user', 'user?new=1', 'user?edit=1']) {
      await chooseLook(page, theme, language);
      await page.goto(`${site.url}/${path}`);
      await atRest(page);
      const name = path.replace('?', '-').replace('=1', '');
      await photograph(page, `${name}-${theme}-${language}-${viewport.width}`);
      // Nothing is wider than the window.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
        viewport.width,
      );
    }
    if (viewport !== phone) return;
    await page.goto(`${site.url}/user`);
    await page
      .getByRole('button', { name: /^(More actions for user11|user11 的更多操作)$/ })
      .click();
    await page.getByRole('menuitem', { name: /^(Adjust quota|调整额度)$/ }).click();
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await photograph(page, `user-quota-${theme}-${language}-390`);
    expect(await smallTargets(page, '[role="dialog"]')).toEqual([]);
  });
});
