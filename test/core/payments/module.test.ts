/** How orders begin, notices are taken and codes redeemed, and which jobs look after them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/core/kernel/actor.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { defaultOptions, type OptionValues } from '../../../src/core/options/index.ts';
import { createPaymentsModule } from '../../../src/core/payments/module.ts';
import { roles } from '../../../src/core/vocabulary/roles.ts';
import { codeOf } from '../../support/app.ts';
import { type EpayGateway, epayOptions, startEpayGateway } from '../../support/epay-gateway.ts';
import {
  type SentNotice,
  startWechatPay,
  type WechatPayProvider,
  wechatPayOptions,
} from '../../support/wechat-pay-provider.ts';
import { type OrderBench, openOrderBench } from './order-bench.ts';

const never = new AbortController().signal;
const request = { amount: 1, topUpCode: '' };

let bench: OrderBench;
let wechat: WechatPayProvider;
let gateway: EpayGateway;
let payer: Actor;
/** Leases that were requested: name and milliseconds. */
let leases: [string, number][];
let hasLease: boolean;

beforeAll(async () => {
  bench = await openOrderBench();
  wechat = await startWechatPay(() => bench.clock.now(), 'file');
  gateway = await startEpayGateway('file');
});
afterAll(() => bench.close());
beforeEach(async () => {
  leases = [];
  hasLease = true;
  wechat.misbehave({});
  const { userId } = await bench.place();
  payer = { id: userId, username: `payer${userId}`, role: roles.user, group: 'default', ip: '' };
});

/** Over storage whose reads of codes are followed by `afterRead`. */
function open(more: Partial<OptionValues> = {}, afterRead = async (_id: number) => {}) {
  const values: OptionValues = {
    ...defaultOptions(),
    ...epayOptions(gateway),
    ...wechatPayOptions(),
    ...more,
  };
  const { storage } = bench.deps;
  return createPaymentsModule({
    ...bench.deps,
    config: { wechatPayEndpoint: `${wechat.url}//` },
    storage: {
      ...storage,
      redemptions: {
        ...storage.redemptions,
        findByKey: async (key) => {
          const code = await storage.redemptions.findByKey(key);
          if (code !== null) await afterRead(code.id);
          return code;
        },
      },
    },
    options: { get: (key) => values[key] },
    audit: { record: async () => {} } as never,
    commit: async () => {
      throw new Error('nothing is edited here');
    },
    cluster: {
      leases: {
        acquire: async (name, _owner, ms) => {
          leases.push([name, ms]);
          return hasLease;
        },
        release: async () => true,
      },
    },
    baseUrl: () => 'https://gw.example',
    ids: bench.app.ids,
  });
}
const balance = async () => (await bench.deps.ledger.balance(payer.id)).quota;
const sent = ({ headers, body }: SentNotice) => ({ headers, body: Buffer.from(body) });

describe('an order at an Epay gateway', () => {
  it('is a form, and is credited once with its notice', async () => {
    const { epay } = open().services;
    const before = await balance();
    const { data } = await epay.order(payer, request, 'zfb');
    gateway.submit(data);
    const tradeNo = data['out_trade_no'] ?? '';
    expect(await bench.orderOf(tradeNo)).toMatchObject({ status: 'pending', userId: payer.id });
    await epay.notice(gateway.notice(tradeNo, { trade_status: 'TRADE_CLOSED' }));
    expect(await bench.orderOf(tradeNo)).toMatchObject({ status: 'pending' });
    for (let time = 0; time < 2; time += 1) await epay.notice(gateway.notice(tradeNo));
    expect(await bench.orderOf(tradeNo)).toMatchObject({ status: 'success' });
    expect((await balance()) - before).toBe(500_000);
  });

  it.each<[string, Partial<OptionValues>, string]>([
    ['zfb', { EpayKey: '' }, 'payment_not_configured'],
    ['paypal', {}, 'payment_method_unknown'],
  ])('by %s with %j is refused, and no order: %s', async (method, options, code) => {
    expect(await codeOf(open(options).services.epay.order(payer, request, method))).toBe(code);
    const { total } = await bench.deps.storage.topUps.page(
      { userId: payer.id },
      { offset: 0, limit: 1 },
    );
    expect(total).toBe(1);
  });
});

describe('an order at WeChat Pay', () => {
  it('is a code to scan, and its notices credit and take back', async () => {
    const { wechatPay } = open().services;
    const before = await balance();
    const { tradeNo, ...order } = await wechatPay.order(payer, request);
    const codeUrl = `weixin://wxpay/bizpayurl?pr=${tradeNo}`;
    expect(order).toEqual({ codeUrl, moneyCents: 730, expiresIn: 7200 });
    await wechatPay.notice(sent(wechat.notice(tradeNo)));
    expect((await balance()) - before).toBe(500_000);
    await wechatPay.notice(sent(wechat.refundNotice(tradeNo, 'R1', 365)));
    expect((await balance()) - before).toBe(250_000);
  });

  it('that is refused fails with the reason, which only administrators see', async () => {
    wechat.misbehave({ refuse: 400 });
    const failure = await open()
      .services.wechatPay.order(payer, request)
      .catch((error) => error);
    expect(failure).toMatchObject({ code: 'payment_failed', params: {} });
    expect(failure.cause).toMatchObject({ code: 'payment_failed' });
    const { items } = await bench.deps.storage.topUps.page(
      { userId: payer.id },
      { offset: 0, limit: 1 },
    );
    expect(items).toMatchObject([{ status: 'failed', note: expect.stringContaining('400') }]);
    expect(bench.errors).toEqual([
      [{ error: failure.cause, order: items[0]?.tradeNo }, expect.any(String)],
    ]);
  });

  it('is refused where nothing is configured', async () => {
    const { services } = open({ 'WechatPay.MchID': '' });
    expect(await codeOf(services.wechatPay.order(payer, request))).toBe('payment_not_configured');
  });

  it('is looked up for its payer, and credited where it is paid', async () => {
    const { wechatPay, orderState } = open().services;
    const { tradeNo } = await wechatPay.order(payer, request);
    expect(await orderState(payer, tradeNo)).toBe('NOTPAY');
    wechat.setState(tradeNo, 'SUCCESS');
    bench.clock.move(60_000);
    expect(await orderState(payer, tradeNo)).toBe('SUCCESS');
    expect(await bench.orderOf(tradeNo)).toMatchObject({ status: 'success' });
  });
});

describe('a code that is edited while it is redeemed', () => {
  const addCode = async () => {
    const key = bench.app.ids.hex(16);
    const code = { userId: 1, name: 'c', key: new Secret(key), quota: toQuota(10), createdTime: 1 };
    await bench.deps.storage.redemptions.insertMany([code]);
    return key;
  };
  /** Adds 1 to the quota after each of the first reads. */
  const redeem = async (edits: number) => {
    const { redemptions } = bench.deps.storage;
    let reads = 0;
    const { services } = open({}, async (id) => {
      reads += 1;
      if (reads > edits) return;
      const { name, expiredTime } = (await redemptions.find(id)) ?? { name: '', expiredTime: 0 };
      await redemptions.update(id, { name, expiredTime, quota: toQuota(10 + reads) });
    });
    const before = await balance();
    const result = await services.redeem(payer, await addCode()).catch(({ code }) => code);
    return [result, (await balance()) - before, reads];
  };

  it('is worth what it is in the end, unless that changes again and again', async () => {
    expect(await redeem(0)).toEqual([10, 10, 1]);
    expect(await redeem(2)).toEqual([12, 12, 3]);
    expect(await redeem(9)).toEqual(['code_used', 0, 3]);
  });
});

describe('the jobs', () => {
  const jobOf = (name: string, module = open()) => {
    const job = module.jobs?.find((one) => one.name === name);
    if (job === undefined) throw new Error(`no job ${name}`);
    return job;
  };

  it('run on one process, and end before they begin again', () => {
    for (const name of ['payment-sweep', 'refund-sweep']) {
      const job = jobOf(name);
      expect(job.scope).toBe('gateway');
      expect(job.timeout).toBeLessThan(job.interval());
    }
    expect(open().jobs).toHaveLength(2);
  });

  it('credit a payment whose notice was lost', async () => {
    const module = open();
    const { data } = await module.services.epay.order(payer, request, 'zfb');
    gateway.submit(data);
    const tradeNo = data['out_trade_no'] ?? '';
    gateway.markPaid(tradeNo);
    bench.clock.move(600_000);
    await jobOf('payment-sweep', module).run(never);
    expect(await bench.orderOf(tradeNo)).toMatchObject({ status: 'success' });
  });

  it('look for refunds once in a day less an hour, over all processes', async () => {
    const module = open();
    const { data } = await module.services.epay.order(payer, request, 'zfb');
    gateway.submit(data);
    const tradeNo = data['out_trade_no'] ?? '';
    gateway.markPaid(tradeNo);
    await module.services.epay.notice(gateway.notice(tradeNo));
    gateway.payBack(tradeNo, '3.65');
    hasLease = false;
    await jobOf('refund-sweep', module).run(never);
    expect(await bench.orderOf(tradeNo)).toMatchObject({ refundedCents: 0 });
    hasLease = true;
    leases = [];
    await jobOf('refund-sweep', module).run(never);
    expect(await bench.orderOf(tradeNo)).toMatchObject({ refundedCents: 365 });
    const { timeout } = jobOf('refund-sweep', module);
    expect(leases.filter(([name]) => name === 'refund-sweep')).toEqual([
      ['refund-sweep', timeout * 1000],
      ['refund-sweep', 23 * 3_600_000],
    ]);
  });
});
