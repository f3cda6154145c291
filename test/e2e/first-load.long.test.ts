/**
 * What a browser loads for the first view of each screen of the built console
 * (docs/rules/console.md#first-load). Sizes, not times: the result is the same on every machine.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { hasTool } from '../support/tools.ts';

/** Bytes of script as they are transferred (Brotli), and files. */
const most = { bytes: 227 * 1024, files: 28 };

describe.skipIf(!hasTool('browser'))('the first load of a screen', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await startConsoleSite();
    // Every part of the dashboard and of the lists has something to show.
    await site.chat(siteModel);
    await site.api('POST', '/api/redemption/', { name: 'n', quota: 1 });
    const channel = {
      name: 'images',
      type: 1,
      key: 'sk-b',
      base_url: site.upstream.url,
      models: 'dall-e-3',
      group: 'default',
    };
    await site.api('POST', '/api/channel/', channel);
  });
  afterAll(() => site?.close());

  /** By URL: the name of a file changes with its content, and most screens load the same ones. */
  const sizes = new Map<string, Promise<number>>();
  const load = async (path: string, ready: string, who: 'root' | 'visitor') => {
    const page = await site.open({ viewport: { width: 1440, height: 900 } }, who);
    const scripts = new Set<string>();
    page.on('response', (response) => {
      const url = response.url();
      if (!/\.js$/.test(new URL(url).pathname)) return;
      scripts.add(url);
      if (!sizes.has(url))
        sizes.set(
          url,
          response
            .request()
            .sizes()
            .then(({ responseBodySize }) => responseBodySize),
        );
    });
    await page.goto(site.url + path);
    await page.locator(ready).first().waitFor();
    await page.waitForLoadState('networkidle');
    let bytes = 0;
    for (const url of scripts) bytes += (await sizes.get(url)) ?? 0;
    await page.context().close();
    console.info(`${path}: ${(bytes / 1000).toFixed(1)} KB of script in ${scripts.size} files`);
    return { bytes, files: scripts.size };
  };

  // While one page is awaited to be idle, another is drawn.
  it.concurrent.each([
    ['/login', 'input[type="password"]', 'visitor'],
    ['/register', 'input[type="password"]', 'visitor'],
    ['/reset', 'input[type="email"]', 'visitor'],
    ['/detail', '[role="img"]', 'root'],
    ['/channel', 'tr[data-row="0"]', 'root'],
    ['/token', 'tr[data-row="0"]', 'root'],
    ['/budget', 'main h2', 'root'],
    ['/log', 'tr[data-row="0"]', 'root'],
    ['/topup', 'main table tbody tr', 'root'],
    ['/topup/history', 'main h2', 'root'],
    ['/setting', 'main input', 'root'],
    ['/setting?tab=models', 'main textarea', 'root'],
    ['/setting?tab=system', 'main input', 'root'],
    ['/playground', 'form textarea', 'root'],
    ['/playground/image', 'form textarea', 'root'],
    ['/playground/video', 'main h1, main h2', 'root'],
    ['/midjourney', 'main input', 'root'],
    ['/task', 'main input', 'root'],
    ['/statement', 'table', 'root'],
    ['/redemption', 'tr[data-row="0"]', 'root'],
    ['/user', 'tr[data-row="0"]', 'root'],
    ['/personal', 'dl', 'root'],
    ['/pricing', 'tr[data-row="0"]', 'visitor'],
    ['/model_square', 'main ul > li', 'visitor'],
    ['/model_square_management', 'main h2', 'root'],
  ] as const)('%s: its first load stays small', async (path, ready, who) => {
    const { bytes, files } = await load(path, ready, who);
    expect(files).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(most.bytes);
    expect(files).toBeLessThanOrEqual(most.files);
  });
});
