// Covers src/ui/routes/login/reset.
/**
 * Registration by a mailed code and a password reset by a mailed link, in a real browser and
 * through a real SMTP server.
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { atRest } from '../support/page-checks.ts';
import { chooseLook, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

const password = 'a-long-password';

describe.skipIf(!hasTool('browser'))('mailed codes in a browser', () => {
  let site: ConsoleSite;
  let mails: MailServer;
  beforeAll(async () => {
    mails = await startMailServer();
    site = await startConsoleSite({ CRITICAL_RATE_LIMIT: '1000' });
    const options = {
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mails.port),
      SMTPFrom: 'gate@example.org',
      ServerAddress: site.url,
      EmailVerificationEnabled: 'true',
      EmailDomainRestrictionEnabled: 'true',
      EmailDomainWhitelist: 'example.org',
    };
    for (const [key, value] of Object.entries(options))
      await site.api('PUT', '/api/option/', { key, value });
  });
  afterAll(async () => {
    await site?.close();
    await mails?.close();
  });

  const visit = async (path: string, options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await site.open({ viewport: wide, locale: 'en-US', ...options }, 'visitor');
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    await page.goto(site.url + path);
    return page;
  };
  const fill = async (page: Page, values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values))
      await page.getByRole('textbox', { name: label, exact: true }).fill(value);
  };
  const credentials = (username: string) => ({
    Username: username,
    Password: password,
    'Repeat the password': password,
  });
  const click = (page: Page, name: string) =>
    page.getByRole('button', { name, exact: true }).click();
  const logIn = async (page: Page, account: string, secret: string) => {
    await page.goto(`${site.url}/login`);
    await fill(page, { Account: account, Password: secret });
    await click(page, 'Log in');
  };

  it('registers with the mailed code; wrong, used and missing codes and other addresses are refused', async () => {
    const page = await visit('/login?aff=none');
    await page.getByRole('link', { name: 'Register' }).click();
    await fill(page, { ...credentials('ann'), Email: 'ann@elsewhere.org' });
    await click(page, 'Get code');
    await page.getByText('Addresses of this email provider are not accepted').waitFor();
    await fill(page, { Email: 'ann@example.org' });
    await click(page, 'Register');
    await page.getByText('Enter the verification code').waitFor();
    await click(page, 'Get code');
    await page.getByText('Email sent to ann@example.org').waitFor();
    expect(await page.getByRole('button', { name: /^\d+ s$/ }).isDisabled()).toBe(true);
    await photograph(page, 'register-code-en-1440');
    const mail = (await mails.received(1)).at(-1);
    const code = /\d{6}/.exec(mail?.body ?? '')?.[0] ?? '';
    await fill(page, { 'Verification code': code === '000000' ? '000001' : '000000' });
    await click(page, 'Register');
    await page.getByText('The verification code is wrong or has expired').waitFor();
    await fill(page, { 'Verification code': code });
    await click(page, 'Register');
    await page.waitForURL('**/personal');
    await page.context().close();

    const second = await visit('/register');
    await fill(second, {
      ...credentials('bob'),
      Email: 'ann@example.org',
      'Verification code': code,
    });
    await click(second, 'Register');
    await second.getByText('The verification code is wrong or has expired').waitFor();
    await second.context().close();
  });

  it('resets the password by the mailed link, which ends the login elsewhere and works once', async () => {
    const elsewhere = await visit('/login');
    await logIn(elsewhere, 'ann@example.org', password);
    await elsewhere.waitForURL('**/personal');

    const page = await visit('/login', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await click(page, 'Send reset link');
    await page.getByText('Enter your email address').waitFor();
    await fill(page, { Email: 'ann@example.org' });
    await click(page, 'Send reset link');
    await page.getByText('If an account has this address').waitFor();
    expect(await page.getByRole('button', { name: /Try again in/ }).isDisabled()).toBe(true);
    const mail = (await mails.received(2)).at(-1);
    const link = (/href="([^"]+)"/.exec(mail?.body ?? '')?.[1] ?? '').replaceAll('&amp;', '&');
    expect(link.startsWith(`${site.url}/reset?`)).toBe(true);
    // The page where One API and New API have it.
    await page.goto(link.replace('/reset?', '/user/reset?'));
    await page.waitForURL('**/reset?*');
    const address = page.getByLabel('Email');
    await expect.poll(() => address.inputValue()).toBe('ann@example.org');
    expect(await address.isEditable()).toBe(false);
    await click(page, 'Reset password');
    await page.getByText('copied to the clipboard').waitFor();
    const secret = (await page.locator('code').textContent()) ?? '';
    expect(secret).toMatch(/^[A-Za-z0-9]{12}$/);
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await photograph(page, 'reset-done-en-1440');

    await elsewhere.reload();
    await elsewhere.waitForURL('**/login?expired=true');
    await logIn(elsewhere, 'ann', password);
    await elsewhere.getByRole('alert').getByText(/wrong/i).waitFor();
    await logIn(elsewhere, 'ann', secret);
    await elsewhere.waitForURL('**/personal');

    await page.goto(link);
    await click(page, 'Reset password');
    await page.getByText('The reset link is invalid or has expired').waitFor();
    await page.getByRole('link', { name: 'Send a new link' }).click();
    await page.getByRole('button', { name: 'Send reset link' }).waitFor();
    await elsewhere.context().close();
    await page.context().close();
  });

  it('says the same for an address without an account, and mails nothing', async () => {
    const page = await visit('/reset');
    await fill(page, { Email: 'nobody@example.org' });
    await click(page, 'Send reset link');
    await page.getByText('If an account has this address').waitFor();
    await page.reload();
    await fill(page, { Email: 'nobody@example.org' });
    await click(page, 'Send reset link');
    await page.getByText(/try again in \d+ seconds/i).waitFor();
    expect(mails.mails.filter(({ to }) => to.includes('nobody@example.org'))).toEqual([]);
    await page.context().close();
  });

  it.each(variants)('is photographed: %s, %s', async (theme, language, viewport) => {
    const page = await visit('/reset');
    await page.setViewportSize(viewport);
    await chooseLook(page, theme, language);
    for (const [name, path] of [
      ['reset', 'reset'],
      ['reset-confirm', 'reset?email=ann@example.org&token=x'],
      ['register-email', 'register?aff=Wx4z'],
    ]) {
      await page.goto(`${site.url}/${path}`);
      await page.locator('h1').waitFor();
      await atRest(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      );
      await photograph(page, `${name}-${theme}-${language}-${viewport.width}`);
    }
    await page.context().close();
  });
});
