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
}

/** The vendor's list price, and what is charged above or below it; nothing where none is known. */
export function ListHint({ model, kind, sold }: ListHintProps) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoney();
  const list = listPriceOf(model, kind, quotaPerUnit);
  if (list === undefined) return null;
  const margin = marginOver(list, readNumber(sold));
  return (
    <span className={classes.list}>
      {t('prices.list', { price: priceText(list) })}
      {margin !== undefined && (
        <span data-below={margin.isBelow || undefined}> ({margin.text})</span>
      )}
    </span>
  );
}
