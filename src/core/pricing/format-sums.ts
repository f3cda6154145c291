/** Sums that are no quota, as texts; the rule of places is that of {@link placesOf}. */
import { type Decimal, decimal, divide, one } from '../kernel/decimal.ts';
import { digitsOf, placesOf, withCommas } from './format.ts';

/** The digits of a sum: two places, or two significant digits below a hundredth. */
function digitsOfPaid(amount: number) {
  const exact = decimal(amount);
  const shown = placesOf(exact, 2);
  return digitsOf(divide(exact, one, shown), 2, shown);
}

/** What was paid or paid back, without its currency: `346.75`. For input fields, too. */
export function formatPaid(amount: number): string {
  const { negative, whole, fraction } = digitsOfPaid(amount);
  return `${negative ? '-' : ''}${whole}.${fraction}`;
}

/** Places of an amount in a file. */
const filePlaces = 6;

/** Quota in currency units, for files: six places, or as many as one quota needs. */
export function amountInUnits(quota: number, quotaPerUnit: Decimal): Decimal {
  const { whole } = digitsOf(quotaPerUnit, 0, 0);
  return divide(decimal(quota), quotaPerUnit, Math.max(filePlaces, whole.length + 1));
}

const signs: Readonly<Record<string, string>> = { USD: '$', CNY: '¥', EUR: '€' };

/** In the upstream's currency. */
interface Balance {
  readonly amount: number;
  readonly currency: string;
}

/**
 * `$12.50`, `¥3.00`, `120.00 POINTS`, `$0.0042`. Balances stored without a currency are old ones, in
 * dollars.
 */
export function formatBalance({ amount, currency }: Balance): string {
  const { negative, whole, fraction } = digitsOfPaid(amount);
  const figure = `${withCommas(whole)}.${fraction}`;
  const minus = negative ? '-' : '';
  const sign = signs[currency || 'USD'];
  return sign === undefined ? `${minus}${figure} ${currency}` : `${minus}${sign}${figure}`;
}
