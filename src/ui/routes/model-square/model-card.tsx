/** One model: what it is, what it costs the reader, and where it can be tried. */
import { ArrowUpRight } from 'lucide-react';
import { Link, type To } from 'react-router';
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { CatalogLogo } from '../../components/model-logo.tsx';
import { descriptionOf, tagNames, typeName } from '../../components/model-words.ts';
import { StatusDot } from '../../components/status-dot.tsx';
import { NameTags } from '../../components/tag.tsx';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { modalityNames } from './modality-names.ts';
import { playgroundLink } from './playground-link.ts';
import { PriceLine } from './price-line.tsx';
import { availabilityOf, priceGroup, type ReaderGroup } from './reader-price.ts';
import classes from './square.module.css';

/** As the ends of models: UTC, `2026-11-30`. */
const today = () => new Date().toISOString().slice(0, 10);

/** What the catalogue knows of a model: what goes in and out, and when it ends. */
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

interface ModelCardProps {
  readonly model: CatalogModel;
  readonly groups: readonly ReaderGroup[];
  /** The address of its details. */
  readonly details: To;
  readonly current: boolean;
}

export function ModelCard({ model, groups, details, current }: ModelCardProps) {
  const { t } = useTranslation();
  const language = currentLanguage();
  const availability = availabilityOf(model, groups);
  const disabled = availability === 'disabled';
  const description = descriptionOf(model, language);
  const tags = tagNames(model, language);
  const group = priceGroup(model, groups);
  const link = availability === 'available' ? playgroundLink(model) : undefined;
  return (
    <li
      className={classes.card}
      data-disabled={disabled || undefined}
      data-current={current || undefined}
    >
      <div className={classes.top}>
        <CatalogLogo
          boxed
          model={model.model}
          icon={model.icon}
          vendor={model.vendor}
          grey={disabled}
        />
        <div className={classes.names}>
          <h2 className={classes.name}>
            <Link to={details} state={{ drawer: true }} preventScrollReset title={model.model}>
              {model.model}
            </Link>
          </h2>
          <p className={classes.vendor}>{model.manufacturer}</p>
        </div>
        {model.context !== '' && (
          <span className={classes.context} title={t('square.fact.context')}>
            {model.context}
          </span>
        )}
      </div>
      {description !== '' && <p className={classes.description}>{description}</p>}
      <CardFacts model={model} />
      <div className={classes.tags}>
        <NameTags names={tags.length > 0 ? tags : [typeName(model, language)]} shown={3} />
      </div>
      <div className={classes.foot}>
        {disabled ? (
          <span className={classes.dim}>{t('square.disabled')}</span>
        ) : (
          <>
            <PriceLine model={model} group={group} />
            {link !== undefined ? (
              <Link
                className={classes.try}
                to={link.to}
                aria-label={t(`square.open.${link.kind}.of`, { name: model.model })}
              >
                {t(`square.open.${link.kind}`)}
                <ArrowUpRight size={14} strokeWidth={1.75} aria-hidden="true" />
              </Link>
            ) : (
              availability !== 'available' && (
                <StatusDot tone="off" label={t(`square.availability.${availability}`)} />
              )
            )}
          </>
        )}
      </div>
    </li>
  );
}
