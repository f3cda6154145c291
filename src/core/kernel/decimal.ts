/**
 * Exact decimals for ratios and prices: `digits × 10^-scale`, digits a bigint. Addition and
 * multiplication never round. Charges are rounded once, by {@link roundToInteger}, half away from
 * zero (docs/rules/pricing.md#exact-arithmetic).
 */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Parses a decimal. A number is converted through its shortest text, so 1.3333333333333333 keeps
 * exactly these digits. Throws RangeError on any other text, on NaN and on infinities.
 */
export function decimal(value: string | number | bigint): Decimal {
  if (typeof value === 'bigint') return { digits: value, scale: 0 };
  if (typeof value === 'number' && Number.isSafeInteger(value))
    return { digits: BigInt(value), scale: 0 };
  const text = String(value).trim();
  const match = pattern.exec(text);
  if (match === null || ((match[2] ?? '') === '' && (match[3] ?? '') === ''))
    throw new RangeError(`not a decimal: ${text}`);
  const fraction = match[3] ?? '';
  const digits = BigInt(`${match[2] ?? ''}${fraction}`);
  const scale = fraction.length - Number(match[4] ?? 0);
  const signed = match[1] === '-' ? -digits : digits;
  return scale < 0
    ? { digits: signed * 10n ** BigInt(-scale), scale: 0 }
    : { digits: signed, scale };
}

export const zero: Decimal = { digits: 0n, scale: 0 };
export const one: Decimal = { digits: 1n, scale: 0 };

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { digits: a.digits + b.digits, scale: a.scale };
  if (a.scale < b.scale) return add(b, a);
  return { digits: a.digits + b.digits * 10n ** BigInt(a.scale - b.scale), scale: a.scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { digits: -b.digits, scale: b.scale });
}

/** −1, 0 or 1. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const { digits } = subtract(a, b);
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

/** The integer nearest to the value; ties go away from zero. */
export function roundToInteger(value: Decimal): bigint {
  if (value.scale === 0) return value.digits;
  const unit = 10n ** BigInt(value.scale);
  const half = unit / 2n;
  return value.digits < 0n ? -((-value.digits + half) / unit) : (value.digits + half) / unit;
}

/** The integer part, rounded toward zero. */
export function truncate(value: Decimal): bigint {
  return value.digits / 10n ** BigInt(value.scale);
}

/**
 * `value ÷ divisor` to `places` decimals, rounded half away from zero. For displayed and payable
 * prices, never for charges.
 */
export function divide(value: Decimal, divisor: Decimal, places: number): Decimal {
  if (divisor.digits === 0n) throw new RangeError('division by zero');
  const power = places + divisor.scale - value.scale;
  const numerator = power >= 0 ? value.digits * 10n ** BigInt(power) : value.digits;
  const denominator = power >= 0 ? divisor.digits : divisor.digits * 10n ** BigInt(-power);
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const quotient = (n * 2n + d) / (d * 2n);
  return { digits: negative ? -quotient : quotient, scale: places };
}

/** Plain text without exponent or trailing zeros: `1.25`, `-0.05`, `0`. */
export function toText(value: Decimal): string {
  const negative = value.digits < 0n;
  const digits = (negative ? -value.digits : value.digits)
    .toString()
    .padStart(value.scale + 1, '0');
  const whole = digits.slice(0, digits.length - value.scale);
  const fraction = digits.slice(digits.length - value.scale).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return negative && text !== '0' ? `-${text}` : text;
}

/** Numbers by decimal: the same few prices are written into every row of the usage log. */
const numbers = new WeakMap<Decimal, number>();

/** The nearest double, for JSON fields that are numbers. */
export function toNumber(value: Decimal): number {
  const known = numbers.get(value);
  if (known !== undefined) return known;
  const number = Number(toText(value));
  numbers.set(value, number);
  return number;
}

/** Decimal places of a ratio that does not end. */
const ratioPlaces = 12;
const lastPlace: Decimal = { digits: 1n, scale: ratioPlaces };

/**
 * `price ÷ base`. Rounded up where it does not end, so that a charge which is a half at the list
 * price is still rounded up.
 */
export function ratioTo(price: number, base: number): number {
  const value = decimal(price);
  const divisor = decimal(base);
  const quotient = divide(value, divisor, ratioPlaces);
  const isLess = compare(multiply(quotient, divisor), value) < 0;
  return toNumber(isLess ? add(quotient, lastPlace) : quotient);
}
