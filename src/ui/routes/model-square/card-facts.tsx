/** What the catalogue knows of a model, on its card: what goes in and out, and when it ends. */
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { useTranslation } from '../../i18n/index.ts';
import { modalityNames } from './modality-names.ts';
import classes from './square.module.css';

/** As the ends of models: UTC, `2026-11-30`. */
const today = () => new Date().toISOString().slice(0, 10);

export function CardFacts({ model }: { model: CatalogModel }) {
  const { t } = useTranslation();
  const { reads, writes, longest_answer: answer, ends, successor } = model;
  const facts = [
    reads.length > 0 && t('square.card.reads', { names: modalityNames(reads, t) }),
    writes.length > 0 && t('square.card.writes', { names: modalityNames(writes, t) }),
    answer !== '' && t('square.card.answer', { tokens: answer }),
  ].filter((fact) => fact !== false);
  if (facts.length === 0 && ends === undefined) return null;
  return (
    <div className={classes.facts}>
      {facts.length > 0 && <p>{facts.join(' · ')}</p>}
      {ends !== undefined && (
        <p className={classes.ends}>
          {t(ends > today() ? 'square.card.ends' : 'square.card.ended', { date: ends })}
          {successor !== undefined && t('square.card.successor', { successor })}
        </p>
      )}
    </div>
  );
}
