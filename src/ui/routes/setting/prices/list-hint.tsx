import type { Decimal } from '../../../../core/kernel/decimal.ts';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import { type Listed, listPriceOf, marginOver, priceText } from './list-prices.ts';
import { readNumber } from './price-draft.ts';
import classes from './prices.module.css';

interface ListHintProps {
  readonly model: string;
  readonly kind: Listed;
  /** What is charged as typed, else by default; '' where that is not known yet. */
  readonly sold: string;
  /** The highest that a channel pays. */
  readonly cost: Decimal | undefined;
}

/** The vendor's list price and the cost, and how far the price is above or below each. */
export function ListHint({ model, kind, sold, cost }: ListHintProps) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoney();
  const list = listPriceOf(model, kind, quotaPerUnit);
  const lines = [
    ['prices.list', list],
    ['prices.cost', cost],
  ] as const;
  return lines.map(([label, base]) => {
    if (base === undefined) return null;
    const margin = marginOver(base, readNumber(sold));
    return (
      <span key={label} className={classes.list}>
        {t(label, { price: priceText(base) })}
        {margin !== undefined && (
          <span data-below={margin.isBelow || undefined}> ({margin.text})</span>
        )}
      </span>
    );
  });
}
