/**
 * One model in full: facts, price for each group, a call to copy, who can call it, and one button.
 */
import { Button, CloseButton, Drawer } from '@mantine/core';
import { BookOpen, MessageSquare } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import type { CatalogModel } from '../../../core/contract/model-square.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { CatalogLogo } from '../../components/model-logo.tsx';
import { descriptionOf, tagNames, typeName } from '../../components/model-words.ts';
import { specificationName } from '../../components/specification-name.ts';
import { EmptyState } from '../../components/states.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { NameTags } from '../../components/tag.tsx';
import { useEscape } from '../../hooks/use-escape.ts';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import { CallExample } from './call-example.tsx';
import { FoldedText } from './folded-text.tsx';
import { GroupPrices } from './group-prices.tsx';
import { modalityNames } from './modality-names.ts';
import classes from './model-drawer.module.css';
import { playgroundLink } from './playground-link.ts';
import { availabilityOf, type ReaderGroup } from './reader-price.ts';

interface ModelDrawerProps {
  /** As the address has it. */
  readonly name: string;
  /** Undefined: there is none of this name. */
  readonly model: CatalogModel | undefined;
  readonly groups: readonly ReaderGroup[];
  readonly onClose: () => void;
}

export function ModelDrawer({ name, model, groups, onClose }: ModelDrawerProps) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  useReturnFocus();
  useEscape(place, onClose);
  return (
    <Drawer.Root opened onClose={onClose} closeOnEscape={false} size={480} position="right">
      <Drawer.Overlay backgroundOpacity={0.32} />
      <Drawer.Content radius={0} aria-label={name}>
        <div ref={place} className={classes.drawer}>
          {model === undefined ? (
            <>
              <div className={classes.head}>
                <div className={classes.titles} />
                <CloseButton data-autofocus aria-label={t('common.close')} onClick={onClose} />
              </div>
              <EmptyState
                title={t('square.unknown.title')}
                text={t('square.unknown.text', { name })}
              />
            </>
          ) : (
            <ModelDetails model={model} groups={groups} onClose={onClose} />
          )}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function ModelDetails({
  model,
  groups,
  onClose,
}: {
  model: CatalogModel;
  groups: readonly ReaderGroup[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const language = currentLanguage();
  const availability = availabilityOf(model, groups);
  const disabled = availability === 'disabled';
  const published =
    model.publish_time === '' ? undefined : t('square.published', { date: model.publish_time });
  const description = descriptionOf(model, language);
  const tags = tagNames(model, language);
  return (
    <>
      <div className={classes.head}>
        <CatalogLogo
          boxed
          model={model.model}
          icon={model.icon}
          vendor={model.vendor}
          grey={disabled}
        />
        <div className={classes.titles}>
          <h2 className={classes.title} data-disabled={disabled || undefined}>
            <span title={model.model}>{model.model}</span>
            <CopyButton text={model.model} label={t('square.copy', { name: model.model })} />
          </h2>
          <p className={classes.subtitle}>
            {[model.manufacturer, published].filter(Boolean).join(' · ')}
          </p>
        </div>
        <CloseButton data-autofocus aria-label={t('common.close')} onClick={onClose} />
      </div>
      <div className={classes.body}>
        {(description !== '' || tags.length > 0) && (
          <div className={classes.about}>
            {description !== '' && <FoldedText text={description} />}
            {tags.length > 0 && <NameTags names={tags} shown={tags.length} />}
          </div>
        )}
        <Facts model={model} />
        <GroupPrices model={model} groups={groups} />
        {!disabled && <CallExample model={model} />}
        <section>
          <h3 className={classes.section}>{t('square.availability')}</h3>
          <AvailabilityText model={model} groups={groups} />
        </section>
      </div>
      {!disabled && <Foot model={model} groups={groups} />}
    </>
  );
}

/** What is known of it. */
function Facts({ model }: { model: CatalogModel }) {
  const { t } = useTranslation();
  const specification = model.specification.map((size) => specificationName(size, t)).join(' · ');
  const namesOf = (names: readonly string[]) => modalityNames(names, t);
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('square.fact.type'), typeName(model, currentLanguage())],
    [t('square.fact.context'), model.context],
    [t('square.fact.answer'), model.longest_answer],
    [t('square.fact.reads'), namesOf(model.reads)],
    [t('square.fact.writes'), namesOf(model.writes)],
    [t('square.fact.spec'), specification],
    [t('square.fact.ends'), [model.ends, model.successor].filter(Boolean).join(' → ')],
  ];
  const known = facts.filter(([, value]) => value !== '');
  return (
    <dl className={classes.facts}>
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function AvailabilityText({
  model,
  groups,
}: {
  model: CatalogModel;
  groups: readonly ReaderGroup[];
}) {
  const { t } = useTranslation();
  const availability = availabilityOf(model, groups);
  const names = model.enable_group.join(', ');
  return (
    <>
      <StatusDot
        tone={availability === 'available' ? 'ok' : 'off'}
        label={t(`square.availability.${availability}`)}
      />
      <p className={classes.why}>
        {availability === 'available' || availability === 'other-groups'
          ? t('square.availability.groups', { groups: names })
          : t(`square.availability.${availability}.why`)}
      </p>
    </>
  );
}

function Foot({ model, groups }: { model: CatalogModel; groups: readonly ReaderGroup[] }) {
  const { t } = useTranslation();
  const docs = useStatus()?.docs_link ?? '';
  const link = availabilityOf(model, groups) === 'available' ? playgroundLink(model) : undefined;
  if (link === undefined && docs === '') return null;
  return (
    <div className={classes.foot} data-foot-bar>
      {docs !== '' && (
        <Button
          component="a"
          href={docs}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<BookOpen size={16} strokeWidth={1.75} />}
        >
          {t('square.docs')}
        </Button>
      )}
      {link !== undefined && (
        <Button
          component={Link}
          to={link.to}
          className={classes.go ?? ''}
          leftSection={<MessageSquare size={16} strokeWidth={1.75} />}
        >
          {t(`square.open.${link.kind}`)}
        </Button>
      )}
    </div>
  );
}
