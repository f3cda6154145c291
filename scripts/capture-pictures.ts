/**
 * `npm run pictures`: the console of the demo site as the pictures of README.md, in docs/images.
 * Needs the built console and a browser. What they show is made up, and nearly the same each time.
 */
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { loadConfig } from '../src/core/config/load.ts';
import { silentLogger } from '../src/core/kernel/logger.ts';
import { openDemo } from '../src/demo/demo.ts';
import { startGateway } from '../src/server/start.ts';

const size = { width: 1280, height: 760 };
const folder = join(import.meta.dirname, '../docs/images');
/** Where Debian has it; CHROME_PATH names another. */
const browserPath = process.env['CHROME_PATH'] ?? '/usr/bin/chromium-headless-shell';

/** What is done on a page before its picture is taken. */
const pictures: readonly (readonly [name: string, path: string, open: (page: Page) => unknown])[] =
  [
    ['dashboard', '/detail', () => undefined],
    [
      'logs',
      '/log?user=jonas&time=all',
      async (page) => {
        await page.locator('tbody tr').nth(1).click();
        await page.getByText('Channels tried').first().waitFor();
      },
    ],
    ['channels', '/channel', () => undefined],
  ];

const { signal } = new AbortController();
const demo = await openDemo({ notice: '', stop: signal, requests: 900, perMinute: 0 });
const { config } = loadConfig({
  flags: { 'data-dir': demo.dataDir, port: 0, durability: 'normal' },
  environment: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' },
  cwd: demo.dataDir,
});
const gateway = await startGateway(config, { logger: silentLogger, version: 'demo', drainMs: 0 });
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
try {
  await demo.begin(gateway.url);
  const context = await browser.newContext({ viewport: size, locale: 'en-US' });
  const { rootName: username, password } = demo.site;
  const login = await context.request.post(`${gateway.url}/api/user/login`, {
    data: { username, password },
    headers: { origin: gateway.url },
  });
  const { data } = (await login.json()) as { data: object };
  await context.addInitScript((user) => {
    localStorage.setItem('user', user);
    localStorage.setItem('i18nextLng', 'en');
  }, JSON.stringify(data));
  const page = await context.newPage();
  for (const [name, at, open] of pictures) {
    await page.goto(gateway.url + at, { waitUntil: 'networkidle' });
    await open(page);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  }
} finally {
  await browser.close();
  await gateway.close();
  await demo.close();
}
