// Covers src/ui/routes/about, src/ui/routes/home.
/**
 * The site's own texts in a real browser: home page, about, notice, footer, logo, updates, New Year
 * (docs/rules/options.md#site-content).
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { holdRequests } from '../support/held-requests.ts';
import { atRest } from '../support/page-checks.ts';
import { photograph, variants, wide } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

/** Attempts to run a script, each with the word "ok" beside it. */
const attacks = [
  '<script>alert(1)</script>ok',
  '<img src=x onerror=alert(1)>ok',
  '[ok](javascript:alert(1))',
  '<a href="jAvAsCrIpT:alert(1)">ok</a>',
  '<a href="data:text/html,<script>alert(1)</script>">ok</a>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>ok',
  '<math><mtext></mtext><mglyph><img src=x onerror=alert(1)></mglyph></math>ok',
  '<iframe src="javascript:alert(1)" srcdoc="<script>alert(1)</script>"></iframe>ok',
  '<form action="https://evil.example"><input name=password><button formaction="javascript:alert(1)">x</button></form>ok',
  '<div style="position:fixed;inset:0" class="m_9df02822" id="root">ok</div>',
  '<object data="javascript:alert(1)"></object><embed src="x">ok',
  '<base href="https://evil.example/">ok',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">ok',
];

describe.skipIf(!hasTool('browser'))('texts of the site', () => {
  let site: ConsoleSite;
  let page: Page;
  let codeHost: Server;
  let release: { readonly tag_name: string; readonly body: string } | undefined;

  beforeAll(async () => {
    codeHost = createServer((_, response) => {
      response.statusCode = release === undefined ? 500 : 200;
      response.end(JSON.stringify(release ?? {}));
    });
    await new Promise<void>((done) => codeHost.listen(0, '127.0.0.1', done));
    const { port } = codeHost.address() as AddressInfo;
    site = await startConsoleSite({ RELEASE_URL: `http://127.0.0.1:${port}/releases/latest` });
    page = await inEnglish('root');
  });
  afterAll(async () => {
    await site?.close();
    codeHost?.close();
  });

  const inEnglish = async (who: 'root' | 'visitor') => {
    const opened = await site.open({ viewport: wide, locale: 'en-US' }, who);
    await opened.addInitScript(() => {
      if (localStorage.getItem('i18nextLng') === null) localStorage.setItem('i18nextLng', 'en');
    });
    return opened;
  };
  const write = (key: string, value: string) => site.api('PUT', '/api/option/', { key, value });
  const article =
    '# Toll road\n\nOne **key**, every model.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[Docs](https://docs.example)\n\n![Map](https://cdn.example/map.png)';

  it('without a home page / leads to the console; with one it shows it to visitors and users', async () => {
    await page.goto(`${site.url}/`);
    await page.waitForURL('**/detail');
    await write('HomePageContent', article);
    const visitor = await inEnglish('visitor');
    await visitor.goto(`${site.url}/`);
    await visitor.getByRole('heading', { name: 'Toll road' }).waitFor();
    await expect
      .poll(() => visitor.getByRole('link', { name: 'Docs' }).getAttribute('target'))
      .toBe('_blank');
    await visitor.getByRole('cell', { name: '2' }).waitFor();
    await expect
      .poll(() =>
        visitor.getByRole('link', { name: 'Home', exact: true }).getAttribute('aria-current'),
      )
      .toBe('true');
    await visitor.getByRole('link', { name: 'Console' }).click();
    await visitor.waitForURL('**/login');
    await visitor.context().close();
    await page.goto(`${site.url}/`);
    await page.getByRole('heading', { name: 'Toll road' }).waitFor();
    // The sidebar is not part of it.
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  });

  it('about: empty, Markdown, a document with styles, a framed address', async () => {
    await page.goto(`${site.url}/about`);
    await page.getByText('Nothing about this site yet').waitFor();
    await page.getByText(/^Turnpike \d/).waitFor();
    await write('About', article);
    await page.reload();
    await page.getByRole('heading', { name: 'Toll road' }).waitFor();
    await write(
      'About',
      '<!doctype html><style>p{color:rgb(1,2,3)}</style><p onclick="parent.hit=1">styled</p><script>parent.hit=1</script>',
    );
    await page.reload();
    const styled = page.frameLocator('iframe[title="About"]').getByText('styled');
    await styled.waitFor();
    expect(await styled.evaluate((node) => getComputedStyle(node).color)).toBe('rgb(1, 2, 3)');
    await styled.click();
    expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
    await write('About', `${site.upstream.url}/`);
    await page.reload();
    const sandbox = await page.locator('iframe[title="About"]').getAttribute('sandbox');
    expect(sandbox).toContain('allow-scripts');
    expect(sandbox).not.toContain('allow-top-navigation');
    await write('About', '');
  });

  it('no text of the site runs a script', async () => {
    const alarms: string[] = [];
    page.on('dialog', (dialog) => {
      alarms.push(dialog.message());
      void dialog.dismiss();
    });
    for (const attack of attacks) {
      await write('About', attack);
      await page.goto(`${site.url}/about`);
      const place = page.locator('main').getByText('ok').first();
      await place.waitFor();
      const html = await page.locator('main').innerHTML();
      expect(html, attack).not.toMatch(
        /<(script|math|style|iframe|form|input|object|embed|base|meta)\b/i,
      );
      expect(html, attack).not.toMatch(/\son\w+=|javascript:|data:text|position: ?fixed/i);
    }
    // Nested without end, and long.
    await write('About', `${'> '.repeat(20_000)}deep`);
    await page.reload();
    await page.getByText('deep').waitFor();
    await write('About', `${'*a '.repeat(200_000)}<b>huge</b>`);
    await page.reload();
    await page.getByText('huge').waitFor();
    await write('About', '');
    expect(alarms).toEqual([]);
  });

  it('a notice opens once for each browser, and again when it changes', async () => {
    const dialog = () => page.getByRole('dialog', { name: 'Notice' });
    await write('Notice', 'Maintenance on **Sunday**');
    // Never empty first: it opens with its text.
    const notice = await holdRequests(page, '**/api/notice');
    await page.goto(`${site.url}/detail`);
    await notice.first;
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
    expect(await dialog().count()).toBe(0);
    await notice.release();
    await dialog().getByText('Maintenance on Sunday').waitFor();
    await dialog().getByRole('button', { name: 'Got it' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Notice', exact: true }).click();
    await dialog().getByText('Maintenance on Sunday').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await write('Notice', 'Maintenance is over');
    await page.reload();
    await dialog().getByText('Maintenance is over').waitFor();
    // Signing out forgets the account, not what was shown.
    await page.keyboard.press('Escape');
    const visitor = await inEnglish('visitor');
    await visitor.goto(`${site.url}/pricing`);
    await visitor
      .getByRole('dialog', { name: 'Notice' })
      .getByText('Maintenance is over')
      .waitFor();
    await visitor.context().close();
    // Not over the login of a reader whose session has ended, but after it.
    await write('Notice', 'Maintenance again');
    await page.context().clearCookies();
    await page.goto(`${site.url}/detail`);
    await page.waitForURL('**/login?expired=true');
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('Account').fill('root');
    await page.getByRole('textbox', { name: 'Password' }).fill('a-long-password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await dialog().getByText('Maintenance again').waitFor();
    await page.keyboard.press('Escape');
    // Not over a page that says that something is missing; the dot announces it.
    await write('Notice', 'Maintenance at last');
    const read = page.waitForResponse('**/api/notice');
    await page.goto(`${site.url}/nowhere`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await (await read).finished();
    await page.getByRole('button', { name: 'Notice (new)' }).click();
    await dialog().getByText('Maintenance at last').waitFor();
    expect(await dialog().count()).toBe(1);
    await page.keyboard.press('Escape');
    await write('Notice', '');
    await page.reload();
    await page.getByRole('link', { name: 'About', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Notice/ }).count()).toBe(0);
  });

  it('name, logo and footer', async () => {
    await write('SystemName', '<b>Toll</b>');
    await write('Footer', '**Toll** <a href="https://a.example">Terms</a>');
    await write(
      'Logo',
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
    );
    await page.goto(`${site.url}/token`);
    await page.locator('footer').getByText('Toll').waitFor();
    await expect
      .poll(() => page.locator('footer').getByRole('link', { name: 'Terms' }).getAttribute('rel'))
      .toBe('noopener noreferrer');
    await page.getByRole('banner').getByText('<b>Toll</b>').waitFor();
    await expect.poll(() => page.title()).toContain('<b>Toll</b>');
    await page.locator('header img[src^="data:image/svg"]').first().waitFor();
    for (const [key, value] of [
      ['SystemName', 'Turnpike'],
      ['Footer', ''],
      ['Logo', '/logo.png'],
    ] as const)
      await write(key, value);
  });

  it('settings: preview of what is not saved yet, version and start, check for update', async () => {
    await page.goto(`${site.url}/setting?tab=other`);
    await page.getByRole('heading', { name: 'System', exact: true }).waitFor();
    await page.getByLabel('Notice').first().fill('# Draft');
    await page.getByRole('button', { name: 'Preview: Notice' }).click();
    await page
      .getByRole('region', { name: 'Preview: Notice' })
      .getByRole('heading', { name: 'Draft' })
      .waitFor();
    await page.getByRole('button', { name: 'Check for update' }).click();
    await page.getByText('Check for update failed, try again later').first().waitFor();
    release = { tag_name: 'v0.0.1', body: '' };
    await page.getByRole('button', { name: 'Check for update' }).click();
    await page.getByText(/This is the latest version/).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  it('a newer release opens its notes', async () => {
    const { port } = codeHost.address() as AddressInfo;
    release = { tag_name: 'v99.0.0', body: '## New\n\n- <img src=x onerror=alert(1)>faster' };
    // The reply of before is reused for an hour, so another process asks.
    const other = await startConsoleSite({
      RELEASE_URL: `http://127.0.0.1:${port}/releases/latest`,
    });
    try {
      const window = await other.open({ viewport: wide });
      await window.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
      await window.goto(`${other.url}/setting?tab=other`);
      await window.getByRole('button', { name: 'Check for update' }).click();
      const dialog = window.getByRole('dialog', { name: 'New version: v99.0.0' });
      await dialog.getByRole('heading', { name: 'New', exact: true }).waitFor();
      await dialog.getByText('faster').waitFor();
      await photograph(window, 'content-update-en');
    } finally {
      await other.close();
    }
  });

  it('1 January has a menu item: a bar for 3 s, and 10 s later the page loads again', async () => {
    const window = await inEnglish('root');
    await window.clock.install({ time: new Date(2027, 0, 1, 12) });
    await window.goto(`${site.url}/detail`);
    // Otherwise the bar ends by itself on a slow machine.
    await window.clock.pauseAt(new Date(2027, 0, 1, 13));
    await window.clock.runFor(1000);
    await window.getByRole('button', { name: 'Happy New Year' }).click();
    await window.clock.runFor(1000);
    await window.getByRole('progressbar', { name: 'Happy New Year' }).waitFor();
    await window.clock.runFor(2500);
    await window
      .getByRole('progressbar', { name: 'Happy New Year' })
      .waitFor({ state: 'detached' });
    const loaded = window.waitForEvent('load');
    await window.clock.runFor(10_000);
    await loaded;
    await window.context().close();
    await page.goto(`${site.url}/detail`);
    await page.getByRole('link', { name: 'About', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Happy New Year' }).count()).toBe(0);
  });

  it('an unknown path says that the page does not exist', async () => {
    await page.goto(`${site.url}/no/such/page`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Check that the address is correct.').waitFor();
  });

  it('looks right in both languages and themes, wide and on a phone', async () => {
    await write('HomePageContent', article);
    await write('About', article);
    await write('Notice', article);
    for (const [scheme, language, viewport] of variants) {
      const window = await site.open({ viewport, colorScheme: scheme });
      await window.addInitScript(
        ([theme, lng]) => {
          localStorage.setItem('theme-mode', theme);
          localStorage.setItem('i18nextLng', lng);
        },
        [scheme, language] as const,
      );
      for (const path of ['/', '/about', '/setting?tab=other', '/nowhere']) {
        await window.goto(site.url + path);
        await atRest(window);
        if (path === '/') {
          await window.getByRole('dialog').waitFor();
          await photograph(window, `content-notice-${scheme}-${language}-${viewport.width}`);
          await window.keyboard.press('Escape');
          await window.getByRole('dialog').waitFor({ state: 'detached' });
        }
        const name = path.replace(/\W+/g, '-');
        await photograph(window, `content${name}-${scheme}-${language}-${viewport.width}`);
        expect(
          await window.evaluate(
            () => document.documentElement.scrollWidth <= globalThis.innerWidth,
          ),
        ).toBe(true);
      }
      await window.context().close();
    }
  });
});
