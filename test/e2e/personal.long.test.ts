// Covers src/ui/routes/personal/bindings, src/ui/routes/personal/security.
/**
 * One's own account in a real browser: notices, devices, password, system access token, deletion.
 */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { atRest } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';
import { sendJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

const password = 'a-long-password';
const changed = 'another-password';

describe.skipIf(!hasTool('browser'))('personal settings', () => {
  let site: ConsoleSite;
  let mails: MailServer;
  let receiver: TestUpstream;
  let page: Page;
  beforeAll(async () => {
    mails = await startMailServer();
    receiver = await startUpstream();
    receiver.answer((response) => sendJson(response, 200, {}));
    site = await startConsoleSite({ CRITICAL_RATE_LIMIT: '1000', FETCH_ALLOW_HOSTS: '127.0.0.1' });
    const options = {
      SMTPServer: '127.0.0.1',
      SMTPPort: String(mails.port),
      SMTPFrom: 'gate@example.org',
    };
    for (const [key, value] of Object.entries(options))
      await site.api('PUT', '/api/option/', { key, value });
    await site.api('POST', '/api/user/', { username: 'ann', password, quota: 2_000_000 });
    page = await signIn();
  });
  afterAll(async () => {
    await site?.close();
    await mails?.close();
    await receiver?.close();
  });
  beforeEach(() => page.goto(`${site.url}/personal`));

  const signIn = async (secret = password, options: BrowserContextOptions = {}): Promise<Page> => {
    const window = await site.open({ viewport: wide, locale: 'en-US', ...options }, 'visitor');
    await window.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    await window.goto(`${site.url}/login`);
    await window.locator('input[autocomplete="username"]').fill('ann');
    await window.locator('input[type="password"]').fill(secret);
    await window.locator('button[type="submit"]').click();
    await window.waitForURL((url) => !url.pathname.startsWith('/login'));
    return window;
  };
  const fill = (name: string, value: string, on = page) =>
    on.getByRole('textbox', { name, exact: true }).fill(value);
  const click = (name: string, on = page) => on.getByRole('button', { name, exact: true }).click();
  const says = (text: string, on = page) => on.getByText(text).first().waitFor();

  it('sends notices by mail: what is wrong is said at its field, a test arrives', async () => {
    await says('Not set yet: the site’s own threshold applies until you save');
    await says('= $1.00');
    await fill('Notification email', 'nowhere');
    await click('Save');
    await says('Enter a valid email address');
    await fill('Notification email', 'ops@example.org');
    await click('$0.20');
    await click('Save and send a test notice');
    await says('Test notice sent');
    expect((await mails.received(1))[0]?.to).toEqual(['ops@example.org']);
    await page.reload();
    await expect
      .poll(() =>
        page.getByRole('textbox', { name: 'Warn when the balance is below' }).inputValue(),
      )
      .toBe('100000');
    await click('Save');
    await says("You don't seem to have changed anything");
  });

  it('sends notices by webhook, whose secret is written and never shown', async () => {
    await page.getByText('Webhook', { exact: true }).click();
    await click('Save');
    await says('Enter the webhook URL');
    await fill('Webhook URL', 'http://hooks.example/inside');
    await click('Save');
    await says('The webhook URL must be a public https address');
    await fill('Webhook URL', `${receiver.url}/hook`);
    await page.getByLabel('Webhook secret').fill('whsec');
    await click('Save and send a test notice');
    await says('Test notice sent');
    expect(receiver.requests.at(-1)?.headers).toMatchObject({ authorization: 'Bearer whsec' });
    await page.reload();
    await page.getByLabel('Webhook secret').waitFor();
    await expect.poll(() => page.getByLabel('Webhook secret').inputValue()).toBe('');
    expect(await page.content()).not.toContain('whsec');
    receiver.answer((response) => void response.writeHead(500).end());
    await click('Send a test notice');
    await page
      .getByText('The webhook could not be delivered (HTTP 500)')
      .waitFor({ timeout: 60_000 });
    await click('Clear the secret');
    await says('Secret cleared');
  });

  it('leaving with unsaved settings asks first', async () => {
    await fill('Webhook URL', 'https://hooks.example/other');
    await page.getByRole('link', { name: 'Wallet', exact: true }).click();
    await says('Not saved yet: Webhook URL.');
    await click('Keep editing');
    await click('Discard');
    await page.getByRole('link', { name: 'Wallet', exact: true }).click();
    await page.waitForURL('**/topup');
  });

  it('lists devices; one that is signed out is out at its next step', async () => {
    const agent =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1';
    const other = await signIn(password, { userAgent: agent });
    // Not on a page whose own reads could notice the sign-out first and clear the stored login.
    await other.goto('about:blank');
    await page.reload();
    await says('Chrome · Linux');
    await says('This device');
    await page.getByRole('button', { name: /Log out Safari · iOS/ }).click();
    await says('Device logged out');
    await other.goto(`${site.url}/personal`);
    await other.waitForURL('**/login?expired=true');
    await other.context().close();
  });

  it('changes the password with the current one, which signs the other devices out', async () => {
    const other = await signIn();
    await other.goto('about:blank');
    await click('Change password');
    const dialog = page.getByRole('dialog', { name: 'Change password' });
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.getByText('Enter your current password').waitFor();
    await dialog.getByText('At least 8 characters', { exact: true }).waitFor();
    const write = async (current: string, next: string, again: string) => {
      await dialog.getByLabel('Current password').fill(current);
      await dialog.getByLabel('New password', { exact: true }).fill(next);
      await dialog.getByLabel('Confirm the new password').fill(again);
      await dialog.getByRole('button', { name: 'Change password' }).click();
    };
    await write(password, changed, `${changed}!`);
    await dialog.getByText('The passwords do not match').waitFor();
    await write('a-wrong-password', changed, changed);
    await dialog.getByText('The current password is wrong').waitFor();
    await photograph(page, 'personal-password-en-1440');
    await write(password, changed, changed);
    await says('Password changed; other devices are logged out');
    await other.goto(`${site.url}/personal`);
    await other.waitForURL('**/login?expired=true');
    await other.context().close();
    const again = await signIn(changed);
    await again.context().close();
  });

  it('shows a new system access token once; another one ends it', async () => {
    const id = await page.evaluate(() =>
      String((JSON.parse(localStorage.getItem('user') ?? '') as { id: number }).id),
    );
    const works = async (token: string) => {
      const reply = await fetch(`${site.url}/api/user/self`, {
        headers: { authorization: token, 'new-api-user': id },
      });
      return ((await reply.json()) as { success: boolean }).success;
    };
    const make = async () => {
      const ticket = page.getByRole('dialog', { name: 'System access token generated' });
      const token = (await ticket.locator('code').first().textContent()) ?? '';
      await photograph(page, 'personal-token-en-1440');
      await click('Done');
      return token;
    };
    await click('Generate');
    const first = await make();
    expect(first).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await works(first)).toBe(true);
    expect(await page.content()).not.toContain(first);
    await click('Generate a new one');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Generate a new one' }).click();
    const second = await make();
    expect([await works(first), await works(second)]).toEqual([false, true]);
  });

  it.each(variants)('looks right in %s, %s, at any width', async (theme, language, viewport) => {
    const window = await signIn(changed, { viewport, colorScheme: theme });
    await chooseLook(window, theme, language);
    await window.addInitScript((chosen) => localStorage.setItem('i18nextLng', chosen), language);
    await window.goto(`${site.url}/personal`);
    await window.locator('#personal-devices').waitFor();
    await window.getByText(language === 'zh' ? '本机' : 'This device').waitFor();
    await atRest(window);
    expect(await window.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
    if (viewport === phone) expect(await smallTargets(window)).toEqual([]);
    await photograph(window, `personal-${theme}-${language}-${viewport.width}`, { fullPage: true });
    await window.getByRole('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await photograph(window, `personal-foot-${theme}-${language}-${viewport.width}`);
    await window.context().close();
  });

  it('signs out everywhere, this browser included', async () => {
    const other = await signIn(changed);
    // What the page reads from time to time would tell it, and clear what it stores, before it is opened.
    await page.goto('about:blank');
    await other.goto(`${site.url}/personal`);
    await click('Log out everywhere', other);
    await other
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Log out everywhere' })
      .click();
    await other.waitForURL('**/login');
    await page.goto(`${site.url}/personal`);
    await page.waitForURL('**/login?expired=true');
    await other.context().close();
    page = await signIn(changed);
  });

  it('deletes the account once its name is typed; the super admin’s cannot be', async () => {
    await click('Delete account');
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByText('The balance of $4.00 can no longer be used.').waitFor();
    await dialog.getByRole('textbox').fill('Ann');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await dialog.getByText('This is not your username').waitFor();
    await photograph(page, 'personal-delete-en-1440');
    await dialog.getByRole('textbox').fill('ann');
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL('**/login');
    const found = await site.api<{ items: { DeletedAt: string | null; quota: number }[] }>(
      'GET',
      '/api/user/search?keyword=ann',
    );
    expect(found.items).toMatchObject([{ DeletedAt: expect.any(String), quota: 2_000_000 }]);
    const root = await site.open({ viewport: wide, locale: 'en-US' });
    await root.goto(`${site.url}/personal`);
    await root
      .getByText(/The super admin account cannot be deleted|超级管理员账号不能注销/)
      .waitFor();
    await root.context().close();
    page = await site.open({}, 'visitor');
  });
});
