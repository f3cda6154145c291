/**
 * What a browser loads for the first view of each screen of the built console (docs/rules/console.md#first-load). Sizes, not
 * times: the result is the same on every machine.
 */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/browser.ts';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';

/** Bytes of script (gzip) and files. The settings carry the option registry with its rules and words, and all kinds of fields. */
const most = { page: { bytes: 250 * 1024, files: 28 }, settings: { bytes: 325 * 1024, files: 34 } };

describe.skipIf(!browserAvailable())('the first load of a screen', { timeout: 60_000 }, () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await startConsoleSite();
    // Every part of the dashboard and of the lists has something to show.
    await site.chat(siteModel);
  }, 90_000);
  afterAll(() => site?.close());

  const load = async (path: string, ready: string, who: 'root' | 'visitor') => {
    const page = await site.open({}, who);
    const scripts = new Map<string, Promise<number>>();
    page.on('response', (response) => {
      if (!/\.js$/.test(new URL(response.url()).pathname)) return;
      scripts.set(
        response.url(),
        response.body().then((body) => gzipSync(body).length),
      );
    });
    await page.goto(site.url + path);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(scripts.values());
    await page.context().close();
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.info(`${path}: ${(bytes / 1000).toFixed(1)} KB of script (gzip) in ${sizes.length} files`);
    return { bytes, files: sizes.length };
  };

  it.each([
    ['/login', 'input[type="password"]', most.page, 'visitor'],
    ['/detail', '[role="img"]', most.page, 'root'],
    ['/channel', 'tr[data-row="0"]', most.page, 'root'],
    ['/token', 'tr[data-row="0"]', most.page, 'root'],
    ['/log', 'tr[data-row="0"]', most.page, 'root'],
    ['/topup', 'main table tbody tr', most.page, 'root'],
    ['/topup/history', 'main h2', most.page, 'root'],
    ['/pricing', 'tr[data-row="0"]', most.page, 'visitor'],
    ['/personal', 'main input', most.page, 'root'],
    ['/setting', 'main input', most.settings, 'root'],
  ] as const)('%s: its first load stays small', async (path, ready, limit, who) => {
    const { bytes, files } = await load(path, ready, who);
    expect(files).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(limit.bytes);
    expect(files).toBeLessThanOrEqual(limit.files);
  });
});
