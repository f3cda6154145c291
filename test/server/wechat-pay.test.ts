import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { decryptResource } from '../../src/core/payments/wechat-pay-crypto.ts';
import { configureEpay } from '../support/epay-gateway.ts';
import {
  configureWechatPay,
  type NoticeChanges,
  platform,
  publicKeyId,
  type SentNotice,
  startWechatPay,
  stranger,
} from '../support/wechat-pay-provider.ts';
import { startTestServer, type TestServer } from './http.ts';

const path = '/api/user/wechatpay/notify';
const hour = 3_600_000;

const shops: Pick<TestServer, 'operator'>[] = [];
/** Whatever was sent: each balance is the sum of its postings. */
afterEach(async () => {
  for (const { operator } of shops.splice(0))
    expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
});

async function startShop(withPublicKey = false) {
  let now = () => 0;
  const provider = await startWechatPay(() => now());
  const server = await startTestServer({ WECHAT_PAY_ENDPOINT: provider.url });
  shops.push(server);
  now = server.clock.now;
  await configureWechatPay(server.operator, withPublicKey);
  const payerId = await server.addUser('ann');
  const payer = await server.signIn('ann');
  const pay = () =>
    server.send('POST', '/api/user/wechatpay', {
      headers: payer,
      body: { amount: 10, top_up_code: '' },
    });
  return {
    ...server,
    provider,
    payerId,
    payer,
    pay,
    order: async (): Promise<string> =>
      ((await pay()).json['data'] as { trade_no: string }).trade_no,
    notify: async ({ body, headers }: SentNotice): Promise<number> =>
      (await server.send('POST', path, { body, headers })).status,
    state: async (tradeNo: string) => {
      const reply = await server.send('GET', `/api/user/wechatpay/query?trade_no=${tradeNo}`, {
        headers: payer,
      });
      return (reply.json['data'] as { status: string }).status;
    },
    quota: async () => (await server.app.accounts.own.get(payerId)).quota,
    row: (tradeNo: string) => server.app.storage.topUps.findByTradeNo(tradeNo),
    sweep: () => server.app.payments.sweep(new AbortController().signal),
  };
}

test('decryption follows the published example', () => {
  const ciphertext = 'Eu69zaqBCIwQaJNlb7tiHQ9k+Fz80zx5YzOYHKwl/geBbi9ljwuu9FA=';
  const resource = { ciphertext, nonce: 'abcdefghijkl', associatedData: 'transaction' };
  expect(decryptResource(resource, '0123456789abcdef0123456789abcdef')).toBe(
    '{"trade_state":"SUCCESS"}',
  );
});

describe.each([
  ['platform certificates', false],
  ['the platform public key', true],
])('with %s', (_name, withPublicKey) => {
  test('an order, its notice any number of times, one credit', async () => {
    const { pay, provider, notify, quota, state, operator, row, send } =
      await startShop(withPublicKey);
    const { json } = await pay();
    const { trade_no: tradeNo, code_url: codeUrl } = json['data'] as {
      trade_no: string;
      code_url: string;
    };
    expect(json).toMatchObject({ success: true, message: 'success' });
    expect(codeUrl).toBe(`weixin://wxpay/bizpayurl?pr=${tradeNo}`);
    expect(provider.orders.get(tradeNo)).toEqual({
      appid: 'wx-test-app',
      mchid: '1900000001',
      description: '73.00 元令牌充值套餐',
      out_trade_no: tradeNo,
      time_expire: '2026-11-20T14:00:00+00:00',
      notify_url: 'https://gw.example/api/user/wechatpay/notify',
      amount: { total: 7300, currency: 'CNY' },
    });
    expect((await send('GET', '/api/status')).json['data']).toMatchObject({
      enable_wechat_pay: true,
      enable_epay: false,
    });
    expect(await state(tradeNo)).toBe('NOTPAY');
    const notice = provider.notice(tradeNo, withPublicKey ? { serial: publicKeyId } : {});
    const statuses = await Promise.all(Array.from({ length: 10 }, () => notify(notice)));
    expect(new Set(statuses)).toEqual(new Set([204]));
    const downloads = () => provider.calls.filter((call) => call.endsWith('certificates')).length;
    expect(downloads()).toBe(withPublicKey ? 0 : 1);
    // Both kinds of keys are accepted while a merchant changes from one to the other.
    expect(await notify(provider.notice(tradeNo))).toBe(204);
    expect(downloads()).toBe(1);
    expect([await quota(), await state(tradeNo)]).toEqual([5_000_000, 'SUCCESS']);
    expect(await row(tradeNo)).toMatchObject({
      paymentMethod: 'wechatpay',
      providerTradeNo: `W${tradeNo}`,
    });
    expect((await operator.ledger.verify()).ok).toBe(true);
  });
});

test.each<[string, NoticeChanges, number]>([
  ['signed by another key', { signedBy: stranger }, 401],
  ['an unknown serial number', { serial: 'PLATFORM02' }, 401],
  ['no serial number', { serial: '' }, 401],
  ['a probe', { headers: { 'wechatpay-signature': 'WECHATPAY/SIGNTEST/abc' } }, 401],
  ['no signature', { headers: { 'wechatpay-signature': '' } }, 401],
  ['another nonce', { headers: { 'wechatpay-nonce': 'other' } }, 401],
  ['another time', { headers: { 'wechatpay-timestamp': '1' } }, 401],
  ['no time', { headers: { 'wechatpay-timestamp': 'NaN' } }, 401],
  ['six minutes old', { ahead: -301 }, 401],
  ['from the future', { ahead: 301 }, 401],
  ['encrypted with another key', { apiKey: 'f'.repeat(32) }, 400],
  ['changed associated data', { resource: { associated_data: 'other' } }, 400],
  ['a short ciphertext', { resource: { ciphertext: 'AAAA' } }, 400],
  ['a nonce of no length', { resource: { nonce: '' } }, 400],
  ['no resource', { event: { resource: null } }, 400],
  ['another merchant', { transaction: { mchid: '1900000002' } }, 400],
  ['another app', { transaction: { appid: 'wx-other' } }, 400],
  ['another currency', { transaction: { amount: { total: 7300, currency: 'USD' } } }, 400],
  ['a fraction of a cent', { transaction: { amount: { total: 7300.5, currency: 'CNY' } } }, 400],
  ['no sum', { transaction: { amount: undefined } }, 400],
  ['an unknown order', { transaction: { out_trade_no: 'USR1NOaaaaaa1700000000' } }, 404],
])('refused: %s', async (_name, changes, status) => {
  const { provider, order, notify, quota, row } = await startShop();
  const tradeNo = await order();
  expect(await notify(provider.notice(tradeNo, changes))).toBe(status);
  expect(await quota()).toBe(0);
  expect(await row(tradeNo)).toMatchObject({ status: 'pending', note: '' });
});

test('refused: a changed body, no body, a huge one; each reply says FAIL', async () => {
  const { provider, order, notify, quota, send } = await startShop();
  const notice = provider.notice(await order());
  expect(await notify({ ...notice, body: notice.body.replace('TRANSACTION', 'transaction') })).toBe(
    401,
  );
  expect(await notify({ ...notice, body: `${notice.body} ` })).toBe(401);
  expect((await send('POST', path, { headers: notice.headers })).json).toEqual({
    code: 'FAIL',
    message: 'payment_signature_invalid',
  });
  expect(await notify({ ...notice, body: 'x'.repeat(100_000) })).toBe(400);
  expect(await quota()).toBe(0);
});

test('unknown serial numbers do not make the gateway download certificates again and again', async () => {
  const { provider, order, notify } = await startShop();
  const tradeNo = await order();
  for (let count = 0; count < 5; count += 1)
    await notify(provider.notice(tradeNo, { serial: `X${count}`, signedBy: stranger }));
  expect(provider.calls.filter((call) => call.endsWith('certificates')).length).toBeLessThanOrEqual(
    1,
  );
});

test('certificates are read anew after twelve hours; while that fails, the known ones count', async () => {
  const { provider, order, notify, clock } = await startShop();
  const tradeNo = await order();
  const downloads = () => provider.calls.filter((call) => call.endsWith('certificates')).length;
  expect(await notify(provider.notice(tradeNo))).toBe(204);
  clock.move(11 * hour);
  expect([await notify(provider.notice(tradeNo)), downloads()]).toEqual([204, 1]);
  provider.misbehave({ refuse: 500 });
  clock.move(2 * hour);
  expect([await notify(provider.notice(tradeNo)), downloads()]).toEqual([204, 2]);
});

test('a clock that was ahead does not keep certificates from being downloaded once it is right', async () => {
  const { provider, order, notify, clock } = await startShop(true);
  const tradeNo = await order();
  provider.misbehave({ refuse: 401 });
  clock.move(5 * hour);
  expect(await notify(provider.notice(tradeNo))).toBe(401);
  provider.misbehave({});
  clock.move(-5 * hour);
  expect(await notify(provider.notice(tradeNo))).toBe(204);
});

test('other events and states are accepted and change nothing; another sum leaves a note', async () => {
  const { provider, order, notify, quota, row } = await startShop();
  const tradeNo = await order();
  const event = { event_type: 'MCHTRANSFER.BILL.FINISHED' };
  expect(await notify(provider.notice(tradeNo, { event }))).toBe(204);
  expect(await notify(provider.notice(tradeNo, { transaction: { trade_state: 'CLOSED' } }))).toBe(
    204,
  );
  expect(await row(tradeNo)).toMatchObject({ status: 'pending', note: '' });
  expect(
    await notify(
      provider.notice(tradeNo, { transaction: { amount: { total: 1, currency: 'CNY' } } }),
    ),
  ).toBe(204);
  expect(await quota()).toBe(0);
  expect(await row(tradeNo)).toMatchObject({
    status: 'pending',
    note: expect.stringContaining('0.01'),
  });
});

test('polling finds the payment without a notice, and asks at most once in 2.5 seconds', async () => {
  const { provider, order, state, quota, clock, notify, operator } = await startShop();
  const tradeNo = await order();
  const lookups = () =>
    provider.calls.filter((call) => call === `GET /v3/pay/transactions/out-trade-no/${tradeNo}`)
      .length;
  expect(await Promise.all([state(tradeNo), state(tradeNo), state(tradeNo)])).toEqual([
    'NOTPAY',
    'NOTPAY',
    'NOTPAY',
  ]);
  expect(lookups()).toBe(1);
  clock.move(3000);
  provider.setState(tradeNo, 'SUCCESS');
  expect([await state(tradeNo), await state(tradeNo)]).toEqual(['SUCCESS', 'SUCCESS']);
  expect(lookups()).toBe(2);
  expect(await notify(provider.notice(tradeNo))).toBe(204);
  expect(await quota()).toBe(5_000_000);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test.each([
  ['CLOSED', 'CLOSED'],
  ['PAYERROR', 'CLOSED'],
  ['REFUND', 'REFUND'],
])('an order that is %s at the provider', async (atProvider, shown) => {
  const { provider, order, state, quota } = await startShop();
  const tradeNo = await order();
  provider.setState(tradeNo, atProvider);
  expect([await state(tradeNo), await quota()]).toEqual([shown, 0]);
});

test('a notice that comes after the payment was paid back credits nothing', async () => {
  const { provider, order, notify, state, quota, row, operator } = await startShop();
  const tradeNo = await order();
  provider.setState(tradeNo, 'REFUND');
  expect(await state(tradeNo)).toBe('REFUND');
  expect(await notify(provider.notice(tradeNo))).toBe(204);
  expect(
    await notify(
      provider.notice(tradeNo, { transaction: { amount: { total: 1, currency: 'CNY' } } }),
    ),
  ).toBe(204);
  expect([await quota(), await state(tradeNo)]).toEqual([0, 'REFUND']);
  // An administrator may know better.
  await operator.topUp.complete({ trade_no: tradeNo });
  expect(await row(tradeNo)).toMatchObject({ status: 'success', paymentMethod: 'admin' });
});

test('a lookup with a forged reply credits nothing', async () => {
  const { provider, order, state, quota, clock } = await startShop();
  const tradeNo = await order();
  provider.setState(tradeNo, 'SUCCESS');
  provider.misbehave({ signedBy: stranger });
  expect(await state(tradeNo)).toBe('NOTPAY');
  clock.move(3000);
  provider.misbehave({});
  provider.setState(tradeNo, 'SUCCESS', { mchid: '1900000002' });
  expect([await state(tradeNo), await quota()]).toEqual(['NOTPAY', 0]);
});

test('a notice that arrives before the order call returned is credited', async () => {
  const { provider, pay, notify, quota, state, operator } = await startShop();
  let early = 0;
  provider.beforeReply(async (tradeNo) => {
    early = await notify(provider.notice(tradeNo));
  });
  const { trade_no: tradeNo, expires_in: expires } = (await pay()).json['data'] as {
    trade_no: string;
    expires_in: number;
  };
  expect(early).toBe(204);
  expect(expires).toBe(7200);
  expect([await quota(), await state(tradeNo)]).toEqual([5_000_000, 'SUCCESS']);
  expect(await notify(provider.notice(tradeNo))).toBe(204);
  expect(await quota()).toBe(5_000_000);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('an order whose reply was lost fails, and is credited when it was paid all the same', async () => {
  const { provider, pay, notify, quota, operator } = await startShop();
  provider.beforeReply(async () => {
    throw new Error('the connection broke');
  });
  expect((await pay()).json['code']).toBe('payment_failed');
  const [record] = (await operator.topUp.list()).records;
  expect(record).toMatchObject({ status: 'failed' });
  expect(await notify(provider.notice(record?.trade_no ?? ''))).toBe(204);
  expect(await quota()).toBe(5_000_000);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('notices in any order, each twice at once; a replayed one is worth nothing', async () => {
  const { provider, order, notify, quota, clock, operator } = await startShop();
  const [first, second] = [await order(), await order()];
  const closed = provider.notice(first, { transaction: { trade_state: 'CLOSED' } });
  const paid = [provider.notice(second), provider.notice(first), closed, closed].flatMap(
    (notice) => [notice, notice],
  );
  expect(new Set(await Promise.all(paid.map(notify)))).toEqual(new Set([204]));
  expect(await quota()).toBe(10_000_000);
  const replayed = provider.notice(second);
  clock.move(301_000);
  expect(await notify(replayed)).toBe(401);
  expect(await quota()).toBe(10_000_000);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('an order completed by hand: its late notice is accepted and credits nothing', async () => {
  const { provider, order, notify, quota, operator, sweep, clock, row } = await startShop();
  const tradeNo = await order();
  await operator.topUp.complete({ trade_no: tradeNo });
  provider.setState(tradeNo, 'SUCCESS');
  expect(await notify(provider.notice(tradeNo))).toBe(204);
  expect(
    await notify(
      provider.notice(tradeNo, { transaction: { amount: { total: 1, currency: 'CNY' } } }),
    ),
  ).toBe(204);
  clock.move(2 * hour);
  await sweep();
  expect(await quota()).toBe(5_000_000);
  expect(await row(tradeNo)).toMatchObject({ status: 'success', paymentMethod: 'admin', note: '' });
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('an order that the provider refuses fails; the reason is for administrators', async () => {
  const { provider, pay, operator } = await startShop();
  provider.misbehave({ refuse: 400 });
  const { json } = await pay();
  const text = 'The payment could not be started. Please try again later';
  expect(json).toEqual({ success: false, message: text, data: text, code: 'payment_failed' });
  expect((await operator.topUp.list()).records).toMatchObject([
    { status: 'failed', note: expect.stringContaining('secret reason') },
  ]);
});

test('an expired order is closed at the provider; a payment in the last moment counts', async () => {
  const { provider, order, sweep, row, quota, clock, notify, operator } = await startShop();
  const [first, second] = [await order(), await order()];
  clock.move(2 * hour);
  provider.beforeClose((tradeNo) => {
    if (tradeNo === second) provider.setState(second, 'SUCCESS');
  });
  await sweep();
  expect(await row(first)).toMatchObject({ status: 'failed' });
  expect(await row(second)).toMatchObject({ status: 'success' });
  expect(await notify(provider.notice(first))).toBe(204);
  expect(await notify(provider.notice(second))).toBe(204);
  expect(await quota()).toBe(10_000_000);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('without one of its secrets WeChat Pay is off', async () => {
  const { provider, order, notify, pay, operator, send, quota } = await startShop();
  const notice = provider.notice(await order());
  await operator.option.set({ key: 'WechatPay.APIv3Key', value: '-' });
  expect(await notify(notice)).toBe(400);
  expect((await pay()).json['code']).toBe('payment_not_configured');
  expect((await send('GET', '/api/status')).json['data']).toMatchObject({
    enable_wechat_pay: false,
    enable_online_topup: false,
  });
  expect(await quota()).toBe(0);
});

test('a notice of one provider does not pay the order of another', async () => {
  const { provider, notify, operator, send, payer, quota } = await startShop();
  await configureEpay(operator, { url: 'https://pay.example', pid: '1', key: 'k' });
  const reply = await send('POST', '/api/user/pay', {
    headers: payer,
    body: { amount: 10, payment_method: 'wx' },
  });
  const { out_trade_no: tradeNo = '' } = reply.json['data'] as Record<string, string>;
  const amount = { total: 7300, currency: 'CNY' };
  expect(await notify(provider.notice(tradeNo, { transaction: { amount } }))).toBe(404);
  expect(await quota()).toBe(0);
});

const pem = (kind: string, text: string) =>
  `-----BEGIN ${kind}-----\n${Buffer.from(text).toString('base64')}\n-----END ${kind}-----\n`;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = { type: 'spki', format: 'pem' } as const;
const rsaPublic = createPublicKey(stranger).export(spki).toString();
const pkcs1 = stranger.export({ type: 'pkcs1', format: 'der' }).toString('base64');

test.each([
  ['WechatPay.PrivateKey', 'no key', pem('PRIVATE KEY', 'no key')],
  [
    'WechatPay.PrivateKey',
    'an EC key',
    ec.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ],
  ['WechatPay.PrivateKey', 'a public key', rsaPublic],
  ['WechatPay.PublicKey', 'no key', pem('PUBLIC KEY', 'no key')],
  ['WechatPay.PublicKey', 'a word', 'key'],
  ['WechatPay.PublicKey', 'an EC key', ec.publicKey.export(spki).toString()],
  [
    'WechatPay.PublicKey',
    'a private key',
    stranger.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ],
  ['WechatPay.APIv3Key', '31 characters', 'k'.repeat(31)],
  ['WechatPay.NotifyUrl', 'http', 'http://gw.example/notify'],
  ['WechatPay.NotifyUrl', 'a query', 'https://gw.example/notify?a=1'],
  ['TopupGroupRatio', 'a ratio of 0', '{"default":0}'],
  ['TopupGroupRatio', 'broken JSON', '{"default":'],
  ['TopUpCodes', 'a factor above 1', '{"A":1.5}'],
  ['MinTopUp', '0', '0'],
  ['Price', '0', '0'],
])('%s: %s is refused', async (key, _name, value) => {
  const { operator } = await startShop();
  await expect(operator.option.set({ key, value })).rejects.toMatchObject({
    code: 'option_invalid',
  });
});

test.each([
  ['WechatPay.PrivateKey', 'bare base64', pkcs1],
  ['WechatPay.PublicKey', 'a public key', rsaPublic],
  ['WechatPay.PublicKey', 'a certificate', platform.cert],
])('%s: %s is accepted', async (key, _name, value) => {
  const { operator } = await startShop();
  await expect(operator.option.set({ key, value })).resolves.toBeUndefined();
});
