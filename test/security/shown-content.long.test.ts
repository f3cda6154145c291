/**
 * What a model or an administrator wrote loads nothing by itself (docs/security.md#shown-content),
 * in a real browser: neither from another site, which would carry conversations out, nor from this
 * one, whose calls would be made in the reader's name.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { atRest } from '../support/page-checks.ts';
import { hasTool } from '../support/tools.ts';
import { chatStream, startUpstream, type TestUpstream } from '../support/upstream.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Calls of this site that an answer might make in the reader's name. */
const calls = [
  '/api/oauth/telegram/bind?id=7&hash=0',
  '/api/user/logout',
  '/oauth/telegram?id=7',
  '/api/status',
];

/** Each would load `at` by itself. */
const loading = (at: string): readonly string[] => [
  `![Markdown](${at}?1)`,
  `<img src="${at}?2" alt="html">`,
  `<img srcset="${at}?3 1x, ${at}?4 2x">`,
  `<picture><source srcset="${at}?5"><img src="${at}?6"></picture>`,
  `<video src="${at}?7" poster="${at}?8" autoplay></video>`,
  `<audio src="${at}?9" autoplay></audio>`,
  `<video autoplay><source src="${at}?10"><track src="${at}?11" default></video>`,
  `<svg><image href="${at}?12"/><image xlink:href="${at}?13"/><use href="${at}?14#a"/><feImage href="${at}?15"/></svg>`,
  `<table background="${at}?16"><tr><td background="${at}?17">x</td></tr></table>`,
  `<p style="background:url(${at}?18);list-style-image:url(${at}?19)">x</p>`,
  `<style>@import url(${at}?20);p{background:url(${at}?21)}@font-face{font-family:f;src:url(${at}?22)}p{font-family:f}</style>`,
  `<link rel="stylesheet" href="${at}?23"><link rel="prefetch" href="${at}?24"><link rel="preconnect" href="${at}">`,
  `<iframe src="${at}?25"></iframe><object data="${at}?26"></object><embed src="${at}?27">`,
  `<input type="image" src="${at}?28"><meta http-equiv="refresh" content="0;url=${at}?29">`,
  `<svg><rect fill="url(${at}?30#a)" mask="url(${at}?31#m)" filter="url(${at}?32#f)"/></svg>`,
  `[![linked](${at}?33)](https://docs.example)`,
];

describe.skipIf(!hasTool('browser'))('what others wrote', () => {
  let site: ConsoleSite;
  let elsewhere: TestUpstream;
  let page: Page;
  /** Every address that the browser asked for, except those that the page's policy kept it from. */
  const asked: string[] = [];

  beforeAll(async () => {
    elsewhere = await startUpstream();
    elsewhere.answer((response) => void response.setHeader('content-type', 'image/png').end(png));
    site = await startConsoleSite({ FETCH_ALLOW_HOSTS: '127.0.0.1' });
    page = await site.open({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    await page.addInitScript(() => {
      if (window.top !== window) return;
      localStorage.setItem('i18nextLng', 'en');
      // Each notice is new to this browser.
      for (const key of ['notice', 'status']) localStorage.removeItem(key);
    });
    page.on('response', (response) => asked.push(response.url()));
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'csp') asked.push(request.url());
    });
  });
  afterAll(async () => {
    await site?.close();
    await elsewhere?.close();
  });

  const write = (key: string, value: string) => site.api('PUT', '/api/option/', { key, value });
  const markup = () =>
    [elsewhere.url, ...calls.map((path) => `${site.url}${path}`), ...calls].flatMap((at) =>
      loading(at),
    );
  /**
   * What was asked for that nobody but the texts wanted. The console itself reads the status, by
   * exactly its address.
   */
  const wanted = () =>
    asked.filter(
      (url) => url.startsWith(elsewhere.url) || (url !== `${site.url}/api/status` && isCall(url)),
    );
  const isCall = (url: string) =>
    calls.some((path) => url.startsWith(`${site.url}${path.split('?')[0]}`));
  const ask = async (answer: string) => {
    site.upstream.answer(
      chatStream([answer], { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }),
    );
    await page.goto(`${site.url}/playground?model=${siteModel}`);
    await page.evaluate(() => localStorage.removeItem('playground-chats'));
    await page.reload();
    await page.getByLabel('Message', { exact: true }).fill('hello');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    await expect
      .poll(() => page.locator('article[aria-busy]').last().getAttribute('aria-busy'))
      .toBe('false');
    await page.locator('article[aria-busy] p').first().waitFor();
    await atRest(page);
  };

  it('an answer loads nothing, and names the host of a picture', async () => {
    asked.length = 0;
    await ask(`Look:\n\n${markup().join('\n\n')}`);
    await page.locator('[data-foreign]').first().waitFor();
    await page.evaluate(() => {
      for (const box of document.querySelectorAll('section > div'))
        box.scrollTop = box.scrollHeight;
    });
    await atRest(page);
    expect(wanted()).toEqual([]);
    expect(elsewhere.requests).toEqual([]);
    const { host } = new URL(elsewhere.url);
    expect(await page.locator('[data-foreign]').first().innerText()).toBe(
      `Markdown · Picture at ${host}`,
    );
    // What would make a call is neither a picture nor a link.
    expect(await page.locator('article a[href*="/api/"], article img[src*="/api/"]').count()).toBe(
      0,
    );
  });

  it('a click loads one picture, through the gateway', async () => {
    asked.length = 0;
    elsewhere.requests.length = 0;
    await ask(
      `![one](${elsewhere.url}/a?said=this)\n\n![two](${elsewhere.url}/b)\n\n![no](${site.url}/api/user/logout)`,
    );
    await page.getByText(/^one · Picture at/).click();
    await page.locator('article img').waitFor();
    await expect
      .poll(() =>
        page.locator('article img').evaluate((img) => (img as HTMLImageElement).naturalWidth),
      )
      .toBe(1);
    expect(asked.filter((url) => url.startsWith(elsewhere.url))).toEqual([]);
    expect(elsewhere.requests.map(({ path }) => path)).toEqual(['/a?said=this']);
    const headers = elsewhere.requests[0]?.headers;
    expect([headers?.cookie, headers?.referer, headers?.origin]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await page.locator('article [data-foreign]').count()).toBe(1);
    expect(wanted()).toEqual([]);
  });

  it('own files are shown: below /uploads/, /mj/image/ and /pg/, and nothing else', async () => {
    asked.length = 0;
    const paths = ['/uploads/2026/11/a.png', '/mj/image/1', '/pg/foreign?address=x'];
    const ways = [
      '/uploads/../api/user/logout',
      '/uploads/%2e%2e/api/user/logout',
      '/pg\\..\\api/user/logout',
      '/PG/x',
      '//x.invalid/',
    ];
    await ask([...paths, ...ways].map((path) => `![x](<${path}>)`).join('\n\n'));
    const own = asked
      .map((url) => url.replace(site.url, ''))
      .filter((url) => /^\/(uploads|mj|pg)\/(?!chat)/i.test(url));
    expect([...new Set(own)].sort()).toEqual([...paths].sort());
    await expect.poll(() => page.locator('article img').count()).toBe(paths.length);
    expect(wanted()).toEqual([]);
  });

  it.each(['Notice', 'About', 'HomePageContent', 'Footer'])(
    '%s loads nothing, as text or as a document',
    async (key) => {
      const paths = {
        Notice: '/about',
        About: '/about',
        HomePageContent: '/',
        Footer: '/about',
      } as const;
      const texts = [
        'text\n\n',
        '<!doctype html><html><body>text',
        '<style>b{color:red}</style>text',
      ];
      for (const text of key === 'Footer' ? texts.slice(0, 1) : texts) {
        asked.length = 0;
        elsewhere.requests.length = 0;
        // Styles make a document of a text.
        const shown = markup().filter(
          (line) => text.startsWith('<') || key === 'Footer' || !line.startsWith('<style>'),
        );
        await write(key, text + shown.join('\n\n'));
        await page.goto(`${site.url}${paths[key as keyof typeof paths]}`);
        if (key === 'Notice') await page.getByRole('dialog', { name: 'Notice' }).waitFor();
        await page
          .locator(text.startsWith('<') ? 'iframe' : '[data-foreign]')
          .first()
          .waitFor();
        await atRest(page);
        expect(wanted(), text).toEqual([]);
        expect(elsewhere.requests, text).toEqual([]);
      }
      await write(key, '');
    },
  );

  it('icons and descriptions of the model square: the gateway fetches icons, so that their hosts do not see visitors', async () => {
    const entry = {
      model: siteModel,
      icon: `${elsewhere.url}/icon.png`,
      description: markup().join(' ').slice(0, 4000),
      publish_time: '2026-11-20',
      type: '对话',
      tags: ['x'],
      manufacturer: 'OpenAI',
      price_type: 2,
      context: '32K',
      specification: ['x'],
      status: 1,
    };
    await site.api('POST', '/api/model_square_management/add', entry);
    asked.length = 0;
    elsewhere.requests.length = 0;
    for (const path of [`/model_square?model=${siteModel}`, '/model_square_management']) {
      await page.goto(site.url + path);
      await atRest(page);
    }
    const icon = page.locator('img[src^="/pg/icon"]').first();
    await expect.poll(() => icon.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1);
    expect(elsewhere.requests.map(({ path, headers }) => [path, headers.cookie])).toEqual([
      ['/icon.png', undefined],
    ]);
    expect(wanted()).toEqual([]);
    // Only what an entry names.
    const other = `${site.url}/pg/icon?address=${encodeURIComponent(`${elsewhere.url}/other.png`)}`;
    expect(await page.evaluate(async (url) => (await fetch(url)).status, other)).toBe(404);
    expect(elsewhere.requests).toHaveLength(1);
  });

  it('the logo may be on another site: its owner is asked for it, and no other site', async () => {
    await write('Logo', `${elsewhere.url}/logo.png`);
    const policy = (await fetch(`${site.url}/`)).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      new RegExp(`img-src 'self' data: blob: ${elsewhere.url.replaceAll('.', '\\.')}\\s*;`),
    );
    await page.goto(`${site.url}/about`);
    const logo = page.locator(`img[src="${elsewhere.url}/logo.png"]`).first();
    await expect.poll(() => logo.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1);
    expect(elsewhere.requests.at(-1)?.headers.referer).toBeUndefined();
    // A path of this site works, too, whatever serves it.
    await page.route('**/brand/our;logo.png', (route) =>
      route.fulfill({ contentType: 'image/png', body: png }),
    );
    await write('Logo', '/brand/our;logo.png');
    await page.goto(`${site.url}/about`);
    const own = page.locator('img[src="/brand/our;logo.png"]').first();
    await expect.poll(() => own.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(1);
    await write('Logo', '/logo.png');
  });

  it('the policy of the page refuses the same, whatever gets past the sanitiser', async () => {
    await page.goto(`${site.url}/about`);
    asked.length = 0;
    elsewhere.requests.length = 0;
    const blocked = await page.evaluate(
      async (addresses) => {
        const found: string[] = [];
        document.addEventListener('securitypolicyviolation', ({ blockedURI }) =>
          found.push(blockedURI),
        );
        const ends = addresses.map(
          (address) =>
            new Promise((resolve) => {
              const img = document.createElement('img');
              img.onload = resolve;
              img.onerror = resolve;
              img.src = address;
              document.body.append(img);
              const video = document.createElement('video');
              video.src = `${address}#video`;
              document.body.append(video);
              const sheet = document.createElement('p');
              sheet.style.backgroundImage = `url("${address}#css")`;
              sheet.textContent = 'x';
              document.body.append(sheet);
            }),
        );
        await Promise.all(ends);
        await new Promise((resolve) => setTimeout(resolve));
        return [...new Set(found.map((uri) => uri.split(/[?#]/)[0]))];
      },
      [
        `${elsewhere.url}/x`,
        '/api/user/logout',
        '/api/oauth/telegram/bind?id=1',
        '/uploads/2026/11/b.png',
      ],
    );
    await atRest(page);
    const refused = [
      `${elsewhere.url}/x`,
      `${site.url}/api/user/logout`,
      `${site.url}/api/oauth/telegram/bind`,
    ];
    expect(blocked.sort()).toEqual(refused.sort());
    expect(wanted()).toEqual([]);
    expect(asked).toContain(`${site.url}/uploads/2026/11/b.png`);
    const { headers } = await fetch(`${site.url}/`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/img-src 'self' data: blob:\s*;/);
    expect(policy).toMatch(/media-src 'self'\s*;/);
  });
});
