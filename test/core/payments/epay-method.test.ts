// Covers src/core/payments/epay-method.ts, src/core/payments/epay-signature.ts, src/core/payments/apply-lookup.ts.
/** What is said to an Epay gateway and believed of what it says: docs/rules/payments.md#epay. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bindApplyLookup } from '../../../src/core/payments/apply-lookup.ts';
import { createEpayMethod, epayTypeOf } from '../../../src/core/payments/epay-method.ts';
import { hasEpaySignature, signEpay } from '../../../src/core/payments/epay-signature.ts';
import type { OrderMethod, ProviderOrder } from '../../../src/core/payments/payment-method.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import type { WireRequest } from '../../../src/core/upstream/exchange.ts';
import { codeOf } from '../billing/ledger-support.ts';

const order = {
  tradeNo: 'N1',
  paymentMethod: 'alipay',
  goodsName: 'Quota',
  moneyCents: 730,
  note: '',
} as TopUp;
const configured = {
  EpayId: ' 1001 ',
  EpayKey: ' secret ',
  PayAddress: 'https://pay.example.com//',
  CustomCallbackAddress: '',
};

function openMethod(more: object = {}, reply: unknown = {}, status = 200) {
  const options: Readonly<Record<string, string>> = { ...configured, ...more };
  const sent: (readonly [WireRequest, number])[] = [];
  const method = createEpayMethod({
    options: { get: ((key: string) => options[key]) as never },
    upstream: {
      collect: async (request, most) => {
        sent.push([request as WireRequest, most]);
        const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
        return { status, headers: {}, bytes: Buffer.from(text) };
      },
    },
    baseUrl: () => 'https://site.example.com',
  });
  return { method, sent };
}
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe('the signature', () => {
  it('is over the fields that are not empty, sorted by their bytes', () => {
    const fields = { b: '2', a: '1', B: '3', e: '', sign: 'x', sign_type: 'MD5' };
    expect(signEpay(fields, 'key')).toBe(md5('B=3&a=1&b=2key'));
  });

  it('is taken in either case, and no other one is', () => {
    const sign = signEpay({ a: '1' }, 'key');
    const is = (text?: string) =>
      hasEpaySignature({ a: '1', ...(text !== undefined && { sign: text }) }, 'key');
    expect([is(sign), is(sign.toUpperCase())]).toEqual([true, true]);
    expect([is(), is(''), is(`${sign}0`), is(md5('x'))]).toEqual([false, false, false, false]);
  });
});

it('is ready once it has an address, a merchant and a key', () => {
  const isReady = (more: object) => openMethod(more).method.isEnabled();
  expect([{}, { PayAddress: '' }, { EpayId: ' ' }, { EpayKey: ' ' }].map(isReady)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it('has the orders of its own ways to pay, by their names and those of clients', () => {
  const { method } = openMethod();
  expect(['alipay', 'wxpay', 'zfb', 'wechatpay', ''].map((name) => method.owns(name))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(['zfb', 'alipay', 'wechatpay', ''].map(epayTypeOf)).toEqual([
    'alipay',
    'alipay',
    undefined,
    undefined,
  ]);
  expect(method).toMatchObject({ id: 'epay', orderSeconds: 86_400, hidesRefunds: true });
});

it('sends the payer with a signed form', async () => {
  const { url, data } = await openMethod().method.createOrder(order);
  const { sign, ...fields } = data;
  expect(url).toBe('https://pay.example.com/submit.php');
  expect(fields).toEqual({
    pid: '1001',
    type: 'alipay',
    out_trade_no: 'N1',
    name: 'Quota',
    money: '7.30',
    notify_url: 'https://site.example.com/api/user/epay/notify',
    return_url: 'https://site.example.com/topup/history',
    device: 'pc',
    sign_type: 'MD5',
  });
  expect(sign).toBe(signEpay(fields, 'secret'));
  const other = openMethod({ CustomCallbackAddress: 'https://hook.example.com' });
  expect((await other.method.createOrder(order)).data).toMatchObject({
    notify_url: 'https://hook.example.com/api/user/epay/notify',
    return_url: 'https://site.example.com/topup/history',
  });
});

describe('a notice', () => {
  const paid = {
    pid: '1001',
    trade_no: 'P9',
    out_trade_no: 'N1',
    money: '7.30',
    type: 'wxpay',
    trade_status: 'TRADE_SUCCESS',
  };
  const notice = (fields: Readonly<Record<string, string>>, key = 'secret') => ({
    ...fields,
    sign: signEpay(fields, key),
  });
  const payment = { tradeNo: 'N1', providerTradeNo: 'P9', cents: 730, sum: '7.30' };

  it.each([
    ['says how it was paid', {}, { payment: { ...payment, paymentMethod: 'wxpay' } }],
    ['of an unknown way is as ordered', { type: 'coins' }, { payment }],
    ['of no success says nothing', { trade_status: 'TRADE_CLOSED' }, null],
    [
      'may have a sum that cannot be read',
      { money: 'x'.repeat(50), type: '' },
      { payment: { ...payment, cents: undefined, sum: 'x'.repeat(40) } },
    ],
    [
      'may have no sum',
      { money: '', trade_no: '', type: '' },
      { payment: { ...payment, providerTradeNo: '', cents: undefined, sum: '—' } },
    ],
  ])('%s', async (_, more, expected) => {
    expect(await openMethod().method.verifyNotice(notice({ ...paid, ...more }))).toEqual(expected);
  });

  it.each([
    ['payment_not_configured', { EpayKey: '' }, notice(paid)],
    ['payment_signature_invalid', {}, notice(paid, 'other')],
    ['payment_signature_invalid', {}, { ...notice(paid), money: '0.01' }],
    ['payment_notice_invalid', {}, notice({ ...paid, pid: '1002' })],
    ['payment_notice_invalid', {}, notice({ ...paid, out_trade_no: '' })],
  ])('is refused as %s', async (code, options, fields) => {
    expect(await codeOf(openMethod(options).method.verifyNotice(fields))).toBe(code);
  });
});

describe('an order that is looked up', () => {
  const found = { code: 1, pid: 1001, out_trade_no: 'N1', trade_no: 'P9', money: '7.30' };
  const payment = { tradeNo: 'N1', providerTradeNo: 'P9', cents: 730, sum: '7.30' };

  it.each<[string, object, ProviderOrder]>([
    ['is paid', { status: 1 }, { state: 'paid', payment }],
    ['is paid, with nothing given back', { status: '1', refundmoney: '0.00' }, expect.anything()],
    ['is not paid', { status: 0 }, { state: 'unpaid' }],
    ['is not there', { status: 1, code: -1 }, { state: 'unpaid' }],
    ['has no state', { status: null }, { state: 'unpaid' }],
    ['is given back', { status: 2 }, { state: 'refunded', cents: 730 }],
    [
      'is given back in part',
      { status: 2, refundmoney: '2.00' },
      { state: 'refunded', cents: 200 },
    ],
    ['is paid and given back', { status: 1, refundmoney: 2 }, { state: 'refunded', cents: 200 }],
    ['is given back, who knows how much', { status: 2, money: '?' }, { state: 'refunded' }],
  ])('%s', async (_, more, expected) => {
    const { method, sent } = openMethod({}, { ...found, ...more });
    expect(await method.query(order)).toEqual(expected);
    const url = 'https://pay.example.com/api.php?act=order&pid=1001&key=secret&out_trade_no=N1';
    const limits = { firstByteTimeout: 10_000, idleTimeout: 10_000, totalTimeout: 10_000 };
    expect(sent).toEqual([[{ method: 'GET', url, headers: {}, ...limits }, 65_536]]);
  });

  it.each([
    ['bad_response_body', { ...found, status: 1, out_trade_no: 'N2' }, 200],
    ['bad_response_body', { ...found, status: 1, pid: 1002 }, 200],
    ['bad_response_body', '[]', 200],
    ['bad_response_body', '<html>', 200],
    ['bad_response_status_code', { ...found, status: 1 }, 502],
  ])('is not believed: %s', async (code, reply, status) => {
    expect(await codeOf(openMethod({}, reply, status).method.query(order))).toBe(code);
  });

  it('is not asked for where somebody on the way could read the key', async () => {
    const open = openMethod({ PayAddress: 'http://pay.example.com' }, { ...found, status: 1 });
    expect(await open.method.query(order)).toEqual({ state: 'unpaid' });
    expect(await codeOf(Promise.resolve(open.method.refund?.({ order } as never)))).toBe(
      'refund_not_offered',
    );
    expect(open.sent).toEqual([]);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      const near = openMethod({ PayAddress: `http://${host}:99` }, { ...found, status: 1 });
      expect(await near.method.query(order)).toMatchObject({ state: 'paid' });
    }
  });
});

describe('a refund', () => {
  const request = { order, refundNo: 'R1', cents: 205, reason: '' };

  it('is one form', async () => {
    const { method, sent } = openMethod({}, { code: 1 });
    await method.refund?.(request);
    expect(sent).toMatchObject([
      [
        {
          method: 'POST',
          url: 'https://pay.example.com/api.php?act=refund',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'pid=1001&key=secret&out_trade_no=N1&money=2.05',
        },
        65_536,
      ],
    ]);
  });

  it.each([
    [{ code: 0, msg: 'no money' }, 'no money'],
    [{ code: 0 }, ''],
  ])('that the gateway does not make says why: %j', async (reply, detail) => {
    await expect(openMethod({}, reply).method.refund?.(request)).rejects.toMatchObject({
      code: 'refund_failed',
      params: { detail },
    });
  });
});

it.each<[ProviderOrder, string, boolean, readonly unknown[]]>([
  [{ state: 'unpaid' }, '', false, []],
  [{ state: 'paid', payment: { tradeNo: 'N1' } as never }, '', true, [{ tradeNo: 'N1' }, true]],
  [{ state: 'closed' }, '', true, ['N1', 'closed']],
  [{ state: 'closed' }, 'paid 0.01', true, ['N1', 'paid 0.01']],
  [{ state: 'refunded' }, 'paid 0.01', true, ['N1', undefined]],
])('%j with the note %j is applied', async (found, note, ends, expected) => {
  const done: unknown[] = [];
  const lookup = bindApplyLookup({
    storage: { topUps: { fail: async (...given: unknown[]) => done.push(...given) } } as never,
    settle: {
      reported: async (payment: object, owns: (name: string) => boolean) =>
        done.push(payment, owns('mine')),
    } as never,
    refunds: { beforeCredit: async ({ tradeNo }, cents) => void done.push(tradeNo, cents) },
  });
  const method = { query: async () => found, owns: (name: string) => name === 'mine' };
  expect(await lookup({ ...order, note }, method as unknown as OrderMethod)).toBe(ends);
  expect(done).toEqual(expected);
});
