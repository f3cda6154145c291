/** The documentation that a gateway serves: it fits every width, and axe finds nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { overflow, violations } from '../support/page-checks.ts';
import { photograph } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';

describe.skipIf(!hasTool('browser'))('the pages at /docs', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway?.close());

  it.each(['light', 'dark'] as const)('fit every width and are accessible: %s', async (look) => {
    const browser = await openBrowser();
    const page = await browser.newPage({ colorScheme: look });
    for (const path of ['', 'operate', 'options', 'api', 'rules/pricing', 'zh/clients']) {
      await page.goto(`${gateway.url}/docs/${path}`);
      for (const width of [320, 768, 959, 960, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overflow(page), `${path} at ${width}`).toBe(0);
        await photograph(page, `docs-${path.replace('/', '-')}-${width}-${look}`);
      }
      expect(await violations(page), path).toEqual([]);
    }
    await page.close();
  });
});
