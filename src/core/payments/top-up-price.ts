import { checkAmount } from '../entities/limits.ts';
import {
  compare,
  decimal,
  divide,
  multiply,
  one,
  roundToInteger,
  toText,
  truncate,
} from '../kernel/decimal.ts';
import { AppError } from '../kernel/errors.ts';
import type { Quota } from '../kernel/quota.ts';
import type { OptionStore } from '../site/option-store.ts';

export interface TopUpRequest {
  /** Whole currency units; quota where the site shows amounts as quota. */
  readonly amount: number;
  readonly topUpCode: string;
}

/** The sum, and the factors that it is the product of. */
export interface TopUpPrice {
  readonly moneyCents: number;
  readonly quota: Quota;
  /** Yuan per currency unit. */
  readonly price: number;
  readonly groupRatio: number;
  /** Of the discount code; 1 without one. */
  readonly discount: number;
}

/**
 * What a top-up costs and credits (docs/rules/payments.md#top-up-price). Exact until the one
 * rounding to cents. Throws AppError top_up_too_small, top_up_money_too_low, top_up_code_invalid,
 * amount_limit.
 */
export function priceTopUp(
  request: TopUpRequest,
  group: string,
  options: Pick<OptionStore, 'get'>,
): TopUpPrice {
  const quotaPerUnit = decimal(options.get('QuotaPerUnit'));
  const inUnits = options.get('DisplayInCurrencyEnabled');
  const amount = decimal(request.amount);
  const minimum = multiply(decimal(options.get('MinTopUp')), inUnits ? one : quotaPerUnit);
  if (compare(amount, minimum) < 0)
    throw new AppError('top_up_too_small', { min: toText(minimum) });

  const quota = checkAmount(
    Number(inUnits ? truncate(multiply(amount, quotaPerUnit)) : amount.digits),
  );
  const price = options.get('Price');
  const groupRatio = ownEntry(options.get('TopupGroupRatio'), group) ?? 1;
  const discount = discountOf(request.topUpCode, options);
  const cents = [
    amount,
    decimal(price),
    decimal(groupRatio),
    decimal(discount),
    centsPerYuan,
  ].reduce(multiply);
  const moneyCents = inUnits
    ? roundToInteger(cents)
    : roundToInteger(divide(cents, quotaPerUnit, 0));
  if (moneyCents < 1n || quota < 1) throw new AppError('top_up_money_too_low');
  return { moneyCents: checkAmount(Number(moneyCents)), quota, price, groupRatio, discount };
}

const centsPerYuan = decimal(100);

function discountOf(code: string, options: Pick<OptionStore, 'get'>): number {
  if (code === '') return 1;
  const factor = ownEntry(options.get('TopUpCodes'), code);
  if (factor === undefined) throw new AppError('top_up_code_invalid');
  return factor;
}

/** Names such as `constructor` are no entries. */
function ownEntry(map: Readonly<Record<string, number>>, name: string): number | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** `7300` → `73.00`. */
export function yuanText(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Cents of a provider's text such as `73.00` or `73`; undefined for anything but a plain amount in
 * whole cents.
 */
export function readCents(yuan: string): number | undefined {
  if (!/^\d{1,13}(\.\d{1,6})?$/.test(yuan)) return undefined;
  const cents = multiply(decimal(yuan), centsPerYuan);
  const whole = truncate(cents);
  return compare(decimal(whole), cents) === 0 ? Number(whole) : undefined;
}
