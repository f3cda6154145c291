import { afterEach, describe, expect, test } from 'vitest';
import { configureEpay, startEpayGateway } from '../support/epay-gateway.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import {
  configureWechatPay,
  type SentNotice,
  startWechatPay,
} from '../support/wechat-pay-provider.ts';
import { startTestServer, type TestServer } from './http.ts';

const shops: (Pick<TestServer, 'operator'> & { readonly mail: MailServer })[] = [];
/** Whatever was paid back: each balance is the sum of its postings. */
afterEach(async () => {
  for (const { operator, mail } of shops.splice(0)) {
    expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
    await mail.close();
  }
});

/** A site that sends mail to root and to its payer. */
async function startSite(environment: Record<string, string> = {}) {
  const server = await startTestServer(environment);
  const { app, operator } = server;
  const mail = await startMailServer();
  shops.push({ operator, mail });
  const options = {
    SMTPServer: '127.0.0.1',
    SMTPPort: String(mail.port),
    SMTPFrom: 'gateway@example.com',
    SiteLanguage: 'en',
  };
  for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
  const payerId = await server.addUser('ann');
  await app.storage.users.update(1, { email: 'root@example.com' });
  await app.storage.users.update(payerId, { email: 'ann@example.com' });
  return {
    ...server,
    mail,
    payerId,
    payer: await server.signIn('ann'),
    quota: async () => (await app.accounts.own.get(payerId)).quota,
    row: (tradeNo: string) => app.storage.topUps.findByTradeNo(tradeNo),
    postings: async () =>
      (await app.billing.postings({ userId: payerId }, { offset: 0, limit: 50 })).items
        .filter(({ kind }) => kind === 'payment_refund')
        .map(({ amount }) => amount),
    /** Receivers and texts of the next `count` mails. */
    mails: async (count: number) =>
      (await mail.received(count)).map(({ to, body }) => [to[0], body] as const),
  };
}

async function startWechatShop() {
  let now = () => 0;
  const provider = await startWechatPay(() => now());
  const site = await startSite({ WECHAT_PAY_ENDPOINT: provider.url });
  now = site.clock.now;
  await configureWechatPay(site.operator);
  const notify = async ({ body, headers }: SentNotice): Promise<number> =>
    (await site.send('POST', '/api/user/wechatpay/notify', { body, headers })).status;
  const order = async (): Promise<string> => {
    const body = { amount: 10, top_up_code: '' };
    const reply = await site.send('POST', '/api/user/wechatpay', { headers: site.payer, body });
    return (reply.json['data'] as { trade_no: string }).trade_no;
  };
  return {
    ...site,
    provider,
    notify,
    order,
    paid: async (): Promise<string> => {
      const tradeNo = await order();
      expect(await notify(provider.notice(tradeNo))).toBe(204);
      return tradeNo;
    },
    state: async (tradeNo: string) => {
      const path = `/api/user/wechatpay/query?trade_no=${tradeNo}`;
      const reply = await site.send('GET', path, { headers: site.payer });
      return (reply.json['data'] as { status: string }).status;
    },
  };
}

async function startEpayShop() {
  const gateway = await startEpayGateway();
  const site = await startSite();
  await configureEpay(site.operator, gateway);
  return {
    ...site,
    gateway,
    paid: async (): Promise<string> => {
      const body = { amount: 10, payment_method: 'zfb', top_up_code: '' };
      const reply = await site.send('POST', '/api/user/pay', { headers: site.payer, body });
      const form = reply.json['data'] as Record<string, string>;
      gateway.submit(form);
      const tradeNo = form['out_trade_no'] ?? '';
      gateway.markPaid(tradeNo);
      await site.app.payments.epay.notice(gateway.notice(tradeNo));
      return tradeNo;
    },
    sweep: () => site.app.payments.sweepRefunds(new AbortController().signal),
  };
}

describe('refunds that WeChat Pay reports', () => {
  test('take the quota back once for each refund, exactly, and tell root and the payer', async () => {
    const { provider, paid, notify, quota, postings, mails, state, operator } =
      await startWechatShop();
    const tradeNo = await paid();
    // Thirds of 73.00 yuan: the parts are rounded so that all of them are the whole.
    const parts = [2433, 2433, 2434];
    for (const [index, cents] of parts.entries()) {
      const notice = provider.refundNotice(tradeNo, `r${index}`, cents);
      expect(await Promise.all([notify(notice), notify(notice)])).toEqual([204, 204]);
      expect(await notify(notice)).toBe(204);
    }
    expect(await postings()).toEqual([-1_667_123, -1_666_439, -1_666_438]);
    expect(await quota()).toBe(0);
    expect(await state(tradeNo)).toBe('REFUND');
    const list = await operator.topUp.list();
    expect(list).toMatchObject({ todayIncome: 0, records: [{ status: 'success', refunded: 73 }] });
    const sent = await mails(6);
    const text = `Order ${tradeNo}: 24.33 yuan were paid back, $3.33 of quota taken back`;
    for (const receiver of ['root@example.com', 'ann@example.com'])
      expect(sent.filter(([to]) => to === receiver).map(([, body]) => body)).toContainEqual(
        expect.stringContaining(text.slice(0, 60)),
      );
  });

  test('become a debt where the quota is spent', async () => {
    const { provider, paid, notify, quota, operator, payerId, mails } = await startWechatShop();
    const tradeNo = await paid();
    await operator.user.update({ id: payerId, quota: 1_000_000, quota_base: 5_000_000 });
    expect(await notify(provider.refundNotice(tradeNo, 'r1', 7300))).toBe(204);
    expect(await quota()).toBe(-4_000_000);
    const toRoot = (await mails(2)).find(([to]) => to === 'root@example.com');
    expect(toRoot?.[1]).toContain('The balance of ann is now a debt');
  });

  test('that are closed give it back once; those that do not arrive are told', async () => {
    const { provider, paid, notify, quota, postings, row, mails } = await startWechatShop();
    const tradeNo = await paid();
    expect(await notify(provider.refundNotice(tradeNo, 'r1', 3650))).toBe(204);
    expect(await quota()).toBe(2_500_000);
    const closed = provider.refundNotice(tradeNo, 'r1', 3650, 'REFUND.CLOSED');
    for (let count = 0; count < 2; count += 1) expect(await notify(closed)).toBe(204);
    expect([await quota(), (await row(tradeNo))?.refundedCents]).toEqual([5_000_000, 0]);
    expect(await postings()).toEqual([2_500_000, -2_500_000]);
    expect(await notify(provider.refundNotice(tradeNo, 'r2', 100, 'REFUND.ABNORMAL'))).toBe(204);
    expect(await quota()).toBe(5_000_000);
    const texts = (await mails(5)).map(([, body]) => body).join('\n');
    expect(texts).toContain('Finish it at the provider');
  });

  test('of an order that was not credited close it', async () => {
    const { provider, order, notify, quota, state } = await startWechatShop();
    const tradeNo = await order();
    expect(await notify(provider.refundNotice(tradeNo, 'r1', 7300))).toBe(204);
    expect(await notify(provider.notice(tradeNo))).toBe(204);
    expect([await quota(), await state(tradeNo)]).toEqual([0, 'REFUND']);
  });

  test('of unknown orders and other merchants are refused, with or without a number', async () => {
    const { provider, paid, notify, quota } = await startWechatShop();
    const tradeNo = await paid();
    expect(await notify(provider.refundNotice(tradeNo, 'r1', 0))).toBe(400);
    const event = { event_type: 'REFUND.SUCCESS' };
    expect(await notify(provider.notice(tradeNo, { event }))).toBe(400);
    expect(await quota()).toBe(5_000_000);
  });
});

describe('refunds by an administrator', () => {
  test('go through WeChat Pay; its notice of them takes nothing more', async () => {
    const { provider, paid, notify, quota, operator } = await startWechatShop();
    const tradeNo = await paid();
    const refunded = await operator.topUp.refund({
      trade_no: tradeNo,
      money: '36.50',
      reason: 'x',
    });
    expect(refunded).toMatchObject({ trade_no: tradeNo, refunded: 36.5, status: 'success' });
    expect([...provider.refunds]).toEqual([
      [
        `${tradeNo}R0`,
        {
          out_trade_no: tradeNo,
          out_refund_no: `${tradeNo}R0`,
          reason: 'x',
          notify_url: 'https://gw.example/api/user/wechatpay/notify',
          amount: { refund: 3650, total: 7300, currency: 'CNY' },
        },
      ],
    ]);
    expect(await notify(provider.refundNotice(tradeNo, `${tradeNo}R0`, 3650))).toBe(204);
    expect(await quota()).toBe(2_500_000);
    await operator.topUp.refund({ trade_no: tradeNo });
    expect(await quota()).toBe(0);
    expect((await operator.audit.list({ action: 'topup.refund' })).items).toMatchObject([
      { target: tradeNo, detail: expect.stringContaining('"money":"36.50","noted":false') },
      { target: tradeNo, detail: expect.stringContaining('"reason":"x"') },
    ]);
    await expect(operator.topUp.refund({ trade_no: tradeNo })).rejects.toMatchObject({
      code: 'refund_sum_invalid',
    });
  });

  test('that the provider refuses take nothing; noted ones send nothing', async () => {
    const { provider, paid, order, quota, operator } = await startWechatShop();
    const tradeNo = await paid();
    for (const money of ['0', '73.01', '-1', '1.001', 'x'])
      await expect(operator.topUp.refund({ trade_no: tradeNo, money })).rejects.toMatchObject({
        code: 'refund_sum_invalid',
      });
    await expect(operator.topUp.refund({ trade_no: await order() })).rejects.toMatchObject({
      code: 'order_not_paid',
    });
    provider.misbehave({ refuse: 403 });
    await expect(operator.topUp.refund({ trade_no: tradeNo })).rejects.toMatchObject({
      code: 'refund_failed',
    });
    expect(await quota()).toBe(5_000_000);
    await operator.topUp.refund({ trade_no: tradeNo, money: '7.30', noted: true });
    expect(await quota()).toBe(4_500_000);
    expect(provider.refunds.size).toBe(0);
  });

  test('go through Epay; what was paid back there before counts', async () => {
    const { gateway, paid, quota, operator } = await startEpayShop();
    const tradeNo = await paid();
    gateway.payBack(tradeNo, '36.50'); // and the reply to it was lost
    expect(await operator.topUp.refund({ trade_no: tradeNo, money: '36.51' })).toMatchObject({
      refunded: 36.51,
    });
    expect(await quota()).toBe(2_499_315);
    expect(await operator.topUp.refund({ trade_no: tradeNo })).toMatchObject({ refunded: 73 });
    expect(await quota()).toBe(0);
  });

  test('of an order that was completed by hand can only be noted', async () => {
    const { operator, paid, app, quota } = await startEpayShop();
    const tradeNo = await paid();
    await app.storage.topUps.insert({
      amount: 1,
      topUpCode: '',
      userId: 2,
      moneyCents: 730,
      quota: 500_000 as never,
      tradeNo: 'T2',
      status: 'pending',
      paymentMethod: 'alipay',
      goodsName: 'g',
      createTime: 1,
    });
    await operator.topUp.complete({ trade_no: 'T2' });
    await expect(operator.topUp.refund({ trade_no: 'T2' })).rejects.toMatchObject({
      code: 'refund_not_offered',
    });
    await operator.topUp.refund({ trade_no: 'T2', noted: true });
    expect(await quota()).toBe(5_000_000);
    // The money would be sent with the merchant key over an open connection.
    await operator.option.set({ key: 'PayAddress', value: 'http://pay.example' });
    await expect(operator.topUp.refund({ trade_no: tradeNo })).rejects.toMatchObject({
      code: 'refund_not_offered',
    });
  });
});

test('refunds at the Epay gateway are found by the daily job, each part once', async () => {
  const { gateway, paid, quota, sweep, clock, operator } = await startEpayShop();
  const tradeNo = await paid();
  await sweep();
  expect(await quota()).toBe(5_000_000);
  gateway.payBack(tradeNo, '7.30');
  for (let count = 0; count < 2; count += 1) await sweep();
  expect(await quota()).toBe(4_500_000);
  gateway.payBack(tradeNo, '65.70');
  gateway.breakDown(502);
  await sweep();
  expect(await quota()).toBe(4_500_000);
  gateway.breakDown(0);
  clock.move(29 * 86_400_000);
  await sweep();
  expect(await quota()).toBe(0);
  expect((await operator.ledger.verify()).ok).toBe(true);
});
