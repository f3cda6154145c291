/** Models that end at the vendors of channels, for whoever runs the site. */
import type { Overview } from '../../../core/contract/overview.ts';
import { useTranslation } from '../../i18n/index.ts';
import classes from './detail.module.css';

/** Names that are written out; further ones are hinted at. */
const mostNames = 8;

export function EndingModels({ models }: { readonly models: Overview['ending_models'] }) {
  const { t } = useTranslation();
  if (models.length === 0) return null;
  const names = models
    .slice(0, mostNames)
    .map(({ model, ends, successor }) =>
      [`${model} (${ends})`, successor].filter(Boolean).join(' → '),
    );
  const more = models.length > mostNames ? ' …' : '';
  return (
    <p className={classes.notice} role="status">
      {t('detail.modelEnds', { names: names.join(t('detail.state.comma')) + more })}
    </p>
  );
}
