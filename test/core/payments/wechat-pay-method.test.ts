/** What WeChat Pay is asked and what is believed of its replies: docs/rules/payments.md#wechat-pay. */
import { createCipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ProviderOrder } from '../../../src/core/payments/payment-method.ts';
import type { WechatPayReply } from '../../../src/core/payments/wechat-pay-client.ts';
import {
  createWechatPayMethod,
  type WechatPayNotice,
} from '../../../src/core/payments/wechat-pay-method.ts';
import type { TopUp } from '../../../src/core/storage/storage.ts';
import { codeOf } from '../billing/ledger-support.ts';

const order = {
  tradeNo: 'N 1',
  goodsName: 'Quota',
  moneyCents: 730,
  createTime: 1_795_000_000,
} as TopUp;
const apiKey = '0123456789abcdef0123456789abcdef';
const configured = {
  MchID: 'm&1',
  AppID: 'app',
  CertSerialNumber: 'S',
  PrivateKey: 'P',
  APIv3Key: apiKey,
};

function openMethod(more: object = {}, reply: Partial<WechatPayReply> = {}) {
  const wechat: Readonly<Record<string, string>> = { ...configured, NotifyUrl: '', ...more };
  const options: Readonly<Record<string, string>> = {
    CustomCallbackAddress: '',
    ...Object.fromEntries(
      Object.entries(wechat).map(([key, value]) => [`WechatPay.${key}`, value]),
    ),
    ...more,
  };
  const calls: unknown[][] = [];
  const verified: unknown[][] = [];
  const method = createWechatPayMethod({
    options: { get: ((key: string) => options[key]) as never },
    client: {
      call: async (...given) => {
        calls.push(given);
        return { status: 200, json: {}, ...reply };
      },
      verify: async (...given) => void verified.push(given),
    },
    baseUrl: () => 'https://site.example.com',
  });
  return { method, calls, verified };
}
const success = {
  mchid: 'm&1',
  appid: 'app',
  out_trade_no: 'N 1',
  transaction_id: 'T9',
  trade_state: 'SUCCESS',
  amount: { total: 730, currency: 'CNY' },
};
const payment = { tradeNo: 'N 1', cents: 730, sum: '7.30', providerTradeNo: 'T9' };

it('is ready once all that it needs is set', () => {
  expect(openMethod().method.isEnabled()).toBe(true);
  for (const name of Object.keys(configured))
    expect(openMethod({ [name]: '' }).method.isEnabled()).toBe(false);
  const { method } = openMethod();
  expect([method.id, method.orderSeconds, method.hidesRefunds]).toEqual([
    'wechatpay',
    7200,
    undefined,
  ]);
  expect([method.owns('wechatpay'), method.owns('wxpay')]).toEqual([true, false]);
});

describe('an order', () => {
  it('is one call, and gives the code that the payer scans', async () => {
    const { method, calls } = openMethod({}, { json: { code_url: 'weixin://1' } });
    expect(await method.createOrder(order)).toEqual({ codeUrl: 'weixin://1' });
    const body = {
      appid: 'app',
      mchid: 'm&1',
      description: 'Quota',
      out_trade_no: 'N 1',
      time_expire: '2026-11-18T13:06:40+00:00',
      notify_url: 'https://site.example.com/api/user/wechatpay/notify',
      amount: { total: 730, currency: 'CNY' },
    };
    expect(calls).toEqual([['POST', '/v3/pay/transactions/native', body]]);
  });

  it.each([
    [
      { CustomCallbackAddress: 'https://hook.example.com' },
      'https://hook.example.com/api/user/wechatpay/notify',
    ],
    [{ NotifyUrl: 'https://own.example.com/x' }, 'https://own.example.com/x'],
  ])('is reported where %j says', async (options, url) => {
    const { method, calls } = openMethod(options, { json: { code_url: 'w' } });
    await method.createOrder(order);
    expect(calls[0]?.[2]).toMatchObject({ notify_url: url });
  });

  it.each([
    [{ status: 400, json: { code: 'NO', message: 'why', code_url: 'w' } }, '400 NO why'],
    [{ status: 200, json: {} }, '200  '],
  ])('that is not taken says why: %j', async (reply, detail) => {
    await expect(openMethod({}, reply).method.createOrder(order)).rejects.toMatchObject({
      code: 'payment_failed',
      params: { detail },
    });
  });
});

describe('an order that is looked up', () => {
  it.each<[string, ProviderOrder]>([
    ['SUCCESS', { state: 'paid', payment }],
    ['REFUND', { state: 'refunded' }],
    ['CLOSED', { state: 'closed' }],
    ['REVOKED', { state: 'closed' }],
    ['PAYERROR', { state: 'closed' }],
    ['NOTPAY', { state: 'unpaid' }],
  ])('%s', async (state, expected) => {
    const { method, calls } = openMethod({}, { json: { ...success, trade_state: state } });
    const { signal } = new AbortController();
    expect(await method.query(order, signal)).toEqual(expected);
    expect(calls).toEqual([
      ['GET', '/v3/pay/transactions/out-trade-no/N%201?mchid=m%261', undefined, signal],
    ]);
  });

  it('never arrived, or is not told', async () => {
    expect(await openMethod({}, { status: 404 }).method.query(order)).toEqual({ state: 'unpaid' });
    expect(await codeOf(openMethod({}, { status: 500 }).method.query(order))).toBe(
      'payment_failed',
    );
    const other = openMethod({}, { json: { ...success, out_trade_no: 'N2' } });
    expect(await codeOf(other.method.query(order))).toBe('bad_response_body');
  });

  it.each([
    [{ mchid: 'other' }],
    [{ appid: 'other' }],
    [{ out_trade_no: 5 }],
    [{ amount: 730 }],
    [{ amount: { total: 730, currency: 'USD' } }],
    [{ amount: { total: 7.3, currency: 'CNY' } }],
    [{ amount: { currency: 'CNY' } }],
  ])('is not believed with %j', async (more) => {
    const { method } = openMethod({}, { json: { ...success, ...more } });
    expect(await codeOf(method.query(order))).toBe('payment_notice_invalid');
  });

  it('may have no number of the provider', async () => {
    const { method } = openMethod({}, { json: { ...success, transaction_id: undefined } });
    expect(await method.query(order)).toMatchObject({ payment: { providerTradeNo: '' } });
  });
});

describe('an order that is closed', () => {
  it.each([
    [204, 'ok'],
    [404, 'ok'],
    [200, 'payment_failed'],
    [500, 'payment_failed'],
  ])('with the status %i: %s', async (status, code) => {
    const { method, calls } = openMethod({}, { status });
    expect(await codeOf(Promise.resolve(method.close?.(order)))).toBe(code);
    const path = '/v3/pay/transactions/out-trade-no/N%201/close';
    expect(calls).toEqual([['POST', path, { mchid: 'm&1' }, undefined]]);
  });
});

describe('a refund', () => {
  const request = { order, refundNo: 'R1', cents: 205, reason: 'kindness' };

  it.each([['SUCCESS'], ['PROCESSING']])('is one call: %s', async (status) => {
    const { method, calls } = openMethod({}, { json: { status } });
    await method.refund?.(request);
    await method.refund?.({ ...request, reason: '' });
    const body = {
      out_trade_no: 'N 1',
      out_refund_no: 'R1',
      notify_url: 'https://site.example.com/api/user/wechatpay/notify',
      amount: { refund: 205, total: 730, currency: 'CNY' },
    };
    const path = '/v3/refund/domestic/refunds';
    expect(calls).toStrictEqual([
      ['POST', path, { ...body, reason: 'kindness' }],
      ['POST', path, body],
    ]);
  });

  it.each([
    ['SUCCESS', 'accepted'],
    ['PROCESSING', 'accepted'],
    ['CLOSED', 'given_up'],
  ])('that is %s is %s', async (status, state) => {
    const { method } = openMethod({}, { status: 200, json: { status } });
    expect(await method.refund?.(request)).toBe(state);
  });

  it.each([
    [{ status: 200, json: { status: 'ABNORMAL' } }, 'ABNORMAL'],
    [{ status: 400, json: { status: 'CLOSED' } }, 'CLOSED'],
    [{ status: 200, json: {} }, 'undefined'],
    [
      { status: 403, json: { status: 'SUCCESS', code: 'NOT_ENOUGH', message: 'no money' } },
      'NOT_ENOUGH no money',
    ],
  ])('that is not made says why: %j', async (reply, detail) => {
    await expect(openMethod({}, reply).method.refund?.(request)).rejects.toMatchObject({
      code: 'refund_failed',
      params: { detail },
    });
  });
});

describe('a notice', () => {
  const sealed = (about: unknown, key = apiKey) => {
    const cipher = createCipheriv('aes-256-gcm', key, 'nonce-123456', { authTagLength: 16 });
    cipher.setAAD(Buffer.from('about'));
    const text = typeof about === 'string' ? about : JSON.stringify(about);
    const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return {
      ciphertext: bytes.toString('base64'),
      nonce: 'nonce-123456',
      associated_data: 'about',
    };
  };
  const notice = (event: unknown) => ({
    headers: { 'wechatpay-serial': 'S' },
    body: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)),
  });
  const paid = (about: unknown, more: object = {}) =>
    notice({ event_type: 'TRANSACTION.SUCCESS', resource: sealed(about), ...more });
  const refund = {
    mchid: 'm&1',
    out_trade_no: 'N 1',
    out_refund_no: 'R1',
    amount: { refund: 205 },
  };
  const refunded = { tradeNo: 'N 1', refundNo: 'R1', cents: 205 };

  it.each<readonly [string, WechatPayNotice, unknown]>([
    ['of a payment', paid(success), { payment }],
    ['of a payment that failed', paid({ ...success, trade_state: 'CLOSED' }), null],
    ['of something else', notice({ event_type: 'COUPON.USE' }), null],
    ['without a type', notice({}), null],
    ...(['SUCCESS refunded', 'ABNORMAL failed', 'CLOSED closed'] as const).map((pair) => {
      const [event, state] = pair.split(' ');
      const given = notice({ event_type: `REFUND.${event}`, resource: sealed(refund) });
      return [`of a refund: ${event}`, given, { refund: { ...refunded, state } }] as const;
    }),
  ])('%s', async (_, given, report) => {
    const { method, verified } = openMethod();
    expect(await method.verifyNotice(given)).toEqual(report);
    expect(verified).toEqual([[given.headers, given.body]]);
  });

  it.each<readonly [unknown]>([
    ['[]'],
    ['no JSON'],
    [{ event_type: 'TRANSACTION.SUCCESS' }],
    [{ event_type: 'TRANSACTION.SUCCESS', resource: {} }],
    [{ event_type: 'TRANSACTION.SUCCESS', resource: sealed(success, 'f'.repeat(32)) }],
    [
      {
        event_type: 'TRANSACTION.SUCCESS',
        resource: { ...sealed(success), nonce: 'nonce-654321' },
      },
    ],
    [{ event_type: 'TRANSACTION.SUCCESS', resource: { ...sealed(success), associated_data: 7 } }],
    [{ event_type: 'TRANSACTION.SUCCESS', resource: { ...sealed(success), ciphertext: 'AAAA' } }],
    [{ event_type: 'TRANSACTION.SUCCESS', resource: sealed('[]') }],
    ...[
      { mchid: 'other' },
      { out_trade_no: 1 },
      { out_refund_no: undefined },
      { amount: 205 },
      { amount: { refund: 0 } },
      { amount: { refund: 1.5 } },
    ].map((more): readonly [unknown] => [
      { event_type: 'REFUND.SUCCESS', resource: sealed({ ...refund, ...more }) },
    ]),
  ])('that is none is refused: %j', async (event) => {
    expect(await codeOf(openMethod().method.verifyNotice(notice(event)))).toBe(
      'payment_notice_invalid',
    );
  });

  it('is for nobody where the method is not set up', async () => {
    const { method, verified } = openMethod({ APIv3Key: '' });
    expect(await codeOf(method.verifyNotice(paid(success)))).toBe('payment_not_configured');
    expect(verified).toEqual([]);
  });
});
