// Covers src/ui/components/second-factor, src/ui/routes/login/second-factor,
// src/ui/routes/personal/second-factor.
/**
 * Two-step login in a real browser: authenticator app, passkeys of a virtual authenticator,
 * recovery codes, confirmation.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBase32, totpCode } from '../../src/core/accounts/factors/totp.ts';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';

const password = 'a-long-password';

describe.skipIf(!hasTool('browser'))('two-step login', () => {
  let site: ConsoleSite;
  /** Passkeys need a host name. */
  let home = '';
  let page: Page;
  let codes: readonly string[] = [];

  beforeAll(async () => {
    site = await startConsoleSite();
    home = site.url.replace('127.0.0.1', 'localhost');
    await site.api('PUT', '/api/option/', { key: 'ServerAddress', value: home });
    await site.api('POST', '/api/user/', { username: 'ann', password });
    page = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await page.addInitScript(() => {
      if (localStorage.getItem('i18nextLng') === null) localStorage.setItem('i18nextLng', 'en');
    });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });
  afterAll(() => site?.close());

  const enter = async (on = page, username = 'ann') => {
    await on.goto(`${home}/login`);
    await on.locator('input[autocomplete="username"]').fill(username);
    await on.locator('input[type="password"]').fill(password);
    await on.locator('button[type="submit"]').click();
  };
  const leave = async () => {
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.removeItem('user'));
  };
  const inside = () => page.waitForURL((url) => !url.pathname.startsWith('/login'));
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const panel = () => page.getByRole('region', { name: 'Two-step login' });
  const second = async () => page.waitForURL('**/login/second-factor');

  it('is set up with an app, and gives recovery codes once', async () => {
    await enter();
    await inside();
    await page.goto(`${home}/personal`);
    await panel().getByText('Off', { exact: true }).waitFor();
    await panel().getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Authenticator app' });
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await dialog.getByLabel('Code from the app').fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('The code is wrong or has expired').waitFor();
    await photograph(page, 'second-factor-setup');
    await dialog
      .getByLabel('Code from the app')
      .fill(totpCode(fromBase32(secret), Math.floor(Date.now() / 30_000)));
    await dialog.getByRole('button', { name: 'Turn on' }).click();

    const ticket = page.getByRole('dialog', { name: '10 recovery codes' });
    await ticket.waitFor();
    codes = await ticket.locator('code').allTextContents();
    expect(new Set(codes).size).toBe(10);
    await photograph(page, 'second-factor-codes');
    const download = page.waitForEvent('download');
    await ticket.getByRole('button', { name: 'Download' }).click();
    expect(readFileSync(await (await download).path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
    await ticket.getByRole('button', { name: 'I have saved them' }).click();
    await panel().getByText('On', { exact: true }).waitFor();
    await panel().getByText('10 left').waitFor();
  });

  it('a passkey is added, named, and signs in without a password', async () => {
    await panel().getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
    await page
      .getByRole('dialog', { name: 'Passkeys' })
      .getByRole('button', { name: 'Add' })
      .click();
    await panel().getByText('Not used yet').waitFor();
    await button('Rename laptop').click();
    await page.getByRole('textbox', { name: 'Name' }).fill('my laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await panel().getByRole('heading', { name: 'my laptop' }).waitFor();
    await leave();
    await page.goto(`${home}/login`);
    await photograph(page, 'login-passkey');
    await button('Log in with a passkey').click();
    await inside();
    await page.goto(`${home}/personal`);
    await panel()
      .getByText(/Used \d{4}-/)
      .waitFor();
  });

  it('a password leads to the second step: wrong code, recovery code, passkey; the page of origin stays', async () => {
    await leave();
    await enter();
    await second();
    await page.getByLabel('Code').fill('000000');
    await button('Log in').click();
    await page.getByRole('alert').getByText('The code is wrong or has expired').waitFor();
    await page.getByLabel('Code').fill(codes[0] ?? '');
    await button('Log in').click();
    await inside();

    await leave();
    await page.goto(`${home}/token`);
    await page.waitForURL('**/login**');
    await page.locator('input[autocomplete="username"]').fill('ann');
    await page.locator('input[type="password"]').fill(password);
    await page.locator('button[type="submit"]').click();
    await second();
    await button('Use a passkey').click();
    await page.waitForURL('**/token');

    // Without a challenge there is no second step.
    await leave();
    await page.goto(`${home}/login/second-factor`);
    await page.waitForURL((url) => url.pathname === '/login');
  });

  it('something sensitive is confirmed, and then done; who leaves the question changes nothing', async () => {
    await enter();
    await second();
    await button('Use a passkey').click();
    await inside();
    await page.goto(`${home}/personal`);
    let refusals = 2;
    await page.route('**/second-factor/recovery-codes', async (route) => {
      refusals -= 1;
      if (refusals < 0) return route.continue();
      const data = { methods: ['totp', 'passkey', 'recovery'] };
      return route.fulfill({
        json: { success: false, message: 'Confirm first', code: 'step_up_required', data },
      });
    });
    const renew = async () => {
      await panel().getByRole('button', { name: 'Make new ones' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Make new ones' }).click();
      await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    };
    await renew();
    await photograph(page, 'step-up');
    await page.keyboard.press('Escape');
    await page.getByText('Confirm first').waitFor();
    await renew();
    await page.getByLabel('Code').fill('000000');
    await button('Confirm').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await button('Use a passkey').click();
    const ticket = page.getByRole('dialog', { name: '10 recovery codes' });
    await ticket.waitFor();
    expect(await ticket.locator('code').first().textContent()).not.toBe(codes[0]);
    await button('I have saved them').click();
  });

  it('looks right', async () => {
    for (const [theme, language, viewport] of variants) {
      const name = `${theme}-${language}-${viewport.width}`;
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate((next) => localStorage.setItem('i18nextLng', next), language);
      await page.goto(`${home}/personal`);
      await page.locator('#second-factor').scrollIntoViewIfNeeded();
      await page.getByRole('heading', { name: 'my laptop' }).waitFor();
      await photograph(page, `second-factor-${name}`, { fullPage: true });
      if (viewport === phone) expect(await smallTargets(page)).toEqual([]);
      const other = await site.open({ viewport, colorScheme: theme }, 'visitor');
      await other.addInitScript((next) => localStorage.setItem('i18nextLng', next), language);
      await enter(other);
      await other.waitForURL('**/login/second-factor');
      await other.getByRole('heading', { level: 1 }).waitFor();
      await photograph(other, `second-step-${name}`);
      if (viewport === phone) expect(await smallTargets(other)).toEqual([]);
      await other.context().close();
    }
    await page.setViewportSize(wide);
    await page.evaluate(() => localStorage.setItem('i18nextLng', 'en'));
  });

  it('an administrator is urged, and resets who has lost everything', async () => {
    const root = await site.open({ viewport: wide, locale: 'en-US' });
    await root.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await root.goto(`${site.url}/personal`);
    await root.getByRole('note').getByText('You are an administrator').waitFor();
    await photograph(root, 'second-factor-urged');
    await root.goto(`${site.url}/user`);
    const menu = root.getByRole('button', { name: 'More actions for ann', exact: true });
    await root
      .getByRole('row')
      .filter({ has: menu })
      .getByRole('button', { name: /^Edit/ })
      .click();
    await root.getByRole('button', { name: 'Reset two-step login' }).click();
    await photograph(root, 'second-factor-reset');
    await root
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Reset two-step login' })
      .click();
    await root.getByText('Two-step login of ann reset').waitFor();
    await leave();
    await enter();
    await inside();
  });
});
