// Covers src/ui/components/human-check, src/ui/routes/login/register.
/** Accounts that visitors make and recover in a real browser. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { atRest } from '../support/page-checks.ts';
import { chooseLook, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

const password = 'a-long-password';

describe.skipIf(!hasTool('browser'))('registration in a browser', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await startConsoleSite({ CRITICAL_RATE_LIMIT: '1000' });
  });
  afterAll(() => site?.close());

  const setOption = (key: string, value: string) => site.api('PUT', '/api/option/', { key, value });
  const visit = async (path: string): Promise<Page> => {
    const page = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    await page.goto(site.url + path);
    return page;
  };
  const fill = async (page: Page, username: string, again = password) => {
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Repeat the password').fill(again);
  };
  const submit = (page: Page) =>
    page.getByRole('button', { name: 'Register', exact: true }).click();

  it('takes an invited visitor from the link to the dashboard, and rewards the inviter', async () => {
    await setOption('QuotaForInvitee', '500000');
    await setOption('QuotaForInviter', '1000000');
    const code = await site.api<string>('GET', '/api/user/aff');
    const page = await visit(`/login?aff=${code}`);
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByText(`You are invited, with the code ${code}`).waitFor();
    await fill(page, 'ann');
    await submit(page);
    await page.waitForURL('**/personal');
    await page.getByText('$1.00').first().waitFor();
    expect(await page.evaluate(() => localStorage.getItem('aff'))).toBeNull();
    expect(await site.api('GET', '/api/user/self')).toMatchObject({
      aff_count: 1,
      aff_quota: 1_000_000,
    });
    await page.context().close();
  });

  it('keeps the code of a link to the first page', async () => {
    const page = await visit('/?aff=Wx4z');
    await page.waitForURL('**/login');
    await page.getByRole('link', { name: 'Register' }).click();
    await page.getByText('with the code Wx4z').waitFor();
    await page.context().close();
  });

  it('says at each field what is wrong', async () => {
    const page = await visit('/register');
    await submit(page);
    await page.getByText('Enter a username').waitFor();
    await page.getByText('At least 8 characters').waitFor();
    await fill(page, 'no spaces', 'another');
    await submit(page);
    await page.getByText('no spaces, no @').waitFor();
    await page.getByText('The passwords do not match').waitFor();
    await fill(page, 'ANN');
    await submit(page);
    await page.getByText('The username is taken').waitFor();
    await page.getByLabel('Username').fill('bob');
    await submit(page);
    await page.waitForURL('**/personal');
    await page.context().close();
  });

  it.each([
    ['RegisterEnabled', 'false', 'true'],
    ['PasswordRegisterEnabled', 'false', 'true'],
    ['SelfUseModeEnabled', 'true', 'false'],
  ])('is hidden while %s is %s', async (key, closed, open) => {
    await setOption(key, closed);
    const page = await visit('/login');
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0);
    await page.goto(`${site.url}/register`);
    await page.getByText('does not accept registrations').waitFor();
    await page.goto(`${site.url}/pricing`);
    await page.getByRole('link', { name: 'Log in', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Register' }).count()).toBe(0);
    await setOption(key, open);
    await page.reload();
    await page.getByRole('link', { name: 'Register' }).waitFor();
    await page.context().close();
  });

  it('asks for a login where password login is off', async () => {
    await setOption('PasswordLoginEnabled', 'false');
    const page = await visit('/register');
    await fill(page, 'carl');
    await submit(page);
    await page.waitForURL('**/login');
    await page.getByText('Your account is ready. Log in.').waitFor();
    await setOption('PasswordLoginEnabled', 'true');
    await page.context().close();
  });

  it.each(variants)('is photographed: %s, %s', async (theme, language, viewport) => {
    const page = await visit('/register?aff=Wx4z');
    await page.setViewportSize(viewport);
    await chooseLook(page, theme, language);
    for (const path of ['register', 'login']) {
      await page.goto(`${site.url}/${path}`);
      await page.locator('h1').waitFor();
      await atRest(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      );
      await photograph(page, `${path}-${theme}-${language}-${viewport.width}`);
    }
    await page.context().close();
  });
});
