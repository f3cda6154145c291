/**
 * Buying quota in the console, from the amount to the credit, with payment providers that speak
 * Epay and WeChat Pay v3 (docs/rules/console.md#wallet).
 */
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, startConsoleSite } from '../support/console-site.ts';
import { type EpayGateway, epayOptions, startEpayGateway } from '../support/epay-gateway.ts';
import { holdRequests } from '../support/held-requests.ts';
import { atRest, overflow, violations, visit } from '../support/page-checks.ts';
import { chooseLook, phone, photograph, wide } from '../support/screenshots.ts';
import { patience } from '../support/slow.ts';
import { hasTool } from '../support/tools.ts';
import { smallTargets } from '../support/touch-targets.ts';
import {
  startWechatPay,
  type WechatPayProvider,
  wechatPayOptions,
} from '../support/wechat-pay-provider.ts';

const password = 'a-long-password';
const unit = 500_000;
const paymentCode = /^Payment code of order USR/;

interface TopUps {
  readonly records: readonly {
    readonly trade_no: string;
    readonly status: string;
    readonly payment_method: string;
  }[];
  readonly total: number;
}

describe.skipIf(!hasTool('browser'))('buying quota', () => {
  let site: ConsoleSite;
  let epay: EpayGateway;
  let wechat: WechatPayProvider;
  let page: Page;
  let ann: number;

  const setOptions = async (options: Readonly<Record<string, string>>) => {
    for (const [key, value] of Object.entries(options))
      await site.api('PUT', '/api/option/', { key, value });
  };
  const quota = async () => (await site.api<{ quota: number }>('GET', `/api/user/${ann}`)).quota;
  const orders = async (query = '') =>
    (await site.api<TopUps>('GET', `/api/topup?username=ann&${query}`)).records;
  const inEnglish = (opened: Page) =>
    opened.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
  const signIn = async (): Promise<Page> => {
    const opened = await site.open({ viewport: wide }, 'visitor');
    await inEnglish(opened);
    await opened.goto(`${site.url}/login`);
    await opened.locator('input[autocomplete="username"]').fill('ann');
    await opened.locator('input[type="password"]').fill(password);
    await opened.locator('button[type="submit"]').click();
    await opened.waitForURL('**/personal');
    return opened;
  };
  /** Another window of Ann, whose clock the test moves, at her wallet. */
  const walletWithClock = async (): Promise<Page> => {
    const storageState = await page.context().storageState();
    const opened = await site.open({ viewport: wide, storageState }, 'visitor');
    await opened.clock.install();
    await opened.goto(`${site.url}/topup`);
    return opened;
  };
  const toWallet = async () => {
    await page.goto(`${site.url}/topup`);
    await page.getByRole('heading', { name: 'Wallet' }).waitFor();
  };
  const shoot = (name: string) => photograph(page, `${name}`);

  beforeAll(async () => {
    epay = await startEpayGateway('file');
    wechat = await startWechatPay(Date.now, 'file');
    site = await startConsoleSite({ WECHAT_PAY_ENDPOINT: wechat.url });
    await site.api('POST', '/api/user/', { username: 'ann', password, display_name: 'Ann' });
    const { items } = await site.api<{ items: { id: number }[] }>(
      'GET',
      '/api/user/search?keyword=ann',
    );
    ann = items[0]?.id ?? 0;
    page = await signIn();
  });
  afterEach(async () => {
    expect(await site.api('GET', '/api/turnpike/ledger/verify')).toMatchObject({
      ok: true,
      drifts: [],
    });
  });
  afterAll(() => site?.close());

  it('says that online top-up is off, and that there is no link to buy codes', async () => {
    await page.getByRole('link', { name: /^Balance/ }).click();
    await page.getByText('The administrator has not enabled online top-up').waitFor();
    await page.getByRole('heading', { name: 'Spent, last 14 days' }).waitFor();
    await page.getByText('Nothing yet', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Get one' }).click();
    await page
      .getByRole('alert')
      .getByText('The super administrator has not set a top-up link')
      .waitFor();
    await setOptions({ TopUpLink: 'https://shop.example/codes' });
    await toWallet();
    await expect
      .poll(() => page.getByRole('link', { name: 'Get one' }).getAttribute('href'))
      .toBe('https://shop.example/codes');
  });

  it('redeems a code once, and says why it does not redeem others', async () => {
    const [code = ''] = await site.api<string[]>('POST', '/api/redemption/', {
      name: 'gift',
      quota: 3 * unit,
      count: 1,
    });
    const before = await quota();
    await toWallet();
    const field = page.getByRole('textbox', { name: 'Redemption code' });
    const redeem = page.getByRole('button', { name: 'Redeem' });
    await redeem.click();
    await page.getByText('Please enter the redemption code').waitFor();
    // The next code need not wait until the wallet has been read again.
    const wallet = await holdRequests(page, '**/api/user/self');
    await field.fill('0'.repeat(32));
    await redeem.click();
    await page.getByText('Invalid redemption code').waitFor();
    await field.fill(`  ${code} `);
    await expect.poll(() => redeem.isEnabled()).toBe(true);
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Redemption successful' });
    await dialog.getByText('Quota redeemed successfully: $3.00').waitFor();
    await wallet.release();
    await dialog.getByRole('button').click();
    await page.getByRole('region', { name: 'Ledger' }).getByText('Redemption code').waitFor();
    expect(await quota()).toBe(before + 3 * unit);
    await field.fill(code);
    await redeem.click();
    await page.getByText('The redemption code is already used or disabled').waitFor();
    expect(await quota()).toBe(before + 3 * unit);
  });

  it('hands over to a plain-http Epay gateway and comes back to a credited order', async () => {
    await setOptions({
      ...epayOptions(epay, site.url),
      TopupGroupRatio: '{"default":0.95}',
      TopUpCodes: '{"SPRING":0.9}',
      MinTopUp: '5',
    });
    const before = await quota();
    await toWallet();
    const amount = page.getByRole('textbox', { name: 'Top-up amount' });
    await amount.fill('4');
    await page.getByText('Top-up amount cannot be less than $5.00').waitFor();
    await amount.fill('12.5');
    await expect.poll(() => amount.inputValue()).toBe('12');
    await amount.fill('9000000000000000');
    await page
      .getByRole('alert')
      .getByText(/The amount must be a whole number of at most/)
      .waitFor();
    await amount.fill('90000000000000000000');
    await page.getByText('Enter a whole number').waitFor();
    await page.getByRole('button', { name: '$20', exact: true }).click();
    const code = page.getByRole('textbox', { name: 'Promo code (optional)' });
    await code.fill('SUMMER');
    await page.getByText('Invalid discount code').waitFor();
    await code.fill('SPRING');
    // 20 × 7.3 × 0.95 × 0.9 = 124.83
    const ticket = page.getByRole('region', { name: 'What you pay' });
    await ticket.getByText('¥124.83').waitFor();
    await expect
      .poll(() => ticket.textContent())
      .toMatch(/\$20\.00 = 10,000,000 quota.*¥7\.30 × 0\.95.*× 0\.9/);
    await page.getByRole('radio', { name: 'Alipay' }).check();
    await shoot('wallet');
    await page.getByRole('button', { name: 'Pay with Alipay' }).click();
    await page.getByRole('heading', { name: '124.83' }).waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(epay.url).origin);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText(/Order USR\w+ is paid and credited/).waitFor();
    expect(page.url()).toBe(`${site.url}/topup/history`);
    expect(epay.notified).toEqual(['success']);
    await page.getByRole('row', { name: /¥124\.83.*\$20\.00.*Alipay.*Success/ }).waitFor();
    await shoot('top-up-history');
    expect(await quota()).toBe(before + 20 * unit);
    await page
      .getByRole('link', { name: /^Balance/ })
      .getByText(`$${(before / unit + 20).toFixed(2)}`)
      .waitFor();
  });

  it('waits for a notice that is late, and shows the credit when it has come', async () => {
    epay.loseNotices();
    const before = await quota();
    await toWallet();
    await page.getByRole('button', { name: 'Pay with Alipay' }).click();
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.getByText(/Confirming the payment of order/).waitFor();
    const [order] = await orders('status=pending');
    const tradeNo = order?.trade_no ?? '';
    const check = page
      .getByRole('row', { name: new RegExp(tradeNo) })
      .getByRole('button', { name: /Check payment/ });
    await check.click();
    await page.getByText('No payment has arrived yet').waitFor();
    expect(await quota()).toBe(before);
    const notice = new URLSearchParams(epay.notice(tradeNo));
    expect(await (await fetch(`${site.url}/api/user/epay/notify?${notice}`)).text()).toBe(
      'success',
    );
    await page.getByText(`Order ${tradeNo} is paid and credited.`).waitFor();
    expect(await quota()).toBe(before + 10 * unit);
  });

  it('says so when the browser refuses the payment page of settings that are newer than the page', async () => {
    await setOptions({ PayAddress: '' });
    const early = await walletWithClock();
    await early.getByText('The administrator has not enabled online top-up').waitFor();
    await setOptions({ PayAddress: epay.url });
    // The status is read again without loading the page. Repeated: the first reading may have been
    // under way still.
    const pay = early.getByRole('button', { name: 'Pay with Alipay' });
    const alipay = early.getByRole('radio', { name: 'Alipay' });
    const readAgain = async () => {
      await early.clock.fastForward(61_000);
      await early.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      return alipay.count();
    };
    await expect.poll(readAgain, { interval: 500 }).toBe(1);
    await alipay.check();
    // Clicks and locators would wait for the navigation that the browser refuses.
    await pay.evaluate((button: HTMLButtonElement) => button.click());
    const text = () => early.evaluate(() => document.body.innerText);
    await expect.poll(text).toContain('The payment settings have just changed');
    expect(await text()).not.toContain('Going to the payment page');
    expect(early.url()).toBe(`${site.url}/topup`);
    await early.context().close();
  });

  it('shows a WeChat code, asks every three seconds, and closes the dialog when it is paid', async () => {
    await setOptions(wechatPayOptions(false, site.url));
    const before = await quota();
    const payer = await walletWithClock();
    // WeChat is offered once, by WeChat Pay itself.
    const methods = payer.getByRole('radiogroup', { name: 'Payment method' });
    // The stored status, which is older than the settings, is shown until the new one has come.
    await expect.poll(() => methods.textContent()).toMatch(/WeChat Pay.*Alipay/);
    await expect.poll(() => payer.getByRole('radio').count()).toBe(2);
    await payer.getByRole('button', { name: '$50', exact: true }).click();
    const asked = { sent: 0, answered: 0 };
    const isQuery = (request: Request) => request.url().includes('/api/user/wechatpay/query');
    payer.on('request', (request) => {
      if (isQuery(request)) asked.sent += 1;
    });
    payer.on('requestfinished', (request) => {
      if (isQuery(request)) asked.answered += 1;
    });
    await payer.getByRole('button', { name: 'Show the WeChat Pay code' }).click();
    const dialog = payer.getByRole('dialog', { name: 'WeChat Pay' });
    await dialog.getByRole('img', { name: paymentCode }).waitFor();
    await dialog.getByText('¥346.75').waitFor();
    await dialog.getByText(/Waiting for your payment, expires in 1:59:\d\d/).waitFor();
    await photograph(payer, 'wechat-pay');
    const [order] = await orders('status=pending');
    const tradeNo = order?.trade_no ?? '';
    // From here on the time of the page stands still but for what the test lets pass.
    await payer.clock.pauseAt(await payer.evaluate(() => Date.now() + 1000));
    await expect.poll(() => asked.answered).toBe(asked.sent);
    const earlier = asked.sent;
    for (const times of [1, 2, 3]) {
      await payer.clock.runFor(3000);
      await expect.poll(() => asked.answered).toBe(earlier + times);
    }
    wechat.setState(tradeNo, 'SUCCESS');
    await payer.clock.runFor(3000);
    await payer.clock.resume();
    await payer.getByText('Payment successful').waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await quota()).toBe(before + 50 * unit);
    await payer.getByRole('region', { name: 'Ledger' }).getByText('+$50.000000').waitFor();
    // The dialog is closed and nothing is asked any more.
    await atRest(payer);
    const { sent } = asked;
    await payer.clock.runFor(10_000);
    await atRest(payer);
    expect(asked.sent).toBe(sent);
    await payer.context().close();
  });

  it('closing the dialog stops the questions; the payment is credited all the same', async () => {
    const before = await quota();
    await toWallet();
    await page.getByRole('button', { name: 'Show the WeChat Pay code' }).click();
    const dialog = page.getByRole('dialog', { name: 'WeChat Pay' });
    await dialog.getByRole('img', { name: paymentCode }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [order] = await orders('status=pending&page_size=1');
    const notice = wechat.notice(order?.trade_no ?? '');
    const reply = await fetch(`${site.url}/api/user/wechatpay/notify`, {
      method: 'POST',
      ...notice,
    });
    expect(reply.status).toBe(204);
    expect(await quota()).toBe(before + 10 * unit);
  });

  it('says when a code has expired or an order is closed, and orders again', async () => {
    const later = await walletWithClock();
    await later.getByRole('button', { name: 'Show the WeChat Pay code' }).click();
    const dialog = later.getByRole('dialog', { name: 'WeChat Pay' });
    const code = dialog.getByRole('img', { name: paymentCode });
    await code.waitFor();
    const first = await code.textContent();
    await later.clock.fastForward('02:00:01');
    await dialog.getByText('This code has expired').waitFor();
    await dialog.getByRole('button', { name: 'Order again' }).click();
    await dialog.getByText(/Waiting for your payment/).waitFor();
    expect(await code.textContent()).not.toBe(first);
    const [order] = await orders('status=pending&page_size=1');
    wechat.setState(order?.trade_no ?? '', 'CLOSED');
    await later.clock.fastForward(3000);
    await dialog.getByText('This order is closed').waitFor();
    await later.context().close();
  });

  it('says when the provider takes no order', async () => {
    wechat.misbehave({ refuse: 500 });
    await toWallet();
    await page.getByRole('button', { name: 'Show the WeChat Pay code' }).click();
    await page
      .getByRole('alert')
      .getByText('The payment could not be started. Please try again later')
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    wechat.misbehave({});
  });

  it('shows users their own orders; an administrator finds one and completes it, once', async () => {
    await toWallet();
    await page.getByRole('radio', { name: 'Alipay' }).check();
    await page.getByRole('button', { name: 'Pay with Alipay' }).click();
    await page.getByRole('button', { name: 'Go back' }).click();
    await page.getByRole('heading', { name: /Top-up history/ }).waitFor();
    expect(await page.getByRole('button', { name: /^Complete/ }).count()).toBe(0);
    const [order] = await orders('status=pending&page_size=1');
    const tradeNo = order?.trade_no ?? '';
    const before = await quota();

    const root = await site.open({ viewport: wide });
    await inEnglish(root);
    await root.goto(`${site.url}/topup/history`);
    await root.getByRole('searchbox', { name: 'Order number' }).fill(tradeNo.slice(4));
    const row = root.getByRole('row', { name: new RegExp(`${tradeNo}.*ann.*Processing`) });
    await row.getByRole('button', { name: /^Complete/ }).click();
    const dialog = root.getByRole('alertdialog', { name: `Complete order ${tradeNo}?` });
    await expect
      .poll(() => dialog.textContent())
      .toMatch(/ann is credited \$10\.00 as if ¥69\.35 had been paid/);
    await photograph(root, 'complete-order');
    await dialog.getByRole('button', { name: 'Credit $10.00' }).click();
    await root.getByText(`Order ${tradeNo} is completed`).waitFor();
    await root
      .getByRole('row', { name: new RegExp(`${tradeNo}.*Completed by an admin.*Success`) })
      .waitFor();
    await root.context().close();

    expect(await quota()).toBe(before + 10 * unit);
    const audit = await site.api<{ items: { target: string }[] }>(
      'GET',
      '/api/turnpike/audit?action=topup.complete',
    );
    expect(audit.items.map(({ target }) => target)).toEqual([tradeNo]);
    const notice = new URLSearchParams(epay.notice(tradeNo));
    expect(await (await fetch(`${site.url}/api/user/epay/notify?${notice}`)).text()).toBe(
      'success',
    );
    expect(await quota()).toBe(before + 10 * unit);
  });

  it('gives a paid order a receipt of one sheet of A4, light whatever the theme', async () => {
    const [order] = await orders('status=success&page_size=1');
    const tradeNo = order?.trade_no ?? '';
    await page.goto(`${site.url}/topup/history`);
    await chooseLook(page, 'dark', 'en');
    await page.goto(`${site.url}/topup/history`);
    await page
      .getByRole('row', { name: new RegExp(tradeNo) })
      .getByRole('button', { name: /^Receipt/ })
      .click();
    const paper = page.getByRole('article', { name: `Receipt ${tradeNo}` });
    await paper.waitFor();
    await page.getByRole('button', { name: 'Add payer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Payer on receipts' });
    await dialog.getByLabel('Name or company').fill('Ann & Sons Ltd');
    await dialog.getByLabel('Address').fill('1 Long Lane\nLondon');
    await dialog.getByLabel('Tax number').fill('GB 123');
    await shoot('receipt-payer-dark-en');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await paper.getByText('GB 123').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const ground = () => paper.evaluate((sheet) => getComputedStyle(sheet).backgroundColor);
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ media: 'print' });
    for (const role of ['navigation', 'banner', 'button'] as const)
      expect(await page.getByRole(role).count()).toBe(0);
    await shoot('receipt-print');
    await page.emulateMedia({ media: null });
    const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(file.match(/\/Type \/Page\b/g)).toHaveLength(1);
    // Points: 210 × 297 mm.
    expect(file).toMatch(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/);
    await page.setViewportSize({ width: 320, height: 700 });
    // The window keeps measures of the sheet of paper otherwise.
    await page.reload();
    await page.getByRole('button', { name: 'Edit payer' }).waitFor();
    expect([await overflow(page), await smallTargets(page)]).toEqual([0, []]);
    await page.setViewportSize(wide);
    // The wallet's entry leads to the order, and the personal settings know the payer.
    await page.goto(`${site.url}/topup`);
    await page
      .getByRole('region', { name: 'Ledger' })
      .getByRole('link', { name: new RegExp(`order ${tradeNo}$`) })
      .click();
    await page.getByRole('row', { name: new RegExp(tradeNo) }).waitFor();
    await page.goto(`${site.url}/personal`);
    await page.getByRole('tab', { name: 'Receipts' }).click();
    await page.getByText('Ann & Sons Ltd').waitFor();
    await chooseLook(page, 'light', 'en');
  });

  it('has targets of 44 px, passes axe and fits in both languages and themes, wide and on a phone', {
    timeout: 240_000 * patience,
  }, async () => {
    // The structure is that of a language and of a width; the rest of axe looks at colours.
    const looks = [
      ['en', 'light', wide],
      ['zh', 'dark', wide],
      ['zh', 'light', { width: 1024, height: 768 }, 'colours'],
      ['zh', 'light', phone],
      ['en', 'dark', phone, 'colours'],
    ] as const;
    const look = await site.open();
    const [paid] = await orders('status=success&page_size=1');
    const receipt = `/topup/receipt?order=${paid?.trade_no}`;
    await look.goto(`${site.url}/about`);
    for (const [language, theme, viewport, only] of looks) {
      await look.setViewportSize(viewport);
      await chooseLook(look, theme, language);
      await look.goto(`${site.url}/about`);
      for (const path of ['/topup', '/topup/history', receipt]) {
        await visit(look, path);
        await look.getByRole('heading').first().waitFor();
        const name = `${path.slice(1).replace(/\?.*/, '').replace('/', '-')}-${theme}-${language}-${viewport.width}`;
        await photograph(look, `${name}`, { fullPage: viewport === phone });
        const found = await violations(look, { only });
        const width = await overflow(look);
        const small = viewport === phone ? await smallTargets(look) : [];
        expect({ name, width, small, found }).toEqual({
          name,
          width: 0,
          small: [],
          found: [],
        });
      }
    }
    await look.context().close();
  });

  it('has its settings in two panels, which refuse what is wrong at its field', async () => {
    const settings = await site.open({ viewport: wide });
    await settings.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    await settings.goto(`${site.url}/setting?tab=system`);
    const field = (label: string) => settings.getByRole('textbox', { name: label, exact: true });
    const save = settings.getByRole('button', { name: 'Save', exact: true });
    const refused = async (label: string, value: string, reason: RegExp) => {
      const stored = await field(label).inputValue();
      await field(label).fill(value);
      await save.click();
      await settings.getByText(reason).waitFor();
      // The page goes to the field after that, and would take the focus from the next one.
      await expect
        .poll(() => field(label).evaluate((element) => element === document.activeElement))
        .toBe(true);
      await field(label).fill(stored);
    };
    await refused('Minimum top-up', '0', /must be at least 1/i);
    await refused('Payment address', 'pay.example', /must start with http/i);
    await refused(
      'Payment notice URL',
      'http://gw.example/notify',
      /must be an https address without a query/i,
    );
    await refused('Merchant private key', 'no key', /is not an RSA private key/i);
    const garbage = `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n-----END PRIVATE KEY-----`;
    await refused('Merchant private key', garbage, /is not an RSA private key/i);
    await refused('WeChat public key', garbage, /is not an RSA public key/i);
    await field('Minimum top-up').fill('7');
    await save.click();
    await expect
      .poll(async () => (await site.api<{ min_topup: number }>('GET', '/api/status')).min_topup)
      .toBe(7);
    await settings.context().close();
  });
});
