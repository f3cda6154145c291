// Covers src/ui/components/budgets.
/** Budgets in a real browser: made, bitten by a request, raised, and seen at the token. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest, overflow, violations, watchFaults } from '../support/page-checks.ts';
import { chooseLook, photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

/** What a request to the scripted upstream costs, in quota. */
const cost = 3750;
const password = 'a-long-password';

describe.skipIf(!hasTool('browser'))('budgets', () => {
  let site: ConsoleSite;
  let page: Page;
  let faults: readonly string[] = [];

  beforeAll(async () => {
    site = await startConsoleSite();
    page = await site.open({ viewport: wide, locale: 'en-US' });
    faults = watchFaults(page);
    await page.addInitScript(
      () => localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', 'en'),
    );
    await site.chat(siteModel);
  });
  afterAll(() => site?.close());

  const row = (name: string, of: Page = page) => of.getByRole('row').filter({ hasText: name });
  const refused = expect.objectContaining({ status: 429, code: 'budget_exceeded' });

  it('one is made, refuses a request before its upstream, and lets it through once raised', async () => {
    await page.goto(`${site.url}/token`);
    await page.getByRole('link', { name: 'Budgets' }).click();
    await page.getByText('No budgets yet').waitFor();
    await page.getByRole('button', { name: 'New budget' }).click();
    const drawer = page.getByRole('dialog', { name: 'New budget' });
    await drawer.getByRole('button', { name: '$10.00 a day for each token' }).click();
    await drawer.getByRole('textbox', { name: 'Amount' }).fill(String(cost));
    await drawer.getByRole('textbox', { name: 'Name' }).fill('daily');
    await drawer.getByRole('button', { name: 'New budget' }).click();
    await row('daily').getByText('Each token').waitFor();

    const served = site.upstream.requests.length;
    await site.chat(siteModel).catch(() => {});
    await expect(site.chat(siteModel)).rejects.toEqual(refused);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row('daily').getByText('Used up').waitFor();
    const before = site.upstream.requests.length;
    expect(before - served).toBeLessThanOrEqual(1);

    await row('daily')
      .getByRole('button', { name: /^More actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Spent now' }).click();
    const dialog = page.getByRole('dialog', { name: 'daily' });
    await dialog.getByRole('listitem').filter({ hasText: 'app' }).waitFor();
    await photograph(page, 'budget-windows-light-en');
    await dialog.getByRole('textbox', { name: 'Amount to add' }).fill('5000000');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await row('daily').getByText('Within').waitFor();
    await site.chat(siteModel);
    expect(site.upstream.requests).toHaveLength(before + 1);
  });

  it('of rates alone is made in the form, refuses, and shows what counts now', async () => {
    await site.api('PUT', '/api/option/', { key: 'ModelRequestRateLimitEnabled', value: 'true' });
    await page.goto(`${site.url}/budget?new=1`);
    const drawer = page.getByRole('dialog', { name: 'New budget' });
    await drawer.getByRole('textbox', { name: 'Name' }).fill('slowly');
    await drawer.getByLabel('Period').first().click();
    await page.getByRole('option', { name: 'No amount, rate limits only' }).click();
    await expect.poll(() => drawer.getByRole('textbox', { name: 'Amount' }).count()).toBe(0);
    await drawer.getByRole('button', { name: 'New budget' }).click();
    await drawer.getByText('Enter at least one rate').waitFor();
    await drawer.getByLabel('Requests a minute').fill('1');
    await drawer.getByLabel('Requests at once').fill('4');
    await photograph(page, 'budget-rates-form');
    await drawer.getByRole('button', { name: 'New budget' }).click();
    await row('slowly').getByText('0 / 1 request a minute, 0 / 4 at once').waitFor();
    await site.chat(siteModel);
    await expect(site.chat(siteModel)).rejects.toMatchObject({
      status: 429,
      code: 'rate_requests',
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row('slowly').getByText('1 / 1 request a minute').waitFor();
    await row('slowly').getByText('Used up').waitFor();
    await page.getByText('1000 successful requests').waitFor();
    await photograph(page, 'budget-rates-list');
    await page.getByRole('link', { name: 'Change' }).click();
    await page.waitForURL((url) => url.pathname === '/setting');
    const all = await site.api<{ id: number; name: string }[]>('GET', '/api/turnpike/budgets');
    const made = all.find(({ name }) => name === 'slowly');
    await site.api('PUT', `/api/turnpike/budgets/${made?.id}`, { at_end: 'warn' });
  });

  it('is opened by the link of a notice at the window that it is about, with more filled in', async () => {
    const { items } = await site.api<{
      items: { name: string; windows: { id: number; limit: number }[] }[];
    }>('GET', '/api/turnpike/budgets/status');
    const window = items.find(({ name }) => name === 'daily')?.windows[0];
    await page.goto(`${site.url}/budget?grant=${window?.id}`);
    const dialog = page.getByRole('dialog', { name: 'daily' });
    await photograph(page, 'budget-grant-link');
    await dialog.getByRole('button', { name: 'Add $5.00' }).click();
    await page.getByText('Amount added').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await row('daily').getByText('of $15.01').waitFor();
  });

  it('a stopped conversation is found by its cost, and goes on from the list and from a link', async () => {
    await site.api('POST', '/api/turnpike/budgets', {
      name: 'talks',
      owner: 'user',
      owner_id: '1',
      each: 'conversation',
      period: 'total',
      amount: 500_000,
      most_requests: 1,
      most_pace: 20,
    });
    await site.chat(siteModel);
    const stopped = expect.objectContaining({ status: 429, code: 'fence_requests' });
    await expect(site.chat(siteModel)).rejects.toEqual(stopped);
    await page.goto(`${site.url}/budget`);
    await page.getByRole('link', { name: 'Conversations' }).click();
    await row('talks').getByText('Stopped').waitFor();
    await row('talks').getByText('1 / 1 requests, 0 / 20 times the usual').waitFor();
    await row('talks')
      .getByRole('button', { name: /^Let it go on/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'talks' });
    await photograph(page, 'budget-conversations-grant');
    await dialog.getByRole('button', { name: 'Add $5.00' }).click();
    await row('talks').getByText('1 / 2 requests').waitFor();
    await site.chat(siteModel);
    await expect(site.chat(siteModel)).rejects.toEqual(stopped);
    const found = await site.api<{ items: { id: number }[] }>(
      'GET',
      '/api/turnpike/budgets/conversations',
    );
    await page.goto(`${site.url}/budget?grant=${found.items[0]?.id}`);
    await page.getByRole('dialog', { name: 'talks' }).getByRole('button', { name: 'Add' }).click();
    await page.getByText('Amount added').waitFor();
    await site.chat(siteModel);
    const all = await site.api<{ id: number; name: string }[]>('GET', '/api/turnpike/budgets');
    const made = all.find(({ name }) => name === 'talks');
    await site.api('PUT', `/api/turnpike/budgets/${made?.id}`, { at_end: 'warn' });
  });

  it('that ends soon is on the dashboard', async () => {
    await site.api('POST', '/api/turnpike/budgets', {
      name: 'nearly',
      owner: 'user',
      owner_id: '1',
      amount: 1,
      period: 'total',
      at_end: 'warn',
    });
    await site.chat(siteModel);
    await page.goto(`${site.url}/detail`);
    const ending = page.getByRole('region', { name: 'Budgets that end soon' });
    await ending.getByRole('link', { name: 'nearly' }).waitFor();
    await photograph(page, 'budget-dashboard');
    await ending.getByRole('link', { name: 'nearly' }).click();
    await row('nearly').getByText('Used up').waitFor();
  });

  it('is seen at the token and at the user, whose drawers lead to it', async () => {
    await page.goto(`${site.url}/token`);
    await row('app')
      .getByRole('img', { name: /of \$15\.01 spent$/ })
      .waitFor();
    await page.goto(`${site.url}/token?edit=1`);
    const section = page.getByRole('region', { name: 'Budgets' });
    await section.getByRole('link', { name: 'daily' }).click();
    await row('daily').waitFor();
    await page.goto(`${site.url}/user`);
    await row('root')
      .getByRole('img', { name: /^\$0\.\d+ of .+ spent$/ })
      .waitFor();
    await page.goto(`${site.url}/user?edit=1`);
    await page
      .getByRole('region', { name: 'Budgets' })
      .getByRole('link', { name: 'New budget' })
      .click();
    const whose = page.getByRole('dialog', { name: 'New budget' }).getByLabel('Which one');
    await expect.poll(() => whose.first().inputValue()).toBe('root #1');
  });

  it('is filtered by the address, edited and deleted', async () => {
    await site.api('POST', '/api/turnpike/budgets', {
      name: 'narrow',
      owner: 'group',
      owner_id: 'vip',
      amount: 10,
      models: 'o3',
    });
    for (const [query, shown, hidden] of [
      ['state=unused', 'narrow', 'daily'],
      ['state=within', 'daily', 'narrow'],
      ['owner=group', 'narrow', 'daily'],
      ['of=1', 'daily', 'narrow'],
      [`model=${siteModel}`, 'daily', 'narrow'],
    ] as const) {
      await page.goto(`${site.url}/budget?${query}`);
      await row(shown).waitFor();
      expect([query, await row(hidden).count()]).toEqual([query, 0]);
    }
    await page.goto(`${site.url}/budget`);
    await row('narrow').getByRole('button', { name: /^Edit/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit budget' });
    await drawer.getByRole('button', { name: /^Closed times/ }).click();
    await drawer.getByRole('textbox', { name: 'Closed hours' }).fill('night');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByText('Write them as 22:00-06:00').waitFor();
    await drawer.getByRole('textbox', { name: 'Closed hours' }).fill('22:00-06:00');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Budget saved').waitFor();
    await row('narrow')
      .getByRole('button', { name: /^More actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete budget' }).click();
    await page.getByText('Budget deleted').waitFor();
    await row('narrow').waitFor({ state: 'detached' });
  });

  it('users see theirs, and change only what they set themselves', async () => {
    await site.api('POST', '/api/user/', { username: 'ann', password });
    await site.api('POST', '/api/turnpike/budgets', {
      name: 'from above',
      owner: 'user',
      owner_id: '2',
      amount: 500_000,
      period: 'day',
    });
    const own = await site.open({ viewport: wide, locale: 'en-US' }, 'visitor');
    await own.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await own.goto(`${site.url}/login`);
    await own.locator('input[autocomplete="username"]').fill('ann');
    await own.locator('input[type="password"]').fill(password);
    await own.locator('button[type="submit"]').click();
    await own.waitForURL((url) => !url.pathname.startsWith('/login'));
    await own.goto(`${site.url}/budget`);
    await row('from above', own).waitFor();
    expect(await row('daily', own).count()).toBe(0);
    expect(await row('from above', own).getByRole('button', { name: /^Edit/ }).count()).toBe(0);
    await own.getByRole('button', { name: 'New budget' }).click();
    const drawer = own.getByRole('dialog', { name: 'New budget' });
    await drawer.getByRole('button', { name: 'A programming agent' }).click();
    await expect.poll(() => drawer.getByLabel('Maximum requests').inputValue()).toBe('500');
    await drawer.getByRole('button', { name: 'New budget' }).click();
    const made = row('$10.00 in all', own);
    await made.getByText('Each conversation').waitFor();
    await made.getByRole('button', { name: /^Edit/ }).waitFor();
    await own.context().close();
  });

  it.each(variants)('fits and passes axe: %s, %s', async (theme, language, viewport) => {
    await page.setViewportSize(viewport);
    await chooseLook(page, theme, language);
    for (const screen of ['budget', 'budget?new=1', 'budget?view=conversations', 'token?edit=1']) {
      await page.goto(`${site.url}/${screen}`);
      await atRest(page);
      await page.getByRole('heading').first().waitFor();
      const name = `${screen} ${theme} ${language}`;
      await photograph(page, `${screen.replace('?', '-')}-${theme}-${language}-${viewport.width}`);
      expect({ name, overflow: await overflow(page) }).toEqual({ name, overflow: 0 });
      expect({ name, found: await violations(page) }).toEqual({ name, found: [] });
    }
    expect(faults).toEqual([]);
  });
});
