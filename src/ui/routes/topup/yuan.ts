import { decimal } from '../../../core/kernel/decimal.ts';
import { formatPrice } from '../../../core/pricing/format.ts';

/** `¥346.75`: what is paid for quota is in yuan (docs/rules/payments.md#top-up-price). */
export function yuan(amount: number): string {
  return formatPrice(decimal(amount), { symbol: '¥' }).text;
}
