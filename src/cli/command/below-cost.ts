import { api } from '../../core/contract/index.ts';
import type { PriceBelowCostEntity } from '../../core/contract/losses.ts';
import { decimal } from '../../core/kernel/decimal.ts';
import { priceWords } from '../../core/pricing/all-prices.ts';
import { formatPrice } from '../../core/pricing/format.ts';
import { priceOptionKeys } from '../../core/pricing/tables.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Output } from '../show/output.ts';
import type { Context } from './command.ts';

/** Lines of a longer list that are left out. */
const shown = 10;

/**
 * Asks before prices below their cost are saved (docs/rules/losses.md#saving): whether somebody
 * agreed to some, which the call then says. Undefined: the answer was no. Throws UsageError where
 * nobody can be asked and `--yes` is missing.
 */
export async function confirmBelowCost(
  context: Context,
  values: readonly { readonly key: string; readonly value: string }[],
): Promise<boolean | undefined> {
  const keys: readonly string[] = [...priceOptionKeys, 'QuotaPerUnit'];
  if (context.values.on('yes')) return true;
  if (!values.some(({ key }) => keys.includes(key))) return false;
  const added = await context.call(api.losses.belowCost, { values: [...values] });
  if (added.length === 0) return false;
  noteBelowCost(context.output, added);
  if (!context.terminal.interactive) throw new UsageError(texts.yes, { count: added.length });
  return (await context.terminal.confirm(texts.question, { count: added.length })) || undefined;
}

/** A warning for each of the first prices. */
export function noteBelowCost(output: Output, prices: readonly PriceBelowCostEntity[]): void {
  for (const { model, kind, price, cost, channel } of prices.slice(0, shown))
    output.note(
      texts.line,
      {
        model,
        kind: priceWords(kind, output.language),
        price: formatPrice(decimal(price)).text,
        cost: formatPrice(decimal(cost)).text,
        channel,
      },
      'warn',
    );
}

const texts = {
  line: {
    en: '{model}, {kind}: the price {price} is below the cost {cost} at channel #{channel}',
    zh: '{model} 的 {kind}：价格 {price} 低于渠道 #{channel} 的成本 {cost}',
  },
  question: {
    en: 'Save {count} prices below their cost?',
    zh: '保存 {count} 个低于成本的价格？',
  },
  yes: {
    en: '{count} prices would be below their cost: add --yes to save them all the same',
    zh: '{count} 个价格将低于成本：加 --yes 仍然保存',
  },
} as const;
