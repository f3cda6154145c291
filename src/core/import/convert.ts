/**
 * Values of other databases as ours: engines and versions store the same value in several types.
 */
import { isObject } from '../kernel/json.ts';
import { clampQuota } from '../kernel/quota.ts';
import type { SourceValue } from './source/source.ts';

type Value = SourceValue | undefined;

/** Text of any type; fixed-width columns are padded with spaces. */
export function toText(value: Value): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const toTrimmed = (value: Value): string => toText(value).trim();

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/**
 * As an engine's cast to an integer: fractions are cut off, what is no number is 0, numbers beyond
 * 64 bits are the bound.
 */
export function toBigInt(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'number') {
    if (Math.abs(value) >= 2 ** 63) return value < 0 ? int64.min : int64.max;
    return Number.isNaN(value) ? 0n : BigInt(Math.trunc(value));
  }
  return BigInt(/^\s*([+-]?\d+)/.exec(toText(value))?.[1] ?? 0);
}

/**
 * An amount of money as quota: exact decimals (of doubles, the shortest that mean them) times
 * `perUnit`, rounded half away from zero, as PostgreSQL rounds.
 */
export function moneyToQuota(value: Value, perUnit: number): { quota: bigint; isExact: boolean } {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/.exec(toTrimmed(value)) ?? [];
  const places = fraction.length - Number(exponent);
  const scale = 10n ** BigInt(Math.max(0, places));
  const scaled =
    BigInt(`${whole}${fraction}` || '0') * 10n ** BigInt(Math.max(0, -places)) * BigInt(perUnit);
  const rounded = (2n * scaled + scale) / (2n * scale);
  return { quota: sign === '-' ? -rounded : rounded, isExact: rounded * scale === scaled };
}

/** Unix seconds of an instant; 0 where there is none. */
export const toSeconds = (value: Value): number => toDeletedAt(value) ?? 0;

/** The nearest integer of 32 bits. */
export const toInt32 = (value: Value): number =>
  Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), toInteger(value)));

/** The nearest safe integer. */
export const toInteger = (value: Value): number => clampQuota(toBigInt(value));

export function toDecimal(value: Value): number {
  const number = typeof value === 'object' ? Number(toText(value)) : Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
}

/** 0 or 1: engines store flags as numbers, booleans or texts. */
export function toFlag(value: Value): number {
  if (typeof value === 'string') return /^(1|t|true|yes)$/i.test(value.trim()) ? 1 : 0;
  return toBigInt(value) === 0n ? 0 : 1;
}

/** Unix seconds of a time of deletion; null where there is none. */
export function toDeletedAt(value: Value): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint' || typeof value === 'number') return Number(value);
  const text = toText(value).trim();
  if (text === '') return null;
  // Go's format has a space before the zone and sometimes a monotonic clock after it.
  const iso = text
    .replace(/ m=.*$/, '')
    .replace(/^(\d{4}-\d\d-\d\d) /, '$1T')
    .replace(/ ?([+-]\d\d):?(\d\d)( .*)?$/, '$1:$2');
  const time = Date.parse(/([+-]\d\d:\d\d|Z)$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(time) ? 0 : Math.floor(time / 1000);
}

/** The text of a JSON object; '' where there is none, undefined where it cannot be read. */
export function toJsonObject(value: Value): string | undefined {
  const text = toTrimmed(value);
  if (text === '' || text === 'null') return '';
  try {
    return isObject(JSON.parse(text)) ? text : undefined;
  } catch {
    return undefined;
  }
}
