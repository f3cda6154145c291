import { type Decimal, decimal, divide, one, toText } from '../kernel/decimal.ts';

/** How amounts are displayed: from the options DisplayInCurrencyEnabled and QuotaPerUnit. */
export interface MoneyDisplay {
  readonly inCurrency: boolean;
  readonly quotaPerUnit: Decimal;
  /** `$` by default. */
  readonly symbol?: string;
}

/**
 * A segment of a formatted amount. Clients dim `symbol` and `zeros` (in lists) or `cents` (in
 * totals).
 */
export interface MoneySegment {
  readonly part: 'sign' | 'symbol' | 'zeros' | 'digits' | 'cents';
  readonly text: string;
}

export interface FormattedMoney {
  /** The segments joined. */
  readonly text: string;
  readonly segments: readonly MoneySegment[];
}

const minus = '−';

/** Decimal places that an amount is computed to before it is rounded to be shown. */
const mostPlaces = 30;

/**
 * `places`, or as many more as two significant digits need: an amount that is not 0 is never shown
 * as 0 (docs/rules/console.md#money).
 */
export function placesOf(exact: Decimal, places: number): number {
  const fraction = /^-?0\.(0*)[1-9]/.exec(toText(exact));
  return fraction === null ? places : Math.max(places, (fraction[1] ?? '').length + 2);
}

/**
 * A cost in a list: six decimals, leading zeros as a segment of their own (`$0.00` `6738`). With
 * currency display off: the quota, `16,789`.
 */
export function formatCost(quota: number, display: MoneyDisplay): FormattedMoney {
  if (!display.inCurrency) return formatQuota(quota);
  const { negative, whole, fraction } = roundedDigits(inUnits(quota, display), 6);
  const zeros = whole === '0' ? (/^0*/.exec(fraction)?.[0] ?? '') : '';
  const lead = whole === '0' ? `0.${zeros}` : '';
  const digits = whole === '0' ? fraction.slice(zeros.length) : `${withCommas(whole)}.${fraction}`;
  return joined(negative, display, [
    { part: 'zeros', text: lead },
    { part: 'digits', text: digits },
  ]);
}

/**
 * A balance or a sum: two decimals, the cents as a segment of their own (`$128` `.40`), and two
 * significant digits below 10 cents (`$0` `.0075`). With currency display off: the quota.
 */
export function formatTotal(quota: number, display: MoneyDisplay): FormattedMoney {
  if (!display.inCurrency) return formatQuota(quota);
  const { negative, whole, fraction } = roundedDigits(inUnits(quota, display), 2);
  return joined(negative, display, [
    { part: 'digits', text: withCommas(whole) },
    { part: 'cents', text: `.${fraction}` },
  ]);
}

/**
 * A price in currency units: two to four decimals, six or more below a cent, no padding beyond two
 * (`$2.00`, `$0.0224`).
 */
export function formatPrice(
  amount: Decimal,
  display: Pick<MoneyDisplay, 'symbol'> = {},
): FormattedMoney {
  const rounded = divide(amount, one, 4);
  const isSmall = rounded.digits > -100n && rounded.digits < 100n;
  const shown = placesOf(amount, isSmall ? 6 : 4);
  const { negative, whole, fraction } = digitsOf(divide(amount, one, shown), 2, shown);
  return joined(negative, display, [{ part: 'digits', text: `${withCommas(whole)}.${fraction}` }]);
}

/** An amount of the price ticket in currency units: six decimals or more (`$0.018396`). */
export function formatAmount(
  amount: Decimal,
  display: Pick<MoneyDisplay, 'symbol'> = {},
): FormattedMoney {
  const { negative, whole, fraction } = roundedDigits(amount, 6);
  return joined(negative, display, [{ part: 'digits', text: `${withCommas(whole)}.${fraction}` }]);
}

/** Without the noise of a division: so many places, or two significant digits below them. */
export function shortNumber(value: number, places = 6): string {
  const exact = decimal(value);
  return toText(divide(exact, one, placesOf(exact, places)));
}

/** Quota with thousands separators and a true minus sign: `−1,234,567`. */
export function formatQuota(quota: number): FormattedMoney {
  const text = withCommas(String(Math.abs(quota)));
  const digits: MoneySegment = { part: 'digits', text };
  return quota < 0
    ? { text: `${minus}${text}`, segments: [{ part: 'sign', text: minus }, digits] }
    : { text, segments: [digits] };
}

/**
 * A decimal with thousands separators and all its decimal places, such as the `raw` of a ticket:
 * `16,788.96`.
 */
export function formatDecimal(value: Decimal): string {
  const text = toText(value);
  const negative = text.startsWith('-');
  const [whole = '0', fraction] = (negative ? text.slice(1) : text).split('.');
  return `${negative ? minus : ''}${withCommas(whole)}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** A count in full: `12,480`. */
export function formatCount(count: number): string {
  return formatQuota(count).text;
}

/** An abbreviated count: `9,999`, `12.5k`, `41.8M`, `1.2B`. */
export function formatTokenCount(count: number): string {
  const size = Math.abs(count);
  if (size < 1e4) return formatCount(count);
  const sign = count < 0 ? minus : '';
  // 999,950 and more would round to 1000.0k; show 1.0M instead.
  if (size < 999_950) return `${sign}${(size / 1e3).toFixed(1)}k`;
  if (size < 999_950_000) return `${sign}${(size / 1e6).toFixed(1)}M`;
  return `${sign}${withCommas((size / 1e9).toFixed(1))}B`;
}

function inUnits(quota: number, display: MoneyDisplay): Decimal {
  return divide(decimal(quota), display.quotaPerUnit, mostPlaces);
}

/** The digits of an amount, rounded to {@link placesOf}, of which `places` are always shown. */
function roundedDigits(exact: Decimal, places: number) {
  const shown = placesOf(exact, places);
  return digitsOf(divide(exact, one, shown), places, shown);
}

export function digitsOf(value: Decimal, minPlaces: number, maxPlaces: number) {
  const text = toText(value);
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  return { negative, whole, fraction: fraction.slice(0, maxPlaces).padEnd(minPlaces, '0') };
}

function joined(
  negative: boolean,
  display: Pick<MoneyDisplay, 'symbol'>,
  parts: readonly MoneySegment[],
): FormattedMoney {
  const segments: MoneySegment[] = negative ? [{ part: 'sign', text: minus }] : [];
  segments.push(
    { part: 'symbol', text: display.symbol ?? '$' },
    ...parts.filter((part) => part.text !== ''),
  );
  return { text: segments.map((segment) => segment.text).join(''), segments };
}

export function withCommas(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Seconds with the digits that a duration deserves: `0.62`, `14.2`. */
export function formatSeconds(seconds: number): string {
  if (seconds > 0 && seconds < 0.01) return '<0.01';
  return seconds.toFixed(seconds < 10 ? 2 : 1);
}
