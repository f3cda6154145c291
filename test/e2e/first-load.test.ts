/**
 * What a browser loads for the first view of each screen of the built console (docs/rules/console.md#first-load). Sizes, not
 * times: the result is the same on every machine.
 */
import { gzipSync } from 'node:zlib';
import OpenAI from 'openai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable, launchBrowser } from '../support/browser.ts';
import { type BuiltGateway, startBuiltGateway } from '../support/built-gateway.ts';
import { startUpstream, type TestUpstream } from '../support/upstream.ts';

/** Bytes of script (gzip) that a first load may request. The settings carry the option registry with its rules and words. */
const most = { page: 250_000, settings: 315_000 };
const mostFiles = 28;
const account = { username: 'root', password: 'a-long-password' };
const model = 'gpt-4o';

describe.skipIf(!browserAvailable())('the first load of a screen', { timeout: 60_000 }, () => {
  let upstream: TestUpstream;
  let gateway: BuiltGateway;
  let browser: Browser;
  /** Cookies and local storage of a signed-in user. */
  let login: Awaited<ReturnType<BrowserContext['storageState']>>;

  const api = async (page: Page, path: string, body: object) => {
    const user = await page.evaluate(() => localStorage.getItem('user'));
    const id = user === null ? '' : String((JSON.parse(user) as { id: number }).id);
    const reply = await page.request.post(gateway.url + path, { data: body, headers: { 'New-Api-User': id } });
    return (await reply.json()) as { success: boolean; message: string; data: { key?: string } };
  };

  beforeAll(async () => {
    upstream = await startUpstream();
    upstream.answer((response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'c1',
          object: 'chat.completion',
          created: 1,
          model,
          choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
        }),
      );
    });
    gateway = await startBuiltGateway();
    browser = await launchBrowser();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${gateway.url}/setup#code=${gateway.setupCode}`);
    await api(page, '/api/setup', { ...account, confirmPassword: account.password, setup_token: gateway.setupCode });
    await page.goto(`${gateway.url}/login`);
    await page.locator('input[autocomplete="username"]').fill(account.username);
    await page.locator('input[type="password"]').fill(account.password);
    await page.locator('button[type="submit"]').click();
    await page.waitForURL('**/detail');
    // Every part of the dashboard and of the lists has something to show.
    await api(page, '/api/channel/', {
      name: 'main',
      type: 1,
      key: 'sk-a',
      base_url: upstream.url,
      models: model,
      group: 'default',
    });
    const { data } = await api(page, '/api/token/', { name: 'app', remain_quota: 500_000, unlimited_quota: true });
    const client = new OpenAI({ apiKey: `sk-${data.key}`, baseURL: `${gateway.url}/v1` });
    await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'hello' }] });
    login = await context.storageState();
    await context.close();
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    await upstream?.close();
  });

  const load = async (path: string, ready: string, state?: typeof login) => {
    const context = await browser.newContext(state === undefined ? {} : { storageState: state });
    const page = await context.newPage();
    const scripts = new Map<string, Promise<number>>();
    page.on('response', (response) => {
      if (!/\.js$/.test(new URL(response.url()).pathname)) return;
      scripts.set(
        response.url(),
        response.body().then((body) => gzipSync(body).length),
      );
    });
    await page.goto(gateway.url + path);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(scripts.values());
    await context.close();
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.info(`${path}: ${(bytes / 1000).toFixed(1)} KB of script (gzip) in ${sizes.length} files`);
    return { bytes, files: sizes.length };
  };
  const isLight = ({ bytes, files }: { readonly bytes: number; readonly files: number }, limit: number) => {
    expect(files).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(limit);
    expect(files).toBeLessThanOrEqual(mostFiles);
  };

  it('login: below 250 KB of script', async () => isLight(await load('/login', 'input[type="password"]'), most.page));

  it.each([
    ['/detail', '[role="img"]', most.page],
    ['/channel', 'tr[data-row="0"]', most.page],
    ['/token', 'tr[data-row="0"]', most.page],
    ['/log', 'tr[data-row="0"]', most.page],
    ['/setting', 'input', most.settings],
  ])('%s: its first load stays small', async (path, ready, limit) => isLight(await load(path, ready, login), limit));
});
