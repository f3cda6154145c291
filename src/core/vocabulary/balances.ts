import { parseObject } from '../kernel/json.ts';

/** The remaining balance of an account as its upstream reports it, in the upstream's currency. */
export interface UpstreamBalance {
  readonly amount: number;
  /** `USD`, `CNY`, or the vendor's own unit. */
  readonly currency: string;
}

/** The currency of a channel's balance, from its `other_info`; '' when none is stored. */
export function readCurrency(otherInfo: string): string {
  const stored = otherInfo.includes('balance_currency')
    ? parseObject(otherInfo)?.['balance_currency']
    : undefined;
  return typeof stored === 'string' ? stored : '';
}

/** `other_info` with the currency of the last balance query. */
export function noteCurrency(otherInfo: string, currency: string): string {
  return JSON.stringify({ ...parseObject(otherInfo), balance_currency: currency });
}
