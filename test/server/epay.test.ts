import { afterEach, expect, test } from 'vitest';
import {
  configureEpay,
  type EpayGateway,
  epaySign,
  startEpayGateway,
} from '../support/epay-gateway.ts';
import { startTestServer, type TestServer } from './http.ts';

interface Shop extends TestServer {
  readonly gateway: EpayGateway;
  readonly payer: Record<string, string>;
  readonly payerId: number;
  /** Orders and submits; returns the number of the order. */
  order(body?: object): Promise<string>;
  /** Sends a notice and returns the reply's text. */
  notify(fields: Readonly<Record<string, string>>, method?: 'GET' | 'POST'): Promise<string>;
  quota(): Promise<number>;
}

const path = '/api/user/epay/notify';

const shops: Pick<TestServer, 'operator'>[] = [];
/** Whatever was sent: each balance is the sum of its postings. */
afterEach(async () => {
  for (const { operator } of shops.splice(0))
    expect(await operator.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
});

async function startShop(): Promise<Shop> {
  const gateway = await startEpayGateway();
  const server = await startTestServer();
  shops.push(server);
  await configureEpay(server.operator, gateway);
  const payerId = await server.addUser('ann');
  const payer = await server.signIn('ann');
  return {
    ...server,
    gateway,
    payer,
    payerId,
    order: async (body = {}) => {
      const reply = await server.send('POST', '/api/user/pay', {
        headers: payer,
        body: { amount: 10, payment_method: 'zfb', ...body },
      });
      const form = reply.json['data'] as Record<string, string>;
      gateway.submit(form);
      return form['out_trade_no'] ?? '';
    },
    notify: async (fields, method = 'POST') => {
      const text = new URLSearchParams(fields).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const reply =
        method === 'GET'
          ? await server.send('GET', `${path}?${text}`)
          : await server.send('POST', path, { body: text, headers });
      expect(reply.status).toBe(200);
      return reply.text;
    },
    quota: async () => (await server.app.accounts.own.get(payerId)).quota,
  };
}

test('the signature follows the published examples', () => {
  const notice = {
    money: '73.00',
    name: 'TUC10',
    out_trade_no: 'USR1NOAbCdEf1700000000',
    pid: '1001',
    trade_no: '2023111500001',
    trade_status: 'TRADE_SUCCESS',
    type: 'alipay',
  };
  expect(epaySign(notice, 'epay-test-key')).toBe('4e2db1eb4d9abab31c6484100064633b');
});

test('a top-up from the sum to the credit', async () => {
  const { send, payer, gateway, notify, quota, operator, payerId, app } = await startShop();
  const sum = await send('POST', '/api/user/amount', {
    headers: payer,
    body: { amount: 10, top_up_code: '' },
  });
  const factors = { quota: 5_000_000, price: 7.3, group_ratio: 1, discount: 1 };
  expect(sum.json).toEqual({ success: true, message: 'success', data: '73.00', ...factors });
  expect((await send('GET', '/api/status')).json['data']).toMatchObject({
    enable_online_topup: true,
    enable_epay: true,
    min_topup: 1,
  });

  const paid = await send('POST', '/api/user/pay', {
    headers: payer,
    body: { amount: 10, top_up_code: '', payment_method: 'wx' },
  });
  const form = paid.json['data'] as Record<string, string>;
  const tradeNo = form['out_trade_no'] ?? '';
  expect(tradeNo).toMatch(new RegExp(`^USR${payerId}NO[A-Za-z0-9]{6}\\d{10}$`));
  expect(paid.json).toEqual({
    success: true,
    message: 'success',
    url: `${gateway.url}/submit.php`,
    data: {
      pid: '1001',
      type: 'wxpay',
      out_trade_no: tradeNo,
      notify_url: 'https://gw.example/api/user/epay/notify',
      return_url: 'https://gw.example/topup/history',
      name: '73.00 元令牌充值套餐',
      money: '73.00',
      device: 'pc',
      sign_type: 'MD5',
      sign: epaySign(form, gateway.key),
    },
  });
  gateway.submit(form);
  const state = async () =>
    (await send('GET', `/api/user/wechatpay/query?trade_no=${tradeNo}`, { headers: payer })).json[
      'data'
    ];
  expect(await state()).toEqual({ trade_no: tradeNo, status: 'NOTPAY' });

  expect(await notify(gateway.notice(tradeNo))).toBe('success');
  expect(await quota()).toBe(5_000_000);
  expect(await state()).toEqual({ trade_no: tradeNo, status: 'SUCCESS' });
  const history = (await send('GET', '/api/topup?page=1&page_size=10', { headers: payer })).json[
    'data'
  ];
  expect(history).toMatchObject({
    total: 1,
    page: 1,
    page_size: 10,
    todayIncome: 73,
    monthIncome: 73,
    yearIncome: 73,
    records: [
      {
        trade_no: tradeNo,
        money: 73,
        amount: 10,
        status: 'success',
        payment_method: 'wxpay',
        quota: 5_000_000,
      },
    ],
  });
  expect((history as { records: object[] }).records[0]).not.toHaveProperty('note');
  expect((await operator.ledger.list({ user_id: payerId })).items).toMatchObject([
    { kind: 'top_up', amount: 5_000_000, reference: tradeNo },
  ]);
  const [row] = (await app.logs.page({ userId: payerId, type: 1 }, { offset: 0, limit: 5 })).items;
  expect(row?.content).toBe('在线充值 $10.000000 额度，支付 73.00 元');
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('the sum names its factors, and an order costs what was shown', async () => {
  const { send, payer, operator } = await startShop();
  const options = { TopupGroupRatio: '{"default":0.95}', TopUpCodes: '{"SPRING":0.9}' };
  for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
  const body = { amount: 50, top_up_code: ' SPRING ' };
  const sum = await send('POST', '/api/user/amount', { headers: payer, body });
  // 50 × 7.3 × 0.95 × 0.9 = 312.075
  expect(sum.json).toMatchObject({
    data: '312.08',
    quota: 25_000_000,
    price: 7.3,
    group_ratio: 0.95,
    discount: 0.9,
  });
  const { json } = await send('POST', '/api/user/pay', {
    headers: payer,
    body: { ...body, payment_method: 'alipay' },
  });
  expect((json['data'] as Record<string, string>)['money']).toBe('312.08');
});

test('genuine notices in any order: one that reports no payment changes nothing, before or after', async () => {
  const { gateway, order, notify, quota, operator } = await startShop();
  const [first, second] = [await order(), await order({ amount: 3 })];
  const waiting = { trade_status: 'WAIT_BUYER_PAY' };
  const closed = { trade_status: 'TRADE_CLOSED' };
  for (const notice of [
    gateway.notice(second),
    gateway.notice(second, waiting),
    gateway.notice(first, closed),
    gateway.notice(first),
    gateway.notice(second),
    gateway.notice(first, waiting),
  ])
    expect(await notify(notice)).toBe('success');
  expect(await quota()).toBe(6_500_000);
  expect((await operator.topUp.list({ status: 'success' })).total).toBe(2);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('a notice of one order, replayed with the number of another, pays neither', async () => {
  const { gateway, order, notify, quota } = await startShop();
  const [paid, unpaid] = [await order(), await order()];
  expect(await notify(gateway.notice(paid, {}, { out_trade_no: unpaid }))).toBe('fail');
  expect(await quota()).toBe(0);
  expect(await notify(gateway.notice(paid))).toBe('success');
  expect(await notify(gateway.notice(paid, {}, { out_trade_no: unpaid }))).toBe('fail');
  expect(await quota()).toBe(5_000_000);
});

test('a notice comes by GET as well, and any number of times', async () => {
  const { gateway, order, notify, quota, operator } = await startShop();
  const tradeNo = await order();
  const notice = gateway.notice(tradeNo);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => notify(notice, index % 2 === 0 ? 'GET' : 'POST')),
  );
  expect(new Set(replies)).toEqual(new Set(['success']));
  expect(await notify(notice)).toBe('success');
  expect(await quota()).toBe(5_000_000);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test('what was ordered is credited, whatever the options are when the notice comes', async () => {
  const { gateway, order, notify, quota, operator } = await startShop();
  const tradeNo = await order();
  for (const [key, value] of Object.entries({
    Price: '9',
    DisplayInCurrencyEnabled: 'false',
    EpayId: ' 1001 ',
  }))
    await operator.option.set({ key, value });
  expect(await notify(gateway.notice(tradeNo))).toBe('success');
  expect(await quota()).toBe(5_000_000);
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['no signature', {}, { sign: '' }],
  ['a wrong signature', {}, { sign: '0'.repeat(32) }],
  ['a longer sum than was signed', {}, { money: '730.00' }],
  ['another order than was signed', {}, { out_trade_no: 'USR1NOaaaaaa1700000000' }],
  ['a field that was not signed', {}, { param: 'x' }],
  ['a status that was not signed', { trade_status: 'WAIT' }, { trade_status: 'TRADE_SUCCESS' }],
  ['another merchant', { pid: '1002' }, {}],
  ['no merchant', { pid: '' }, {}],
  ['an unknown order', { out_trade_no: 'USR1NOaaaaaa1700000000' }, {}],
  ['no order', { out_trade_no: '' }, {}],
])('refused: %s', async (_name, changes, forged) => {
  const { gateway, order, notify, quota, operator } = await startShop();
  const tradeNo = await order();
  const notice = gateway.notice(tradeNo, changes, forged);
  expect([await notify(notice), await notify(notice, 'GET')]).toEqual(['fail', 'fail']);
  expect(await quota()).toBe(0);
  expect((await operator.topUp.list()).records).toMatchObject([{ status: 'pending', note: '' }]);
});

test('refused: a notice signed with another key, with the empty key, or without anything', async () => {
  const { gateway, order, notify, send, quota } = await startShop();
  const notice = gateway.notice(await order());
  for (const key of ['another', '', gateway.key.toUpperCase()])
    expect(await notify({ ...notice, sign: epaySign(notice, key) })).toBe('fail');
  expect(await notify({})).toBe('fail');
  expect((await send('GET', path)).text).toBe('fail');
  const text = new URLSearchParams(notice).toString();
  expect((await send('GET', `${path}?${text}&money=1`)).text).toBe('fail');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await send('POST', path, { body: `a=${'x'.repeat(100_000)}`, headers })).text).toBe(
    'fail',
  );
  expect(
    (await send('POST', path, { body: '{', headers: { 'content-type': 'application/json' } })).text,
  ).toBe('fail');
  expect(await quota()).toBe(0);
});

test('another trade status is accepted and changes nothing', async () => {
  const { gateway, order, notify, quota } = await startShop();
  expect(await notify(gateway.notice(await order(), { trade_status: 'WAIT_BUYER_PAY' }))).toBe(
    'success',
  );
  expect(await quota()).toBe(0);
});

test('another sum leaves the order open with a note; the right one is still credited', async () => {
  const { gateway, order, notify, quota, operator } = await startShop();
  const tradeNo = await order();
  for (const money of ['0.01', '72.99', '7300.00'])
    expect(await notify(gateway.notice(tradeNo, { money }))).toBe('success');
  expect(await quota()).toBe(0);
  const [record] = (await operator.topUp.list()).records;
  expect(record).toMatchObject({
    status: 'pending',
    note: `订单 ${tradeNo}：实付 7300.00 元，应付 73.00 元，此通知未入账`,
  });
  expect(await notify(gateway.notice(tradeNo))).toBe('success');
  expect(await quota()).toBe(5_000_000);
  expect((await operator.ledger.verify()).ok).toBe(true);
});

test.each([
  ['no sum', ''],
  ['a sum that is no amount', '73.001'],
  ['an exponent', '7.3e1'],
  ['a negative sum', '-73.00'],
])('%s is accepted, noted, and credits nothing', async (_name, money) => {
  const { gateway, order, notify, quota, operator } = await startShop();
  const tradeNo = await order();
  expect(await notify(gateway.notice(tradeNo, { money }))).toBe('success');
  expect(await quota()).toBe(0);
  const note = `订单 ${tradeNo}：实付 ${money || '—'} 元，应付 73.00 元，此通知未入账`;
  expect((await operator.topUp.list()).records).toMatchObject([{ status: 'pending', note }]);
  // Also after the payment: it may be how the gateway reports that it was paid back.
  expect(await notify(gateway.notice(tradeNo))).toBe('success');
  expect(await notify(gateway.notice(tradeNo, { money }))).toBe('success');
  expect(await quota()).toBe(5_000_000);
  expect((await operator.topUp.list()).records).toMatchObject([{ status: 'success', note }]);
});

test('without its secrets Epay is off', async () => {
  const { gateway, order, notify, send, payer, operator, quota } = await startShop();
  const notice = gateway.notice(await order());
  await operator.option.set({ key: 'EpayKey', value: '-' });
  const body = { amount: 10, payment_method: 'zfb' };
  expect((await send('POST', '/api/user/pay', { headers: payer, body })).json).toEqual({
    message: 'error',
    data: 'Payment is not configured by the administrator',
    code: 'payment_not_configured',
  });
  expect(await notify(notice)).toBe('fail');
  expect(await notify({ ...notice, sign: epaySign(notice, '') })).toBe('fail');
  expect((await send('GET', '/api/status')).json['data']).toMatchObject({
    enable_online_topup: false,
    enable_epay: false,
  });
  expect(await quota()).toBe(0);
});

test.each([
  [{ amount: 0 }, 'top_up_too_small'],
  [{ amount: -5 }, 'top_up_too_small'],
  [{ amount: 1.5 }, 'invalid_parameter'],
  [{ amount: '10' }, 'invalid_parameter'],
  [{ amount: 'ten' }, 'invalid_parameter'],
  [{ amount: 1e300 }, 'invalid_parameter'],
  [{ amount: 9e15 }, 'amount_limit'],
  [{ amount: null }, 'invalid_parameter'],
  [{ amount: [10] }, 'invalid_parameter'],
  [{ amount: -1.5 }, 'invalid_parameter'],
  [{ amount: undefined }, 'invalid_parameter'],
  [{ top_up_code: 'nope' }, 'top_up_code_invalid'],
  [{ top_up_code: 'x'.repeat(65) }, 'invalid_parameter'],
  [{ payment_method: 'paypal' }, 'payment_method_unknown'],
  [{ payment_method: 'constructor' }, 'payment_method_unknown'],
])('%j is refused: %s', async (change, code) => {
  const { send, payer, operator } = await startShop();
  const body = { amount: 10, payment_method: 'alipay', ...change };
  // The sum is checked by the same rules; it does not depend on the method.
  for (const call of 'payment_method' in change ? ['pay'] : ['pay', 'amount']) {
    const reply = await send('POST', `/api/user/${call}`, { headers: payer, body });
    expect([reply.status, reply.json['message'], reply.json['code']]).toEqual([200, 'error', code]);
    expect(reply.json).not.toHaveProperty('success');
  }
  expect((await operator.topUp.list()).total).toBe(0);
});

test('orders: each user sees the own ones, administrators all; filters', async () => {
  const { send, payer, order, gateway, notify, operator, addUser, signIn, payerId } =
    await startShop();
  const [first, second] = [await order(), await order({ amount: 3 })];
  await notify(gateway.notice(second));
  await addUser('bob');
  const bob = await signIn('bob');
  const list = async (query: string, headers = payer) =>
    (await send('GET', `/api/topup?${query}`, { headers })).json['data'] as {
      total: number;
      records: { trade_no: string }[];
    };
  expect((await list('', bob)).total).toBe(0);
  expect((await list(`user_id=${payerId}&username=ann`, bob)).total).toBe(0);
  expect((await list('')).records.map(({ trade_no }) => trade_no)).toEqual([second, first]);
  expect((await list('status=pending')).records.map(({ trade_no }) => trade_no)).toEqual([first]);
  expect((await list(`trade_no=${first.slice(4, 14).toLowerCase()}`)).total).toBe(1);
  expect((await list('start_time=1')).total).toBe(2);
  expect((await list('end_time=1')).total).toBe(0);
  expect((await list('page=0&page_size=-1')).total).toBe(2);
  expect(
    (await send('GET', `/api/user/wechatpay/query?trade_no=${first}`, { headers: bob })).json[
      'code'
    ],
  ).toBe('order_unknown');
  const all = await operator.topUp.list({ username: 'ANN' });
  expect(all).toMatchObject({
    total: 2,
    todayIncome: 21.9,
    records: [{ username: 'ann', user_id: payerId }, {}],
  });
  expect((await operator.topUp.list({ username: 'nobody' })).total).toBe(0);
  expect((await operator.topUp.list({ scope: 'self' })).total).toBe(0);
});

test('an administrator completes an order once; its late notice credits nothing', async () => {
  const { order, gateway, notify, operator, send, payer, quota } = await startShop();
  const tradeNo = await order();
  expect(
    (await send('POST', '/api/topup/complete', { headers: payer, body: { trade_no: tradeNo } }))
      .json['code'],
  ).toBe('forbidden');
  const results = await Promise.allSettled(
    [1, 2, 3].map(() => operator.topUp.complete({ trade_no: tradeNo })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(operator.topUp.complete({ trade_no: tradeNo })).rejects.toMatchObject({
    code: 'order_already_paid',
  });
  await expect(operator.topUp.complete({ trade_no: 'other' })).rejects.toMatchObject({
    code: 'order_unknown',
  });
  expect(await notify(gateway.notice(tradeNo))).toBe('success');
  expect(await notify(gateway.notice(tradeNo, { money: '1.00' }))).toBe('success');
  expect(await quota()).toBe(5_000_000);
  expect((await operator.topUp.list()).records).toMatchObject([
    { status: 'success', payment_method: 'admin', note: '' },
  ]);
  expect((await operator.audit.list({ action: 'topup.complete' })).items).toMatchObject([
    { target: tradeNo },
  ]);
  expect((await operator.ledger.verify()).ok).toBe(true);
});
