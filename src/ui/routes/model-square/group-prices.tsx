/** The price of a model for each group that the reader may use; the own one is marked. */
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { useUser } from '../../client/session.ts';
import { ratioText, ratioTone } from '../../components/measured-tone.ts';
import { ValueTag } from '../../components/tag.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './model-drawer.module.css';
import { callUnit, useShownPrice } from './price-line.tsx';
import type { ReaderGroup } from './reader-price.ts';

export function GroupPrices({
  model,
  groups,
}: {
  model: CatalogModel;
  groups: readonly ReaderGroup[];
}) {
  const { t } = useTranslation();
  const user = useUser();
  const shown = useShownPrice();
  const byTokens = model.quota_type === 0;
  const heads = byTokens
    ? [t('square.column.input'), t('square.cached'), t('square.column.output')]
    : [t('square.price')];
  const cells = (group: ReaderGroup): readonly string[] => {
    const price = shown(model, group);
    switch (price.kind) {
      case 'tokens': {
        const { prompt, cached, completion } = price.prices;
        return [prompt, cached, completion].map((amount) => formatPrice(amount).text);
      }
      case 'call':
        return [formatPrice(price.price).text];
      case 'free':
        return heads.map((_, index) => (index === heads.length - 1 ? t('models.price.free') : ''));
      case 'unpriced':
        return heads.map((_, index) => (index === heads.length - 1 ? '—' : ''));
    }
  };
  return (
    <section>
      <h3 className={classes.section}>
        {t('square.prices')} <span>{byTokens ? '/ 1M tokens' : callUnit(model, t)}</span>
        {user !== null && groups.length > 1 && <small>{t('square.prices.own')}</small>}
      </h3>
      <table className={classes.prices}>
        <thead>
          <tr>
            <th scope="col">{t('square.group')}</th>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => {
            const callable = model.status === 1 && model.enable_group.includes(group.name);
            const isOwn = group.own && user !== null;
            return (
              <tr key={group.name} data-own={isOwn || undefined} data-off={!callable || undefined}>
                <th scope="row">
                  <span className={classes.group}>
                    <span title={group.name}>{group.name}</span>
                    <ValueTag tone={ratioTone(group.ratio)}>{ratioText(group.ratio)}</ValueTag>
                    {isOwn && (
                      <span className={classes.visuallyHidden}>{t('square.group.own')}</span>
                    )}
                    {!callable && <small>{t('square.group.off')}</small>}
                  </span>
                </th>
                {cells(group).map((text, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
                  <td key={index}>{text}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {model.unpriced && <p className={classes.why}>{t('square.unpriced.why')}</p>}
    </section>
  );
}
