/** A model's price in one line: for the card, and for each group of the drawer. */

import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { compare, type Decimal, zero } from '../../../core/kernel/decimal.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { hasPaidTools } from '../../../core/pricing/is-free.ts';
import { catalogPriceTypes, modelTypeOf } from '../../../core/vocabulary/model-square.ts';
import { type GroupPrice, priceAt } from '../../components/priced-model.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { type Translate, useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import type { ReaderGroup } from './reader-price.ts';
import classes from './square.module.css';

export type ShownPrice =
  | { readonly kind: 'unpriced' | 'free' }
  | { readonly kind: 'tokens'; readonly prices: NonNullable<GroupPrice['prices']> }
  | { readonly kind: 'call'; readonly price: Decimal };

/** What to show of a price. A model is only called free where it costs nothing. */
export function useShownPrice(): (model: CatalogModel, group: ReaderGroup) => ShownPrice {
  const { quotaPerUnit } = useMoney();
  const selfUse = useStatus()?.self_use_mode_enabled === true;
  return (model, { ratio }) => {
    const { prices, perRequest } = priceAt(model, ratio, quotaPerUnit);
    const isSet = !model.unpriced || selfUse;
    if (!isSet) return { kind: model.price_type === catalogPriceTypes.free ? 'free' : 'unpriced' };
    if (perRequest !== undefined)
      return compare(perRequest, zero) === 0
        ? { kind: 'free' }
        : { kind: 'call', price: perRequest };
    if (prices === undefined) return { kind: 'unpriced' };
    const costs =
      [prices.prompt, prices.completion].some((price) => compare(price, zero) !== 0) ||
      (ratio > 0 && hasPaidTools(model));
    return costs ? { kind: 'tokens', prices } : { kind: 'free' };
  };
}

/** What a price per call is for. */
export function callUnit(model: CatalogModel, t: Translate): string {
  if (model.video_ratios !== undefined) return t('square.per.second');
  const type = modelTypeOf(model.type) ?? modelTypeOf(model.type_en);
  if (type === 'image') return t('square.per.image');
  return type === 'video' ? t('square.per.video') : t('square.per.call');
}

export function PriceLine({ model, group }: { model: CatalogModel; group: ReaderGroup }) {
  const { t } = useTranslation();
  const shown = useShownPrice()(model, group);
  switch (shown.kind) {
    case 'unpriced':
      return <span className={classes.dim}>{t('square.unpriced')}</span>;
    case 'free':
      return <b className={classes.figure}>{t('models.price.free')}</b>;
    case 'call':
      return (
        <span>
          <b className={classes.figure}>{formatPrice(shown.price).text}</b>{' '}
          <span className={classes.dim}>{callUnit(model, t)}</span>
        </span>
      );
    case 'tokens':
      return (
        <span className={classes.pair}>
          <span>
            <span className={classes.dim}>{t('square.input')}</span>{' '}
            <b className={classes.figure}>{formatPrice(shown.prices.prompt).text}</b>
          </span>
          <span>
            <span className={classes.dim}>{t('square.output')}</span>{' '}
            <b className={classes.figure}>{formatPrice(shown.prices.completion).text}</b>
          </span>
          <span className={classes.unit}>/ 1M</span>
        </span>
      );
  }
}
