/** Amounts as people type them: quota as a whole number, or dollars with a sign. */
import { decimal, multiply, roundToInteger } from '../../core/kernel/decimal.ts';
import type { Text } from '../base/text.ts';
import type { Host } from './view.ts';

/** Quota of `500000`, `$1.50` or `-$2`. Throws for anything else. */
export function readAmount(host: Host, text: string): number {
  const [, sign = '', dollar = '', figure = ''] =
    /^\s*([+-]?)\s*(\$?)\s*(\d{1,15}(?:\.\d{1,6})?)\s*$/.exec(text) ?? [];
  if (figure === '' || (dollar === '' && figure.includes('.')))
    throw new Error(host.localize(notAnAmount, { text }));
  const exact =
    dollar === ''
      ? decimal(figure)
      : multiply(decimal(figure), host.cells.money.display.quotaPerUnit);
  const quota = Number(roundToInteger(exact));
  if (!Number.isSafeInteger(quota)) throw new Error(host.localize(notAnAmount, { text }));
  return sign === '-' ? -quota : quota;
}

/** Whether a text changes a balance (`+$5`, `-100`) instead of setting it. */
export function isDifference(text: string): boolean {
  return /^\s*[+-]/.test(text);
}

const notAnAmount: Text = {
  en: '{text} is no amount: use 500000 (quota) or $1.50',
  zh: '{text} 不是金额：请输入 500000（额度）或 $1.50',
};
