/** The cards, more of them as their end comes near. */
import { useRef, useState } from 'react';
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { useNearEnd } from '../../hooks/use-near-end.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ModelCard } from './model-card.tsx';
import type { ReaderGroup } from './reader-price.ts';
import classes from './square.module.css';

/** Cards that are added at once. */
const step = 30;

interface ModelGridProps {
  readonly models: readonly CatalogModel[];
  readonly groups: readonly ReaderGroup[];
  readonly current: string;
  /** The address of a model's details. */
  readonly detailsOf: (model: string) => string;
}

export function ModelGrid({ models, groups, current, detailsOf }: ModelGridProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(step);
  const end = useRef<HTMLDivElement>(null);
  useNearEnd(end, shown, () =>
    setShown((before) => (before < models.length ? before + step : before)),
  );
  return (
    <>
      <ul className={classes.grid} aria-label={t('square.title')}>
        {models.slice(0, shown).map((model) => (
          <ModelCard
            key={model.model}
            model={model}
            groups={groups}
            details={{ search: detailsOf(model.model) }}
            current={model.model === current}
          />
        ))}
      </ul>
      {shown < models.length && <div ref={end} className={classes.end} />}
    </>
  );
}

/** Cards of the real size while the models load. */
export function LoadingGrid() {
  return (
    <div className={classes.skeleton} aria-busy="true">
      <div className={classes.grid}>
        {Array.from({ length: 9 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards are all alike and never move
          <div key={index} className={classes.card}>
            <i style={{ width: `${40 + ((index * 17) % 30)}%`, height: 20 }} />
            <i style={{ width: '90%' }} />
            <i style={{ width: `${50 + ((index * 23) % 30)}%` }} />
          </div>
        ))}
      </div>
    </div>
  );
}
