/** What a customer does in the console: sign in, pay, and chat for what was paid. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { type EpayGateway, epayOptions, startEpayGateway } from '../support/epay-gateway.ts';
import { violations } from '../support/page-checks.ts';
import { phone } from '../support/screenshots.ts';
import { hasTool } from '../support/tools.ts';
import { chatStream } from '../support/upstream.ts';

const password = 'a-long-password';
const unit = 500_000;
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };

describe.skipIf(!hasTool('browser'))('a customer on a phone', () => {
  let site: ConsoleSite;
  let epay: EpayGateway;
  let page: Page;
  const quota = async () => (await site.api<{ quota: number }>('GET', '/api/user/2')).quota;

  beforeAll(async () => {
    epay = await startEpayGateway('file');
    site = await startConsoleSite();
    for (const [key, value] of Object.entries(epayOptions(epay, site.url)))
      await site.api('PUT', '/api/option/', { key, value });
    await site.api('POST', '/api/user/', { username: 'ann', password });
    page = await site.open({ viewport: phone }, 'visitor');
    await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
  });
  afterAll(() => site?.close());

  it('signs in', async () => {
    await page.goto(`${site.url}/login`);
    await page.locator('input[autocomplete="username"]').fill('ann');
    await page.locator('input[type="password"]').fill(password);
    await page.locator('button[type="submit"]').click();
    await page.waitForURL('**/personal');
  });

  it('pays, and has the quota', async () => {
    const before = await quota();
    await page.goto(`${site.url}/topup`);
    await page.getByRole('button', { name: '$20', exact: true }).click();
    await page.getByRole('radio', { name: 'Alipay' }).check();
    await page.getByRole('button', { name: 'Pay with Alipay' }).click();
    await page.waitForURL('**/pay/cashier?*');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText(/Order USR\w+ is paid and credited/).waitFor();
    expect(await quota()).toBe(before + 20 * unit);
  });

  it('chats in the playground, and is shown the charge', async () => {
    const before = await quota();
    site.upstream.answer(chatStream(['Toll ', 'paid.'], usage));
    await page.goto(`${site.url}/playground`);
    await page.getByLabel('Message', { exact: true }).fill('Is the toll paid?');
    await page.getByLabel('Message', { exact: true }).press('Enter');
    const answer = page.locator('article[aria-busy="false"]').last();
    await answer.getByText('Toll paid.').waitFor();
    // gpt-4o by default: 1,000 × $2.50/1M + 500 × $10/1M.
    await answer.getByText('Cost $0.0075').waitFor();
    expect(await quota()).toBe(before - 3750);
    expect(await violations(page)).toEqual([]);
    expect(await site.api('GET', '/api/turnpike/ledger/verify')).toMatchObject({
      ok: true,
      drifts: [],
    });
  });
});
