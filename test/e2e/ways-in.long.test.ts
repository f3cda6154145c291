// Covers src/ui/routes/login/not-me.
/**
 * Changes of the ways into an account in a real browser: the question before them, and "it was not
 * me" after them.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { atRest, overflow } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import {
  type CodeProvider,
  githubClient,
  signByTelegram,
  startGithub,
} from '../support/sign-in-providers.ts';
import { patience } from '../support/slow.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';

const password = 'a-long-password';
const botToken = '123:bot-token';

describe.skipIf(!hasTool('browser'))(
  'ways into an account in a browser',
  { timeout: 120_000 * patience },
  () => {
    let site: ConsoleSite;
    let github: CodeProvider;
    let mails: MailServer;
    beforeAll(async () => {
      github = await startGithub(() => `${site.url}/oauth/github`, 'file');
      mails = await startMailServer();
      site = await startConsoleSite({
        GITHUB_ENDPOINT: github.url,
        GITHUB_API_ENDPOINT: `${github.url}/api`,
        CRITICAL_RATE_LIMIT: '1000',
      });
      const options = {
        ServerAddress: site.url,
        SMTPServer: '127.0.0.1',
        SMTPPort: String(mails.port),
        SMTPFrom: 'gate@example.org',
        GitHubClientId: githubClient.id,
        GitHubClientSecret: githubClient.secret,
        GitHubOAuthEnabled: 'true',
        TelegramBotToken: botToken,
        TelegramBotName: 'gate_bot',
        TelegramOAuthEnabled: 'true',
      };
      for (const [key, value] of Object.entries(options))
        await site.api('PUT', '/api/option/', { key, value });
    });
    afterAll(async () => {
      await site?.close();
      await mails?.close();
    });

    /** All logins were confirmed ten minutes ago. */
    const letTimePass = () => {
      const { dataDir } = site.gateway;
      const file =
        readdirSync(dataDir).find((name) => name.endsWith('.db') && name !== 'lock.db') ?? '';
      const database = new Database(join(dataDir, file));
      database.prepare('UPDATE sessions SET confirmed_at = confirmed_at - 600').run();
      database.close();
    };
    const open = async (who: 'root' | 'visitor' = 'root', path = '/personal'): Promise<Page> => {
      const page = await site.open({ viewport: wide, locale: 'en-US' }, who);
      await page.addInitScript(
        () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
      );
      await page.goto(site.url + path);
      return page;
    };
    const press = (page: Page, name: string) =>
      page.getByRole('button', { name, exact: true }).click();
    const question = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
    const confirm = async (page: Page) => {
      await question(page).getByRole('textbox', { name: 'Password' }).fill(password);
      await question(page).getByRole('button', { name: 'Confirm' }).click();
    };
    const row = (page: Page, name: string) =>
      page.locator('li').filter({ has: page.getByText(name, { exact: true }) });
    const serveWidget = (page: Page) =>
      page.route('https://telegram.org/**', (route) => {
        const fields = signByTelegram(botToken, {
          id: '42',
          auth_date: String(Math.floor(Date.now() / 1000)),
        });
        return route.fulfill({
          contentType: 'text/javascript',
          body: `{
          const { authUrl, telegramLogin } = document.currentScript.dataset;
          const button = document.createElement('button');
          button.textContent = 'Log in with ' + telegramLogin;
          button.onclick = () => { location.href = authUrl + '&' + ${JSON.stringify(new URLSearchParams(fields).toString())}; };
          document.currentScript.after(button);
        }`,
        });
      });

    it('linking is confirmed by the password before the browser leaves for the provider, and goes on by itself', async () => {
      const page = await open();
      letTimePass();
      await press(page, 'Link GitHub');
      await question(page).getByRole('textbox', { name: 'Password' }).fill('wrong');
      await question(page).getByRole('button', { name: 'Confirm' }).click();
      await question(page).getByRole('alert').waitFor();
      await confirm(page);
      await page.getByText('Account linked').waitFor();
      await page.goto(`${site.url}/personal`);
      await row(page, 'GitHub').getByText('583231').waitFor();

      letTimePass();
      await serveWidget(page);
      await press(page, 'Link Telegram');
      await confirm(page);
      await page.getByRole('button', { name: 'Log in with gate_bot' }).waitFor();
      letTimePass();
      await press(page, 'Log in with gate_bot');
      // Confirmed too long ago when Telegram sends the browser back: asked again there.
      await confirm(page);
      await page.getByText('Account linked').waitFor();
      await page.goto(`${site.url}/personal`);
      await row(page, 'Telegram').getByText('42', { exact: true }).waitFor();
      await page.context().close();
    });

    it('an address is linked after the question over its dialog; who leaves the question keeps the dialog', async () => {
      const page = await open();
      await press(page, 'Link Email');
      const dialog = page.getByRole('dialog', { name: 'Link an email address' });
      await dialog.getByLabel('Email').fill('root@example.org');
      await dialog.getByRole('button', { name: 'Get code' }).click();
      const code = /\d{6}/.exec((await mails.received(1))[0]?.body ?? '')?.[0] ?? '';
      await dialog.getByLabel('Verification code').fill(code);
      letTimePass();
      await dialog.getByRole('button', { name: 'Link' }).click();
      await question(page).waitFor();
      await photograph(page, 'step-up-over-dialog');
      await page.keyboard.press('Escape');
      await dialog.getByText('Confirm that it is you first').waitFor();
      await dialog.getByRole('button', { name: 'Link' }).click();
      await confirm(page);
      await row(page, 'Email').getByText('root@example.org').waitFor();
      await page.context().close();
    });

    it.each(variants)('the question looks right: %s, %s', async (theme, language, viewport) => {
      const page = await open();
      await page.setViewportSize(viewport);
      await chooseLook(page, theme, language);
      await page.goto(`${site.url}/personal`);
      letTimePass();
      await row(page, 'Telegram').getByRole('button').click();
      await page.getByRole('alertdialog').getByRole('button').last().click();
      const dialog = page.getByRole('dialog', {
        name: language === 'en' ? 'Confirm that it is you' : '确认是你本人',
      });
      await dialog.locator('input[type="password"]').waitFor();
      await atRest(page);
      expect(await overflow(page)).toBe(0);
      if (viewport === phone) expect(await smallTargets(page)).toEqual([]);
      await photograph(page, `step-up-${theme}-${language}-${viewport.width}`);
      await page.keyboard.press('Escape');
      await row(page, 'Telegram').getByText('42', { exact: true }).waitFor();
      await page.context().close();
    });

    it('an administrator confirms before a user gets a new password', async () => {
      await site.api('POST', '/api/user/', { username: 'bob', password });
      const page = await open('root', '/user');
      letTimePass();
      const bob = page
        .getByRole('row')
        .filter({ has: page.getByRole('button', { name: 'More actions for bob' }) });
      await bob.getByRole('button', { name: /^Edit/ }).click();
      const drawer = page.getByRole('dialog', { name: 'Edit user' });
      await drawer.getByLabel('Password').first().fill('another long password');
      await drawer.getByRole('button', { name: 'Save' }).click();
      await confirm(page);
      await page.getByText('User saved').waitFor();
      await page.context().close();
    });

    it('an account with neither password nor second factor logs in again, and then sets a password', async () => {
      github.setProfile({ id: 7, login: 'dora', name: 'Dora' });
      const page = await open('visitor', '/login');
      await press(page, 'GitHub');
      await page.waitForURL('**/token');
      await page.goto(`${site.url}/personal`);
      letTimePass();
      const create = async () => {
        await press(page, 'Set a password');
        const dialog = page.getByRole('dialog', { name: 'Set a password' });
        await dialog.getByLabel('New password', { exact: true }).fill('a password of dora');
        await dialog.getByLabel('Confirm the new password').fill('a password of dora');
        await dialog.getByRole('button', { name: 'Set a password' }).click();
      };
      await create();
      await question(page).getByText('log in again, and repeat this').waitFor();
      await photograph(page, 'step-up-log-in-again');
      await press(page, 'Log in again');
      await page.waitForURL('**/login');
      await press(page, 'GitHub');
      await page.waitForURL('**/token');
      await page.goto(`${site.url}/personal`);
      await create();
      await page.getByText('Password changed').waitFor();
      await page.context().close();
    });

    it('deleting the account is confirmed over its dialog', async () => {
      const page = await open('visitor', '/login');
      await page.locator('input[autocomplete="username"]').fill('bob');
      await page.locator('input[type="password"]').fill('another long password');
      await page.locator('button[type="submit"]').click();
      await page.waitForURL((address) => !address.pathname.startsWith('/login'));
      await page.goto(`${site.url}/personal`);
      letTimePass();
      await press(page, 'Delete account');
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      await dialog.getByRole('textbox').fill('bob');
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await question(page).waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Confirm that it is you first').waitFor();
      await dialog.getByRole('button', { name: 'Delete account' }).click();
      await question(page).getByRole('textbox', { name: 'Password' }).fill('another long password');
      await question(page).getByRole('button', { name: 'Confirm' }).click();
      await page.waitForURL('**/login');
      await page.context().close();
    });

    it('"it was not me": the page acts by its button only, ends the login of this browser, and mails a link', async () => {
      const page = await open();
      const before = mails.mails.length;
      await press(page, 'Change password');
      const dialog = page.getByRole('dialog', { name: 'Change password' });
      await dialog.getByLabel('Current password').fill(password);
      await dialog.getByLabel('New password', { exact: true }).fill('another long password');
      await dialog.getByLabel('Confirm the new password').fill('another long password');
      await dialog.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Password changed').waitFor();
      const mail = (await mails.received(before + 1))[before];
      expect(mail?.to).toEqual(['root@example.org']);
      const link = /href="([^"]+)"/.exec(mail?.body ?? '')?.[1] ?? '';
      expect(link).toMatch(/\/not-me#token=/);
      for (const [theme, language, viewport] of variants) {
        await page.setViewportSize(viewport);
        await chooseLook(page, theme, language);
        await page.goto('about:blank');
        await page.goto(link);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await atRest(page);
        expect(new URL(page.url()).hash).toBe('');
        expect(await overflow(page)).toBe(0);
        if (viewport === phone) expect(await smallTargets(page)).toEqual([]);
        await photograph(page, `not-me-${theme}-${language}-${viewport.width}`);
        await page.goto(`${site.url}/personal`);
      }
      await chooseLook(page, 'light', 'en');
      await page.setViewportSize(wide);
      await page.goto('about:blank');
      await page.goto(link);
      await press(page, 'It was not me, protect my account');
      await page.getByText('Your account is protected').waitFor();
      await photograph(page, 'not-me-done');
      expect((await mails.received(before + 2))[before + 1]?.headers['subject']).toContain(
        'Reset your password',
      );
      await page.goto(`${site.url}/personal`);
      await page.waitForURL('**/login**');
      await page.goto('about:blank');
      await page.goto(link);
      await press(page, 'It was not me, protect my account');
      await page.getByText('This link was used already or has expired').waitFor();
      await page.goto(`${site.url}/not-me`);
      await page.getByText('The link is not complete').waitFor();
      await page.context().close();
    });
  },
);
