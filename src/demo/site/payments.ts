/**
 * Online top-ups of the demo site: the settings of an Epay gateway, orders, and the notices that
 * pay them.
 */
import { createHash } from 'node:crypto';
import { signEpay } from '../../core/payments/epay-signature.ts';
import type { PastSite } from './past-site.ts';

const merchant = { id: '1001', key: 'demo-merchant-key' };

/** The scripted upstream has a payment page, on which nothing can be paid. */
export const paymentOptions = (upstreamUrl: string): Readonly<Record<string, string>> => ({
  // Until the site is started at a port of its own.
  ServerAddress: 'http://127.0.0.1:3000',
  PayAddress: `${upstreamUrl}/epay`,
  EpayId: merchant.id,
  EpayKey: merchant.key,
  TopUpLink: 'https://shop.example.com/codes',
  TopupGroupRatio: JSON.stringify({ default: 1, vip: 0.9, research: 0.8 }),
});

export type EpayType = 'alipay' | 'wxpay';

/**
 * Places an order of a user, in whole currency units. Returns what the browser would post to the
 * payment page.
 */
export async function placeOrder(site: PastSite, userId: number, amount: number, type: EpayType) {
  const { data } = await (await site.as(userId)).topUp.pay({ amount, payment_method: type });
  return data;
}

/** An order that is paid at once, as the gateway reports it. */
export async function topUp(
  site: PastSite,
  userId: number,
  amount: number,
  type: EpayType,
): Promise<void> {
  const { out_trade_no = '', money = '', name = '' } = await placeOrder(site, userId, amount, type);
  const paid = {
    pid: merchant.id,
    trade_no: BigInt(
      `0x${createHash('sha256').update(out_trade_no).digest('hex').slice(0, 14)}`,
    ).toString(),
    out_trade_no,
    type,
    name,
    money,
    trade_status: 'TRADE_SUCCESS',
    sign_type: 'MD5',
  };
  await site.reportPayment({ ...paid, sign: signEpay(paid, merchant.key) });
}
