/**
 * What a quick hand does on a slow network: two clicks are one call, a call that failed can be made
 * again (docs/rules/console.md#double-clicks).
 */
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleSite, siteModel, startConsoleSite } from '../support/console-site.ts';
import { epayOptions, startEpayGateway } from '../support/epay-gateway.ts';
import { atRest } from '../support/page-checks.ts';
import { hasTool } from '../support/tools.ts';
import { chatReply } from '../support/upstream.ts';

/** Milliseconds that each reply is late. */
const late = 400;

interface Form {
  readonly name: string;
  /** The call that its button makes. */
  readonly call: `${'POST' | 'PUT'} /${string}`;
  /** Opens and fills the form. */
  readonly fill: (page: Page) => Promise<void>;
  readonly button: (page: Page) => ReturnType<Page['getByRole']>;
  /** What is there afterwards, as often as the call was made. */
  readonly made: () => Promise<number>;
  /** Seen when it is done. */
  readonly done: (page: Page) => Promise<unknown>;
}

describe.skipIf(!hasTool('browser'))('two quick clicks', { timeout: 120_000 }, () => {
  let site: ConsoleSite;
  let page: Page;
  let session: CDPSession;
  let code = '';

  beforeAll(async () => {
    site = await startConsoleSite();
    const epay = await startEpayGateway('file');
    const options = { ...epayOptions(epay), Price: '7', MinTopUp: '1' };
    for (const [key, value] of Object.entries(options))
      await site.api('PUT', '/api/option/', { key, value });
    [code = ''] = await site.api<string[]>('POST', '/api/redemption/', {
      name: 'gift',
      quota: 500_000,
      count: 1,
    });
    await site.api('POST', '/api/user/', { username: 'ann', password: 'a-long-password' });
    page = await site.open({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    await page.addInitScript(() => localStorage.setItem('i18nextLng', 'en'));
    session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
  }, 120_000);
  afterAll(() => site?.close());

  const total = async (path: string) => (await site.api<{ total: number }>('GET', path)).total;
  const names = async (path: string, name: string) =>
    (await site.api<readonly { readonly name: string }[]>('GET', path)).filter(
      (row) => row.name === name,
    ).length;
  const ann = async () =>
    (await site.api<{ items: { quota: number }[] }>('GET', '/api/user/search?keyword=ann')).items[0]
      ?.quota ?? Number.NaN;
  const exact = (name: string) => (on: Page) =>
    on.getByRole('button', { name, exact: true }).last();
  const open = (path: string) => page.goto(site.url + path);

  const forms: readonly Form[] = [
    {
      name: 'the wallet: an order',
      call: 'POST /api/user/pay',
      fill: async () => {
        await open('/topup');
      },
      button: (on) => on.getByRole('button', { name: /^Pay / }),
      made: () => total('/api/topup'),
      done: (on) => on.waitForURL((url) => url.origin !== site.url),
    },
    {
      name: 'a redemption code',
      call: 'POST /api/user/topup',
      fill: async (on) => {
        await open('/topup');
        await on.getByRole('textbox', { name: 'Redemption code' }).fill(code);
      },
      button: exact('Redeem'),
      made: () => total('/api/turnpike/ledger?kind=redemption'),
      done: (on) => on.getByRole('button', { name: 'OK', exact: true }).waitFor(),
    },
    {
      name: 'a new token',
      call: 'POST /api/turnpike/token/batch',
      fill: async (on) => {
        await open('/token?new=1');
        await on.getByRole('textbox', { name: 'Name' }).fill('once');
      },
      button: (on) => on.getByRole('dialog').locator('button[type="submit"]'),
      made: () => names('/api/token/?p=0&size=100', 'once'),
      done: (on) =>
        on.getByRole('dialog').locator('button[type="submit"]').waitFor({ state: 'detached' }),
    },
    {
      name: 'a new channel',
      call: 'POST /api/channel/',
      fill: async (on) => {
        await open('/channel?new=1');
        const drawer = on.getByRole('dialog');
        await drawer.getByRole('textbox', { name: 'Name', exact: true }).fill('once');
        await drawer.getByRole('textbox', { name: 'Key', exact: true }).fill('sk-once');
        await drawer.getByLabel('Models', { exact: true }).fill(siteModel);
        await on.keyboard.press('Enter');
      },
      button: (on) => on.getByRole('dialog').locator('button[type="submit"]'),
      made: () => names('/api/channel/?page_size=100', 'once'),
      done: (on) => on.getByRole('dialog').waitFor({ state: 'detached' }),
    },
    {
      name: 'the balance of a user',
      call: 'PUT /api/user/',
      fill: async (on) => {
        await open('/user?q=ann');
        const row = on.getByRole('row', { name: /ann/ });
        await row.getByRole('button', { name: 'Adjust' }).click();
        await on.getByRole('dialog').getByRole('button', { name: '$5.00', exact: true }).click();
      },
      button: (on) => on.getByRole('dialog').locator('button[type="submit"]'),
      made: async () => (await ann()) / 2_500_000,
      done: (on) => on.getByRole('dialog').waitFor({ state: 'detached' }),
    },
    {
      name: 'a message of the playground',
      call: 'POST /pg/chat/completions',
      fill: async (on) => {
        site.upstream.answer(chatReply('only once'));
        await open(`/playground?model=${siteModel}`);
        await on.getByLabel('Message', { exact: true }).fill('hello');
      },
      button: exact('Send'),
      made: async () => site.upstream.requests.length,
      done: (on) => on.getByText('only once').waitFor(),
    },
  ];

  /** Both clicks are under way before the page has answered the first. */
  async function clickTwice(button: ReturnType<Form['button']>): Promise<void> {
    const box = await button.boundingBox();
    if (box === null) throw new Error('the button is not shown');
    const place = { x: box.x + box.width / 2, y: box.y + box.height / 2, button: 'left' } as const;
    await Promise.all(
      [1, 2].flatMap((clickCount) =>
        (['mousePressed', 'mouseReleased'] as const).map((type) =>
          session.send('Input.dispatchMouseEvent', { ...place, type, clickCount }),
        ),
      ),
    );
  }

  it.each(forms)('$name', async ({ call, fill, button, made, done }) => {
    const [method, path] = call.split(' ');
    const isCall = (request: { method(): string; url(): string }) =>
      request.method() === method && new URL(request.url()).pathname === path;
    await fill(page);
    // Refused once: the same button works again.
    const refusal = (url: URL) => url.pathname === path;
    await page.route(refusal, (route) =>
      isCall(route.request())
        ? route.fulfill({ status: 503, json: { success: false, message: 'refused once' } })
        : route.fallback(),
    );
    const before = await made();
    await button(page).click();
    await page
      .getByText(/refused once/)
      .first()
      .waitFor();
    await page.unroute(refusal);
    expect(await made()).toBe(before);
    if (call.includes('/pg/')) await page.getByLabel('Message', { exact: true }).fill('hello');
    await expect.poll(() => button(page).isEnabled()).toBe(true);

    const calls: string[] = [];
    page.on('request', (request) => {
      if (isCall(request)) calls.push(request.url());
    });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: late,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await clickTwice(button(page));
    await done(page);
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    // A second call would be on its way.
    await atRest(page);
    expect(calls).toHaveLength(1);
    expect(await made()).toBe(before + 1);
  });
});
