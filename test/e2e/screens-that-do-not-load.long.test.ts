/** A screen whose file cannot be loaded: the shell stays, and says why (docs/rules/console.md#failures). */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { photograph } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('a screen that does not load', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await startConsoleSite();
  });
  afterAll(() => site?.close());

  /** A window on the tokens, in which requests to these paths get no reply while `away.is`. */
  async function openTokens(paths: RegExp) {
    const away = { is: false };
    const page = await site.open({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await page.route(paths, (route) => (away.is ? route.abort() : route.continue()));
    await page.goto(`${site.url}/token`);
    return { page, away };
  }
  /** The second attempt has failed, too: after it the page learns whether the server is there. */
  const failedTwice = (page: Page) => page.waitForResponse(/\/api\/status$/);
  const sidebar = (page: Page) => page.getByRole('link', { name: 'API tokens' });

  it('is shown by itself as soon as the server is back', async () => {
    const { page, away } = await openTokens(/\/(assets|api)\//);
    away.is = true;
    await page.getByRole('link', { name: 'Redemption codes' }).click();
    await page.getByRole('heading', { name: 'Unable to connect to server' }).waitFor();
    expect(await sidebar(page).isVisible()).toBe(true);
    await photograph(page, 'screen-not-loaded-offline');
    away.is = false;
    await page.getByRole('heading', { name: 'Redemption codes', level: 1 }).waitFor();
  });

  it('leaves the page in place: the first message, the first question, the menu of a phone', async () => {
    const { page, away } = await openTokens(/\/(assets|api)\//);
    away.is = true;
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('The gateway does not respond.').waitFor();
    expect(await sidebar(page).isVisible()).toBe(true);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    expect(await sidebar(page).isVisible()).toBe(true);
    away.is = false;
    await page.getByText('The gateway does not respond.').waitFor({ state: 'detached' });
    // What failed is said, now that it can be.
    await page.getByRole('alert').filter({ hasText: 'Unable to connect' }).waitFor();
    await page.getByRole('button', { name: /^More actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });

    await page.getByText('API tokens', { exact: true }).first().waitFor();
    away.is = true;
    // Its menu is loaded with the first window of a phone's width.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('The gateway does not respond.').waitFor();
    expect(await page.getByRole('heading', { name: 'API tokens' }).isVisible()).toBe(true);
    away.is = false;
    await page.getByText('The gateway does not respond.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open menu' }).click();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Usage logs' }).waitFor();
    // With its style sheet, which is requested only once by itself.
    expect((await menu.boundingBox())?.width).toBe(300);
    expect(
      await menu
        .getByRole('navigation')
        .first()
        .evaluate((one) => getComputedStyle(one).paddingLeft),
    ).toBe('12px');
  });

  it('a drawer opens once the server is back; the screen and what was typed stay', async () => {
    const { page, away } = await openTokens(/\/(assets|api)\//);
    const search = page.getByRole('searchbox', { name: 'Name' });
    const found = page.waitForResponse(/\/api\/token\/.*app/);
    await search.fill('app');
    await found; // The screen has drawn the address that says so.
    expect(page.url()).toContain('q=app');
    await page.getByRole('button', { name: /^More actions for/ }).waitFor();
    away.is = true;
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByText('The gateway does not respond.').waitFor();
    expect(await page.getByRole('heading', { name: 'API tokens', level: 1 }).isVisible()).toBe(
      true,
    );
    expect(await page.getByRole('dialog').count()).toBe(0);
    away.is = false;
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
    expect(await search.inputValue()).toBe('app');
  });

  it('an upgraded server is noticed, and what is typed stays until the page is loaded again', async () => {
    const { page } = await openTokens(/nothing/);
    await page.clock.install();
    await page.goto(`${site.url}/token?new=1`);
    const name = page.getByRole('dialog').getByRole('textbox').first();
    await name.fill('typed before');
    await page.route(/\/api\//, async (route) => {
      const reply = await route.fetch();
      const headers = { ...reply.headers(), 'x-turnpike-build': 'another' };
      await route.fulfill({ response: reply, headers });
    });
    // With the next look at the channels, in at most 15 s.
    await page.clock.runFor(16_000);
    await page.clock.resume();
    await page.getByText('A new version is installed.').waitFor();
    await photograph(page, 'another-build');
    for (const width of [390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const banner = page.locator('[data-banner]');
      const title = page.getByRole('dialog').getByRole('heading').first();
      // The drawer makes room once it has measured the banner.
      await expect
        .poll(async () => {
          const [upper, lower] = [await banner.boundingBox(), await title.boundingBox()];
          return (lower?.y ?? 0) - ((upper?.y ?? 0) + (upper?.height ?? 0));
        })
        .toBeGreaterThanOrEqual(0);
      await photograph(page, `another-build-drawer-${width}`);
    }
    await page.getByRole('button', { name: 'Later' }).click();
    expect(await name.inputValue()).toBe('typed before');
  });

  it('that fails while it is drawn leaves the shell, and is there after a reload', async () => {
    const { page } = await openTokens(/nothing/);
    const rows = /\/api\/redemption\//;
    await page.route(rows, (route) =>
      route.fulfill({ json: { success: true, message: '', data: { items: [null], total: 1 } } }),
    );
    await page.getByRole('link', { name: 'Redemption codes' }).click();
    await page.getByRole('heading', { name: 'This page failed' }).waitFor();
    await page.getByText(/Cause: .+ null/).waitFor();
    expect(await sidebar(page).isVisible()).toBe(true);
    await page.unroute(rows);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Redemption codes', level: 1 }).waitFor();
  });

  it('is explained where another build is installed, and there after a reload', async () => {
    const { page, away } = await openTokens(/\/assets\//);
    away.is = true;
    const first = failedTwice(page);
    await page.getByRole('link', { name: 'Usage logs' }).click();
    await first;
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    expect(await sidebar(page).isVisible()).toBe(true);
    await photograph(page, 'screen-not-loaded-other-build');
    // The way back is not cut.
    await sidebar(page).click();
    await page.getByRole('heading', { name: 'API tokens' }).waitFor();
    const second = failedTwice(page);
    await page.goBack();
    await second;
    away.is = false;
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Usage logs' }).waitFor();
  });
});
