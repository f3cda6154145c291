/** Which models the money went to; a model keeps its colour on the page. */

import { formatCount } from '../../../core/pricing/format.ts';
import { TotalText } from '../../components/money-text.tsx';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { useTranslation } from '../../i18n/index.ts';
import layout from './detail.module.css';
import classes from './model-ranking.module.css';
import { seriesColor } from './series.ts';
import type { Usage } from './use-usage.ts';

const shown = 6;

export function ModelRanking({ usage }: { usage: Usage | undefined }) {
  const { t } = useTranslation();
  const models = usage?.models ?? [];
  const top = models[0]?.quota ?? 0;
  return (
    <>
      <div className={layout.head}>
        <h2>{t('detail.models.title')}</h2>
        <span className={layout.end}>{t('detail.models.columns')}</span>
      </div>
      {usage !== undefined && models.length === 0 && (
        <p className={layout.empty}>{t('detail.models.empty')}</p>
      )}
      <ol className={classes.list}>
        {models.slice(0, shown).map((model, index) => (
          <li key={model.model_name} className={classes.row}>
            <ModelLogo model={model.model_name} size={16} />
            <span className={classes.name} title={model.model_name}>
              {model.model_name}
            </span>
            <b className={classes.quota}>
              <TotalText quota={model.quota} />
            </b>
            <span className={classes.count}>{formatCount(model.count)}</span>
            <i className={classes.track} aria-hidden="true">
              <i
                style={{
                  width: `${top === 0 ? 0 : (model.quota / top) * 100}%`,
                  background: seriesColor(index),
                }}
              />
            </i>
          </li>
        ))}
      </ol>
    </>
  );
}
