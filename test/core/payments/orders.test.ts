import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { createClient } from '../../../src/core/contract/client.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { EpayForm } from '../../../src/core/payments/epay-method.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import {
  createTestApp,
  createTestClock,
  type OpenApp,
  openApp,
  type TestClock,
  testPassword,
} from '../../support/app.ts';
import { configureEpay, type EpayGateway, startEpayGateway } from '../../support/epay-gateway.ts';
import { forEachEngine } from '../../support/storage.ts';

const hour = 3_600_000;

async function order(app: OpenApp, gateway: EpayGateway, userId = 1): Promise<string> {
  const { id, username, role, group } = await app.accounts.own.get(userId);
  const actor = { id, username, role, group, ip: '' };
  const form: EpayForm = await app.payments.epay.order(actor, { amount: 1, topUpCode: '' }, 'zfb');
  gateway.submit(form.data);
  return form.data['out_trade_no'] ?? '';
}

const sweep = async (app: OpenApp): Promise<void> =>
  app.payments.sweep(new AbortController().signal);

const orderRow = async (app: OpenApp, tradeNo: string) => app.storage.topUps.findByTradeNo(tradeNo);

forEachEngine('exactly once', (engine) => {
  const opened: OpenApp[] = [];
  afterEach(async () => {
    for (const app of opened.splice(0)) await app.close();
  });

  async function openShop(): Promise<{ app: OpenApp; clock: TestClock; gateway: EpayGateway }> {
    const clock = createTestClock();
    const { config } = loadConfig({ environment: {}, cwd: '/nonexistent', home: '/nonexistent' });
    const folder = { cryptoSecret: new Secret('a master key that guards nothing') };
    const databaseUrl = await engine.freshUrl();
    const app = await openApp({
      config,
      folder,
      logger: silentLogger,
      version: 'test',
      threads: false,
      clock,
      databaseUrl,
    });
    opened.push(app);
    const operator = createClient(createLocalTransport(app, undefined, 'en'));
    await operator.system.setup({
      username: 'root',
      password: testPassword,
      confirmPassword: testPassword,
      SiteLanguage: 'en',
    });
    const gateway = await startEpayGateway();
    await configureEpay(operator, gateway);
    return { app, clock, gateway };
  }

  test('notices, the sweeper and an administrator race for many orders', async () => {
    const { app, clock, gateway } = await openShop();
    const before = (await app.accounts.own.get(1)).quota;
    const orders: string[] = [];
    for (let count = 0; count < 8; count += 1) orders.push(await order(app, gateway));
    for (const tradeNo of orders) gateway.markPaid(tradeNo);
    clock.move(2 * hour);
    const root = await app.setup.findOperator('');
    const attempts = orders.flatMap((tradeNo) => [
      ...Array.from({ length: 6 }, () => app.payments.epay.notice(gateway.notice(tradeNo))),
      app.payments.epay.notice(gateway.notice(tradeNo, { money: '0.01' })),
      app.payments.topUps.complete(root, tradeNo).catch(() => {}),
    ]);
    await Promise.all([sweep(app), ...attempts, sweep(app)]);
    expect((await app.accounts.own.get(1)).quota - before).toBe(8 * 500_000);
    for (const tradeNo of orders)
      expect(await orderRow(app, tradeNo)).toMatchObject({ status: 'success' });
    expect(
      (await app.billing.postings({}, { offset: 0, limit: 100 })).items.filter(
        ({ kind }) => kind === 'top_up',
      ),
    ).toHaveLength(8);
    expect(await app.billing.verify()).toMatchObject({ ok: true });
  });

  test('refunds that race are each taken once, and never more than was paid', async () => {
    const { app, gateway } = await openShop();
    const before = (await app.accounts.own.get(1)).quota;
    const tradeNo = await order(app, gateway); // 7.30 yuan
    gateway.markPaid(tradeNo);
    await app.payments.epay.notice(gateway.notice(tradeNo));
    const root = await app.setup.findOperator('');
    const noted = { tradeNo, money: '2.00', noted: true, reason: '' };
    gateway.payBack(tradeNo, '3.65');
    const results = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => app.payments.sweepRefunds(new AbortController().signal)),
      ...Array.from({ length: 4 }, () => app.payments.refund(root, noted)),
    ]);
    const refunds = results.slice(4).filter(({ status }) => status === 'fulfilled').length;
    const { refundedCents } = (await orderRow(app, tradeNo)) ?? { refundedCents: 0 };
    // What was noted first counts towards what the gateway says was paid back in all.
    expect([365, 200 * refunds, 365 + 200 * refunds]).toContain(refundedCents);
    expect(refundedCents).toBeLessThanOrEqual(730);
    expect((await app.accounts.own.get(1)).quota - before).toBe(
      500_000 - Math.round((500_000 * refundedCents) / 730),
    );
    expect(await app.billing.verify()).toMatchObject({ ok: true });
  });

  test('a notice that races with the closing of its order is credited', async () => {
    const { app, clock, gateway } = await openShop();
    const before = (await app.accounts.own.get(1)).quota;
    const orders: string[] = [];
    for (let count = 0; count < 8; count += 1) orders.push(await order(app, gateway));
    clock.move(25 * hour);
    await Promise.all([
      sweep(app),
      ...orders.map((tradeNo) => app.payments.epay.notice(gateway.notice(tradeNo))),
    ]);
    expect((await app.accounts.own.get(1)).quota - before).toBe(8 * 500_000);
    expect(await app.billing.verify()).toMatchObject({ ok: true });
  });
});

async function startShop() {
  const started = await createTestApp();
  const gateway = await startEpayGateway();
  await configureEpay(started.operator, gateway);
  const userId = await started.addUser('ann');
  const quota = async () => (await started.app.accounts.own.get(userId)).quota;
  return { ...started, gateway, quota, place: () => order(started.app, gateway, userId) };
}

test('the sweeper credits a paid order whose notice was lost, once', async () => {
  const { app, clock, gateway, quota, place } = await startShop();
  const tradeNo = await place();
  gateway.markPaid(tradeNo);
  await sweep(app);
  expect(gateway.lookups).toEqual([]); // too young
  clock.move(61_000);
  await sweep(app);
  await sweep(app);
  expect(await quota()).toBe(500_000);
  expect(gateway.lookups).toEqual([tradeNo]);
  await app.payments.epay.notice(gateway.notice(tradeNo));
  expect(await quota()).toBe(500_000);
});

test('an unpaid order is looked up for two hours, once more after a day, and closed; a late notice still counts', async () => {
  const { app, clock, gateway, quota, place } = await startShop();
  const tradeNo = await place();
  for (const time of [hour, hour, hour, 20 * hour]) {
    clock.move(time);
    await sweep(app);
  }
  expect(gateway.lookups).toHaveLength(2);
  expect(await orderRow(app, tradeNo)).toMatchObject({ status: 'pending' });
  clock.move(hour);
  await sweep(app);
  expect(gateway.lookups).toHaveLength(3);
  expect(await orderRow(app, tradeNo)).toMatchObject({ status: 'failed', note: 'expired' });
  await sweep(app);
  expect(gateway.lookups).toHaveLength(3);
  await app.payments.epay.notice(gateway.notice(tradeNo));
  await app.payments.epay.notice(gateway.notice(tradeNo));
  expect(await quota()).toBe(500_000);
  expect(await app.billing.verify()).toMatchObject({ ok: true });
});

test.each<[string, Record<string, string>]>([
  ['another sum', { money: '0.01' }],
  ['another order', { out_trade_no: 'USR1NOaaaaaa1700000000' }],
  ['another merchant', { pid: '7' }],
  ['no sum', { money: '' }],
])('a lookup that reports %s credits nothing', async (_name, changes) => {
  const { app, clock, gateway, quota, place } = await startShop();
  const tradeNo = await place();
  gateway.markPaid(tradeNo, changes);
  clock.move(61_000);
  await sweep(app);
  expect(await quota()).toBe(0);
  expect(await orderRow(app, tradeNo)).toMatchObject({ status: 'pending' });
});

test('while the gateway is down nothing is closed; without Epay an expired order is', async () => {
  const { app, clock, gateway, operator, place } = await startShop();
  const tradeNo = await place();
  gateway.breakDown(502);
  clock.move(25 * hour);
  await sweep(app);
  expect(await orderRow(app, tradeNo)).toMatchObject({ status: 'pending' });
  await operator.option.set({ key: 'PayAddress', value: 'http://127.0.0.1:9' });
  await sweep(app);
  expect(await orderRow(app, tradeNo)).toMatchObject({ status: 'pending' });
  await operator.option.set({ key: 'EpayKey', value: '-' });
  await sweep(app);
  expect(await orderRow(app, tradeNo)).toMatchObject({ status: 'failed' });
});

test('the merchant key is never sent over an open connection', async () => {
  const { app, clock, gateway, operator, place } = await startShop();
  await place();
  // The same server by a name that is not of this machine alone.
  await operator.option.set({
    key: 'PayAddress',
    value: gateway.url.replace('127.0.0.1', '0.0.0.0'),
  });
  clock.move(hour);
  await sweep(app);
  expect(gateway.lookups).toEqual([]);
});
