// Covers src/ui/routes/detail/quick-start.
/**
 * From an empty folder to the first answer in the playground, with counted clicks
 * (docs/rules/console.md#quick-start).
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type BuiltGateway, startBuiltGateway } from '../support/built-gateway.ts';
import { overflow, violations, watchFaults, watchRequests } from '../support/page-checks.ts';
import { photograph } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';
import { chatReply, sendJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
/** The upstream's own words. */
const refusal = 'Incorrect API key provided. You can find your API key at the vendor.';

describe.skipIf(!hasTool('browser'))('the first answer', () => {
  let upstream: TestUpstream;
  let gateway: BuiltGateway;
  let page: Page;
  let faults: readonly string[] = [];

  beforeAll(async () => {
    upstream = await startUpstream();
    const completion = chatReply('Toll paid.', usage);
    upstream.answer((response, request) => {
      if (request.headers.authorization !== 'Bearer sk-right')
        return sendJson(response, 401, {
          error: { message: refusal, type: 'invalid_request_error', code: 'invalid_api_key' },
        });
      if (!request.path.endsWith('/models')) return completion(response, request);
      sendJson(response, 200, {
        object: 'list',
        data: ['unheard-of-1', 'text-embedding-3-small', 'gpt-4o'].map((id) => ({ id })),
      });
    });
    gateway = await startBuiltGateway();
    const browser = await openBrowser();
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    page = await context.newPage();
    watchRequests(page);
    faults = watchFaults(page);
    await page.addInitScript(() => {
      addEventListener(
        'click',
        (event) => {
          // Enter in a form clicks its button, and Space a checkbox: those are keys.
          if (event.detail === 0) return;
          const clicks = Number(sessionStorage.getItem('clicks') ?? 0) + 1;
          sessionStorage.setItem('clicks', String(clicks));
        },
        true,
      );
    });
  });
  afterAll(async () => {
    await page?.context().close();
    await gateway?.close();
    await upstream?.close();
  });
  const clicks = () => page.evaluate(() => Number(sessionStorage.getItem('clicks') ?? 0));

  it('is four clicks away from the dashboard of an empty site', async () => {
    await page.goto(`${gateway.url}/setup#code=${gateway.setupCode}`);
    // An English browser has an English page.
    await page.getByText('The code is correct').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('a-long-password');
    await page.getByLabel('Repeat the password').fill('a-long-password');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/detail');
    const key = page.getByRole('textbox', { name: 'Key', exact: true });
    await key.waitFor();
    await page.evaluate(() => sessionStorage.removeItem('clicks'));

    // The key is pasted where the focus is; the address is reached by Tab.
    await expect.poll(() => key.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.insertText('sk-ant-api03-x');
    await page.getByText('Recognised by the key or address').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('sk-wrong');
    await page.getByRole('textbox', { name: 'Address' }).fill(`${upstream.url}/v1`);
    await page.getByRole('button', { name: 'Verify the key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(refusal, { exact: false }).waitFor();
    await photograph(page, 'quick-start-refused');
    expect(await clicks()).toBe(0);

    await key.fill('sk-right');
    await page.getByRole('button', { name: 'Verify the key' }).click();
    const models = page.getByRole('list', { name: 'Models of the upstream' });
    await models.waitFor();
    expect(await models.getByRole('listitem').allTextContents()).toEqual([
      'text-embedding-3-small',
      'gpt-4o',
      expect.stringMatching(/unheard-of-1no price$/),
    ]);
    await page.getByText('1 of them has no price').waitFor();
    expect(await violations(page, { within: 'main' })).toEqual([]);
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await overflow(page)]).toEqual([width, 0]);
      if (width === 320) expect(await smallTargets(page, 'main ol')).toEqual([]);
      await photograph(page, `quick-start-models-${width}`);
    }
    await page.getByRole('button', { name: 'Connect 2 models' }).click();
    await page.getByText('gpt-4o passed its test in').waitFor();
    await page.getByText('A token is made').waitFor();
    await photograph(page, 'quick-start-done');
    await page.getByRole('link', { name: 'Try gpt-4o' }).click();
    await page.waitForURL('**/playground?**');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('hello');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Toll paid.').waitFor();
    expect(await clicks()).toBe(4);
    expect(faults).toEqual([]);
  });
});
