/**
 * How orders are paid online (docs/rules/payments.md#payment-methods), in the order in which payers
 * see them. `app`: what the payer pays with; `aliases`: other names that clients send.
 */
export const paymentMethods = [
  { id: 'wechatpay', provider: 'wechat_pay', app: 'wechat', aliases: [] },
  { id: 'alipay', provider: 'epay', app: 'alipay', aliases: ['zfb'] },
  { id: 'wxpay', provider: 'epay', app: 'wechat', aliases: ['wx'] },
] as const;

export type PaymentMethodEntry = (typeof paymentMethods)[number];
export type PaymentMethodId = PaymentMethodEntry['id'];

/** The method of orders that an administrator completed. */
export const methodByHand = 'admin';

/** What the status object reports of the providers. */
export interface EnabledProviders {
  readonly enable_epay: boolean;
  readonly enable_wechat_pay: boolean;
}

/**
 * The methods that can be chosen. An app is offered once: where WeChat Pay itself is on, Epay's is
 * left out.
 */
export function offeredMethods(enabled: EnabledProviders): readonly PaymentMethodEntry[] {
  const on = paymentMethods.filter(({ provider }) => enabled[`enable_${provider}`]);
  return on.filter(({ app }, index) => on.findIndex((other) => other.app === app) === index);
}
