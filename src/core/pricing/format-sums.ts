/** Sums that are no quota, as texts; the rule of places is that of {@link placesOf}. */
import { type Decimal, decimal, divide, one, toText } from '../kernel/decimal.ts';
import { digitsOf, placesOf, withCommas } from './format.ts';

/** What was paid or paid back, without its currency: `346.75`. For input fields, too. */
export function formatPaid(amount: number): string {
  const exact = decimal(amount);
  const shown = placesOf(exact, 2);
  const { negative, whole, fraction } = digitsOf(divide(exact, one, shown), 2, shown);
  return `${negative ? '-' : ''}${whole}.${fraction}`;
}

/** Places of an amount in a file. */
const filePlaces = 6;

/** Quota in currency units, for files: six places, or as many as one quota needs. */
export function amountInUnits(quota: number, quotaPerUnit: Decimal): Decimal {
  const digits = toText(quotaPerUnit).split('.')[0]?.length ?? 0;
  return divide(decimal(quota), quotaPerUnit, Math.max(filePlaces, digits + 1));
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
  const [whole = '0', fraction = ''] = formatPaid(Math.abs(amount)).split('.');
  const figure = `${withCommas(whole)}.${fraction}`;
  const minus = amount < 0 ? '-' : '';
  const sign = signs[currency || 'USD'];
  return sign === undefined ? `${minus}${figure} ${currency}` : `${minus}${sign}${figure}`;
}
