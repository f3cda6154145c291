// Covers src/core/payments/present-redemption.ts, src/core/payments/present-top-up.ts.
/** What is shown of codes and orders, and to whom. */
import { expect, it } from 'vitest';
import { localTimeText } from '../../../src/core/kernel/local-time.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { presentRedemption } from '../../../src/core/payments/present-redemption.ts';
import { presentTopUp } from '../../../src/core/payments/present-top-up.ts';

it('a code is shown whole; one that cannot be read is empty and says so', () => {
  const show = (key: string | undefined) =>
    presentRedemption({ key: new Secret(key), deletedAt: null } as never);
  expect(show('secret')).toMatchObject({ key: 'secret' });
  expect(show('secret')).not.toHaveProperty('unreadable');
  expect(show(undefined)).toMatchObject({ key: '', unreadable: true });
});

it('an order is shown in yuan, without its note and payer to the payer, without times that were not', () => {
  const order = {
    id: 3,
    userId: 7,
    username: 'ann',
    tradeNo: 'T1',
    goodsName: 'g',
    amount: 1,
    quota: toQuota(5),
    moneyCents: 731,
    refundedCents: 30,
    status: 'pending',
    paymentMethod: 'alipay',
    providerTradeNo: 'P1',
    createTime: 1_795_000_000,
    finishTime: 0,
    topUpCode: '',
    note: 'n',
  } as const;
  const own = {
    id: 3,
    trade_no: 'T1',
    goods_name: 'g',
    amount: 1,
    quota: 5,
    money: 7.31,
    refunded: 0.3,
    status: 'pending',
    payment_method: 'alipay',
    create_time: 1_795_000_000,
    create_time_str: localTimeText(1_795_000_000),
    finish_time: 0,
    finish_time_str: '',
  };
  expect(presentTopUp(order, false)).toEqual(own);
  const forAdmins = { user_id: 7, username: 'ann', provider_trade_no: 'P1', note: 'n' };
  expect(presentTopUp(order, true)).toEqual({ ...own, ...forAdmins });
});
