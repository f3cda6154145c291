// Covers src/ui/components/phone.
/**
 * Login by phone, the second step, binding, and the human check in a real browser, with a provider
 * of text messages and Turnstile.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest } from '../support/page-checks.ts';
import { chooseLook, photograph, variants, wide } from '../support/screenshots.ts';
import { type SmsProvider, smsKeys, startSmsProvider } from '../support/sms-provider.ts';
import { hasTool } from '../support/tools.ts';
import {
  startTurnstile,
  type TurnstileServer,
  turnstileSecret,
} from '../support/turnstile-server.ts';

const password = 'a-long-password';

/** What Cloudflare's script offers; the test decides when there is a token. */
const standIn = `window.turnstile = {
  render(place, options) {
    const box = document.createElement('div');
    box.textContent = 'stand-in for ' + options.sitekey;
    place.append(box);
    window.passCheck = (token) => options.callback(token);
    return 'widget';
  },
  remove() {
    window.passCheck = undefined;
  },
};`;

describe.skipIf(!hasTool('browser'))('login by phone in a browser', () => {
  let site: ConsoleSite;
  let sms: SmsProvider;
  let turnstile: TurnstileServer;
  beforeAll(async () => {
    sms = await startSmsProvider('webhook', 'file');
    turnstile = await startTurnstile('file');
    site = await startConsoleSite({
      CRITICAL_RATE_LIMIT: '1000',
      TURNSTILE_ENDPOINT: turnstile.url,
    });
    for (const [key, value] of [
      ['sms.webhook_url', sms.url],
      ['sms.webhook_secret', smsKeys.secret],
      ['sms.provider', 'webhook'],
    ])
      await setOption(key ?? '', value ?? '');
  });
  afterAll(() => site?.close());

  const setOption = (key: string, value: string) => site.api('PUT', '/api/option/', { key, value });
  const visit = async (path: string): Promise<Page> => {
    const page = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    await page.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: standIn }),
    );
    await page.goto(site.url + path);
    return page;
  };
  const getCode = (page: Page) => page.getByRole('button', { name: 'Get code' }).click();
  const logIn = (page: Page) => page.getByRole('button', { name: 'Log in', exact: true }).click();
  const knob = (page: Page) => page.getByRole('slider', { name: 'Position of the piece' });
  const solve = async (page: Page) => {
    await knob(page).focus();
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('PageUp');
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Slide the piece' }).waitFor({ state: 'hidden' });
  };
  const byPassword = async (page: Page, account: string) => {
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByLabel('Account').fill(account);
    await page.locator('input[type="password"]').fill(password);
    await logIn(page);
  };

  it('takes a new phone from the invite link to the personal page, with puzzle, code and countdown', async () => {
    await setOption('QuotaForInvitee', '500000');
    const invite = await site.api<string>('GET', '/api/user/aff');
    const page = await visit(`/login?aff=${invite}`);
    await getCode(page);
    await page.getByText('Enter your phone number').waitFor();
    await page.getByLabel('Phone number').fill('123');
    await getCode(page);
    await page.keyboard.press('Escape');
    await page.getByText('Verification cancelled').waitFor();
    await getCode(page);
    await knob(page).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Verification failed, try again').waitFor();
    await solve(page);
    await page.getByText('Enter a valid phone number').waitFor();
    await page.getByLabel('Phone number').fill('138 0000 0000');
    await getCode(page);
    await page.getByText(/Again in (60|59|58) s/).waitFor();
    expect(sms.messages.map(({ phone: to }) => to)).toEqual(['+8613800000000']);
    await logIn(page);
    await page.getByText('Enter the code').waitFor();
    await page
      .getByLabel('Code', { exact: true })
      .fill(sms.lastCode() === '000000' ? '000001' : '000000');
    await logIn(page);
    await page.getByText('The verification code is wrong or has expired').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(sms.lastCode());
    await logIn(page);
    await page.waitForURL('**/personal');
    await page.getByText('@phone_2').waitFor();
    await page.getByText('+86138****0000').waitFor();
    await page.getByText('$1.00').first().waitFor();
    expect(await page.evaluate(() => localStorage.getItem('aff'))).toBeNull();
    await page.goto(`${site.url}/login`);
    await page.waitForURL('**/detail');
    await page.context().close();
  });

  it('is led back to the page of origin, and drags the piece with a pointer', async () => {
    const page = await visit('/token');
    await page.waitForURL('**/login');
    await page.goto(`${site.url}/login?expired=true`);
    await page.getByText('Not logged in or login expired').waitFor();
    await page.goto(`${site.url}/token`);
    await page.getByLabel('Phone number').fill('13900000001');
    await getCode(page);
    const box = await knob(page).boundingBox();
    const [x = 0, y = 0] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
    for (const [distance, outcome] of [
      [207, /failed/],
      [224, /failed/],
      [223, /Verified/],
    ] as const) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + distance, y + 3, { steps: 4 });
      await page.mouse.up();
      await page.getByText(outcome).waitFor();
    }
    await page.getByText(/Again in/).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(sms.lastCode());
    await logIn(page);
    await page.waitForURL('**/token');
    await page.context().close();
  });

  it('binds a phone, which the next login by password must prove', async () => {
    await site.api('POST', '/api/user/', { username: 'ann', password });
    const page = await visit('/login');
    await byPassword(page, 'ann');
    await page.waitForURL('**/personal');
    await page.getByRole('button', { name: 'Link Phone number' }).click();
    const dialog = page.getByRole('dialog', { name: 'Link a phone number' });
    await dialog.getByLabel('Phone number').fill('13700000001');
    // A provider that delivers and then fails: the number may try again at once.
    sms.misbehave({ refuse: 'timeout', delivers: true });
    await getCode(page);
    await solve(page);
    await page.getByText('The text message could not be sent').waitFor();
    sms.misbehave(undefined);
    await dialog.getByLabel('Code', { exact: true }).fill(sms.lastCode());
    await dialog.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByText('+86137****0001').waitFor();

    await setOption('PhoneSecondFactorEnabled', 'true');
    const elsewhere = await visit('/login');
    await byPassword(elsewhere, '13700000001');
    await elsewhere.getByText('sent to +86137****0001').waitFor();
    await photograph(elsewhere, 'second-step-light-en-1440');
    await elsewhere.getByRole('button', { name: 'Cancel' }).click();
    await elsewhere.getByText('Verification cancelled').waitFor();
    await byPassword(elsewhere, '13700000001');
    await getCode(elsewhere);
    await elsewhere.getByText(/Again in/).waitFor();
    const step = elsewhere.getByRole('dialog', { name: 'Phone verification' });
    await step.getByRole('button', { name: 'Log in' }).click();
    await step.getByText('Enter the code', { exact: true }).waitFor();
    await step.getByLabel('Code', { exact: true }).fill(sms.lastCode());
    await step.getByRole('button', { name: 'Log in' }).click();
    await elsewhere.waitForURL('**/personal');
    await setOption('PhoneSecondFactorEnabled', 'false');

    await elsewhere.getByRole('button', { name: 'Unlink Phone number' }).click();
    await elsewhere
      .getByRole('alertdialog')
      .getByRole('button', { name: 'Unlink', exact: true })
      .click();
    await elsewhere.getByText('The phone number was unlinked').waitFor();
    await page.context().close();
    await elsewhere.context().close();
  });

  it('waits for Turnstile, and asks it again after five calls', async () => {
    await setOption('TurnstileSiteKey', 'site-key');
    await setOption('TurnstileSecretKey', turnstileSecret);
    await setOption('TurnstileCheckEnabled', 'true');
    const page = await visit('/login');
    await page.getByText('stand-in for site-key').waitFor();
    const pass = async (token: string, isGenuine = true) => {
      if (isGenuine) turnstile.issue(token);
      await page.evaluate(
        (text) => (window as unknown as { passCheck(token: string): void }).passCheck(text),
        token,
      );
    };
    const alert = page.locator('form').locator('..').getByRole('alert');
    await byPassword(page, 'nobody');
    await page.getByText('Wait a few seconds, the human check is running').waitFor();
    await pass('forged', false);
    await logIn(page);
    await page.getByText('The human check failed; refresh the page and try again').waitFor();
    await logIn(page);
    await page.getByText('Wait a few seconds').waitFor();
    await pass('first');
    for (let call = 1; call <= 5; call += 1) {
      await logIn(page);
      await alert.getByText('Wrong username or password').waitFor();
    }
    await logIn(page);
    await page.getByText('Wait a few seconds').waitFor();
    await page.goto(`${site.url}/register`);
    await page.getByText('stand-in for site-key').waitFor();
    await page.getByLabel('Username').fill('bob');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Repeat the password').fill(password);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText('Wait a few seconds').waitFor();
    await pass('second');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.waitForURL('**/personal');
    await page.goto(`${site.url}/reset`);
    await page.getByText('stand-in for site-key').waitFor();
    expect(turnstile.calls.map(({ response }) => response)).toEqual(['forged', 'first', 'second']);
    await setOption('TurnstileCheckEnabled', 'false');
    await page.context().close();
  });

  it('is the only way in when password login is switched off, which the settings warn about', async () => {
    const root = await site.open({ viewport: wide, locale: 'en-US' });
    await root.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await root.goto(`${site.url}/setting?tab=system`);
    const toggle = root.getByRole('switch', { name: 'Password login' });
    await toggle.focus();
    await root.keyboard.press('Space');
    await root.getByText('administrators included, can no longer log in').waitFor();
    await root.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await toggle.focus();
    await root.keyboard.press('Space');
    await root.getByRole('button', { name: 'Turn off password login' }).click();
    await root.locator('[role="switch"][aria-label="Password login"]:not(:checked)').waitFor();
    const page = await visit('/login');
    await page.getByLabel('Phone number').waitFor();
    await page.getByRole('tab', { name: 'Password' }).click();
    await page.getByText('Password login is disabled by the administrator').waitFor();
    await setOption('PasswordLoginEnabled', 'true');
    await setOption('PhoneLoginEnabled', 'false');
    await page.reload();
    await page.getByLabel('Account').waitFor();
    await expect.poll(() => page.getByRole('tab').count()).toBe(1);
    await setOption('PhoneLoginEnabled', 'true');
    await root.locator('[id="sms.provider"] input').first().scrollIntoViewIfNeeded();
    await root.locator('[id="sms.provider"] input').first().click();
    await root.getByRole('option', { name: 'Alibaba Cloud' }).click();
    await root.getByRole('button', { name: 'Save', exact: true }).click();
    await root
      .getByText(/Fill in .+ \(sms\.sign_name\) first/)
      .first()
      .waitFor();
    await photograph(root, 'settings-sms-light-en-1440');
    await page.context().close();
    await root.context().close();
  });

  it.each(variants)('is photographed: %s, %s', async (theme, language, viewport) => {
    const page = await visit('/login');
    await page.setViewportSize(viewport);
    await chooseLook(page, theme, language);
    await page.reload();
    await page.locator('input[type="tel"]').waitFor();
    await atRest(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
    const name = `${theme}-${language}-${viewport.width}`;
    await photograph(page, `phone-login-${name}`);
    await page.locator('input[type="tel"]').fill('13600000001');
    await page.locator('form button[type="button"]').last().click();
    await page.getByRole('slider').waitFor();
    await atRest(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
    await photograph(page, `slider-${name}`);
    await page.context().close();
  });
});
