import type { ManagedModel } from '../../../core/contract/model-square.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { catalogPriceTypes, catalogStatuses } from '../../../core/vocabulary/model-square.ts';
import { CatalogLogo } from '../../components/model-logo.tsx';
import { tagNames, typeName } from '../../components/model-words.ts';
import { priceAt } from '../../components/priced-model.ts';
import { specificationName } from '../../components/specification-name.ts';
import { StatusDot } from '../../components/status-dot.tsx';
import { ExplainedTag, NameTags, ValueTag } from '../../components/tag.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import cells from '../../list/cells.module.css';
import type { ScreenColumn } from '../../list/columns.ts';
import classes from './entries.module.css';
import { isCharged } from './entry-form.ts';

/** Whether it is free, with a warning where it is charged all the same. */
function PriceType({ entry }: { entry: ManagedModel }) {
  const { t } = useTranslation();
  if (entry.price_type !== catalogPriceTypes.free)
    return <ValueTag tone="off">{t('models.price.billed')}</ValueTag>;
  if (!isCharged(entry)) return <ValueTag tone="ok">{t('models.price.free')}</ValueTag>;
  return (
    <ExplainedTag tone="org" why={t('management.charged.why')}>
      {t('models.price.free')}
    </ExplainedTag>
  );
}

/** The price now, before group ratios. */
function CurrentPrice({ entry }: { entry: ManagedModel }) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoney();
  if (entry.unpriced) return <span className={cells.dim}>{t('management.unpriced')}</span>;
  const { prices, perRequest } = priceAt(entry, 1, quotaPerUnit);
  if (perRequest !== undefined)
    return t(entry.video_ratios ? 'management.perSecond' : 'management.perCall', {
      price: formatPrice(perRequest).text,
    });
  if (prices === undefined) return null;
  return `${formatPrice(prices.prompt).text} / ${formatPrice(prices.completion).text}`;
}

function Status({ entry }: { entry: ManagedModel }) {
  const { t } = useTranslation();
  if (entry.status === catalogStatuses.disabled)
    return <StatusDot tone="off" label={t('models.status.2')} />;
  if (entry.enable_group.length > 0) return <StatusDot tone="ok" label={t('models.status.1')} />;
  return <StatusDot tone="yel" label={t('models.status.1')} detail={t('management.unserved')} />;
}

export function useEntryColumns(): readonly ScreenColumn<ManagedModel>[] {
  const { t } = useTranslation();
  const language = currentLanguage();
  return [
    {
      key: 'model',
      fixed: true,
      label: t('management.column.model'),
      render: (entry) => (
        <span className={classes.model}>
          <CatalogLogo
            model={entry.model}
            icon={entry.icon}
            size={20}
            grey={entry.status === catalogStatuses.disabled}
          />
          <span className={cells.names}>
            <span className={cells.name} title={entry.model}>
              {entry.model}
            </span>
            <span className={`${cells.second} tp-second-line`}>{entry.manufacturer}</span>
          </span>
        </span>
      ),
    },
    {
      key: 'status',
      label: t('management.column.status'),
      card: { place: 'status' },
      render: (entry) => <Status entry={entry} />,
    },
    {
      key: 'type',
      label: t('management.column.type'),
      card: { place: 'second' },
      render: (entry) => typeName(entry, language),
    },
    {
      key: 'tags',
      label: t('management.column.tags'),
      render: (entry) => <NameTags names={tagNames(entry, language)} />,
    },
    {
      key: 'priceType',
      label: t('management.column.priceType'),
      card: { place: 'figure' },
      render: (entry) => <PriceType entry={entry} />,
    },
    {
      key: 'price',
      label: t('management.column.price'),
      numeric: true,
      card: { place: 'figure' },
      render: (entry) => <CurrentPrice entry={entry} />,
    },
    {
      key: 'context',
      label: t('management.column.context'),
      numeric: true,
      card: { place: 'figure' },
      render: ({ context }) => context,
    },
    {
      key: 'spec',
      label: t('management.column.spec'),
      hidden: true,
      render: ({ specification }) => (
        <NameTags names={specification.map((size) => specificationName(size, t))} />
      ),
    },
    {
      key: 'published',
      label: t('management.column.published'),
      render: ({ publish_time }) => publish_time,
    },
    {
      key: 'groups',
      label: t('management.column.groups'),
      hidden: true,
      render: ({ enable_group }) =>
        enable_group.length === 0 ? (
          <span className={cells.dim}>–</span>
        ) : (
          <NameTags names={enable_group} />
        ),
    },
    {
      key: 'updated',
      label: t('management.column.updated'),
      render: ({ updated_time }) => (
        <span className={cells.dim} title={fullTime(updated_time)}>
          {minuteTime(updated_time)}
        </span>
      ),
    },
  ];
}
