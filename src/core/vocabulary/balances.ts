import { parseObject } from '../kernel/json.ts';

/** What an upstream says is left on an account: its figure, in its own currency. */
export interface UpstreamBalance {
  readonly amount: number;
  /** `USD`, `CNY`, or what the vendor counts in. */
  readonly currency: string;
}

const signs: Readonly<Record<string, string>> = { USD: '$', CNY: '¥', EUR: '€' };

/** `$12.50`, `¥3.00`, `120.00 POINTS`. A reading of unknown currency is an old one, in dollars. */
export function formatBalance({ amount, currency }: UpstreamBalance): string {
  const figure = Math.abs(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const minus = amount < 0 ? '-' : '';
  const sign = signs[currency || 'USD'];
  return sign === undefined ? `${minus}${figure} ${currency}` : `${minus}${sign}${figure}`;
}

/** The currency of a channel's balance, from its `other_info`; '' where none is told. */
export function readCurrency(otherInfo: string): string {
  const told = otherInfo.includes('balance_currency') ? parseObject(otherInfo)?.['balance_currency'] : undefined;
  return typeof told === 'string' ? told : '';
}

/** `other_info` with the currency of the balance that was read. */
export function noteCurrency(otherInfo: string, currency: string): string {
  return JSON.stringify({ ...parseObject(otherInfo), balance_currency: currency });
}
