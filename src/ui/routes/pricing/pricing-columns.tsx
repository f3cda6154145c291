import { Tooltip } from '@mantine/core';
import { type Decimal, decimal } from '../../../core/kernel/decimal.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { inYuan, type PricesPerMillion } from '../../../core/pricing/price-per-million.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { ratioText, ratioTone } from '../../components/measured-tone.ts';
import type { PricedModel } from '../../components/priced-model.ts';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { ExplainedTag, NameTags, ValueTag } from '../../components/tag.tsx';
import { useTablet } from '../../hooks/use-phone.ts';
import { type TextKey, useTranslation } from '../../i18n/index.ts';
import type { ScreenColumn } from '../../list/columns.ts';
import { useStatus } from '../../queries/use-status.ts';
import { extraPrices } from './extra-prices.ts';
import classes from './pricing.module.css';
import { isSorted } from './sort-prices.ts';
import { usePriceMarks } from './use-price-marks.ts';

/** What the amounts are shown in. */
export const priceViews = ['usd', 'cny', 'ratio'] as const;
export type PriceView = (typeof priceViews)[number];

export function isPriceView(text: string): text is PriceView {
  return (priceViews as readonly string[]).includes(text);
}

/** Yuan per unit until the server has replied. */
const defaultYuan = 7.3;

interface PriceColumn {
  readonly key: string;
  readonly label: TextKey;
  readonly price: (prices: PricesPerMillion) => Decimal | undefined;
  readonly ratio: (model: PricedModel) => number | undefined;
  readonly hidden?: boolean;
}

const priceColumns: readonly PriceColumn[] = [
  {
    key: 'input',
    label: 'pricing.column.input',
    price: ({ prompt }) => prompt,
    ratio: ({ row }) => row.model_ratio,
  },
  {
    key: 'output',
    label: 'pricing.column.output',
    price: ({ completion }) => completion,
    ratio: ({ row }) => row.completion_ratio,
  },
  {
    key: 'cached',
    label: 'pricing.column.cached',
    price: ({ cached }) => cached,
    ratio: ({ row }) => row.cache_ratio,
  },
  {
    key: 'cacheWrite',
    label: 'pricing.column.cacheWrite',
    price: ({ cacheWrite }) => cacheWrite,
    ratio: ({ row }) => row.cache_creation_ratio,
  },
  {
    key: 'audioIn',
    hidden: true,
    label: 'pricing.column.audioIn',
    price: ({ audioIn }) => audioIn,
    ratio: ({ row }) => row.audio_ratio,
  },
  {
    key: 'audioOut',
    hidden: true,
    label: 'pricing.column.audioOut',
    price: ({ audioOut }) => audioOut,
    ratio: ({ row }) => (row.audio_ratio === undefined ? undefined : row.audio_completion_ratio),
  },
];

/** A video whose price is one per second. */
const isPerSecond = ({ row }: PricedModel) => row.video_ratios !== undefined;

/** As the ends of models: UTC, `2026-11-30`. */
const today = () => new Date().toISOString().slice(0, 10);

export function usePricingColumns(view: PriceView): readonly ScreenColumn<PricedModel>[] {
  const { t } = useTranslation();
  const status = useStatus();
  const marks = usePriceMarks();
  const tablet = useTablet();
  const yuan = decimal(typeof status?.price === 'number' ? status.price : defaultYuan);
  const money = (amount: Decimal) =>
    view === 'cny'
      ? formatPrice(inYuan(amount, yuan), { symbol: '¥' }).text
      : formatPrice(amount).text;
  const none = <span className={classes.dim}>—</span>;
  /** Models without a price cannot be called, except where the site allows it. */
  const isPriced = (model: PricedModel) =>
    !model.row.unpriced || status?.self_use_mode_enabled === true;

  const cell = (model: PricedModel, column: PriceColumn) => {
    if (!isPriced(model)) return none;
    const { perRequest, prices } = model;
    if (perRequest !== undefined)
      return column.key === 'input'
        ? t(isPerSecond(model) ? 'pricing.perSecond' : 'pricing.perRequest', {
            price: money(perRequest),
          })
        : none;
    if (prices === undefined) return none;
    if (view === 'ratio') {
      const ratio = column.ratio(model);
      return ratio === undefined ? none : ratioText(ratio);
    }
    const price = column.price(prices);
    return price === undefined ? none : money(price);
  };

  const markOf = ({ name }: PricedModel) => {
    const mark = marks.get(name);
    return (
      mark && (
        <ExplainedTag tone="org" why={mark.why}>
          {t(mark.label)}
        </ExplainedTag>
      )
    );
  };

  const changeOf = ({ next }: PricedModel) =>
    next && (
      <ExplainedTag
        tone="org"
        why={t('pricing.next.why', {
          input: money(next.prices.prompt),
          output: money(next.prices.completion),
        })}
      >
        {t('pricing.next', { day: next.from })}
      </ExplainedTag>
    );

  const availability = (model: PricedModel) => {
    if (!isPriced(model))
      return (
        <StatusDot tone="yel" label={t('pricing.unpriced')} detail={t('pricing.unpriced.why')} />
      );
    const { ends, successor } = model.row;
    if (model.available && ends !== undefined)
      return (
        <StatusDot
          tone="yel"
          label={t(ends > today() ? 'pricing.ends' : 'pricing.ended', { day: ends })}
          detail={successor && t('pricing.ends.successor', { successor })}
        />
      );
    if (model.available) return <StatusDot tone="ok" label={t('pricing.available')} />;
    const groups = model.row.enable_groups.join(', ');
    return (
      <StatusDot
        tone="off"
        label={t('pricing.unavailable')}
        detail={t('pricing.unavailable.why', { groups })}
      />
    );
  };

  return [
    {
      key: 'model',
      fixed: true,
      label: t('pricing.column.model'),
      render: (model) => (
        <span className={classes.model}>
          <ModelLogo model={model.name} />
          <span className={classes.name} title={model.name}>
            {model.name}
          </span>
          <CopyButton text={model.name} label={t('pricing.copy', { name: model.name })} />
          {markOf(model)}
          {changeOf(model)}
        </span>
      ),
    },
    // Beside the name, so that a narrow window shows them before it is scrolled.
    ...priceColumns.map(
      (column): ScreenColumn<PricedModel> => ({
        key: column.key,
        label: t(column.label),
        numeric: true,
        sortable: isSorted(column.key),
        ...(column.hidden ? { hidden: true } : { card: { place: 'figure' } }),
        render: (model) => cell(model, column),
      }),
    ),
    {
      key: 'vendor',
      label: t('pricing.column.vendor'),
      card: {
        place: 'second',
        render: (model) => (
          <span className={classes.second}>
            {model.vendor}
            <CopyButton text={model.name} label={t('pricing.copy', { name: model.name })} />
            {markOf(model)}
            {changeOf(model)}
          </span>
        ),
      },
      render: ({ vendor }) => <span className={classes.dim}>{vendor === '' ? '—' : vendor}</span>,
    },
    {
      key: 'available',
      label: t('pricing.column.available'),
      card: { place: 'status' },
      render: availability,
    },
    {
      key: 'billing',
      label: t('pricing.column.billing'),
      render: (model) =>
        model.row.quota_type === 1 ? (
          <ValueTag tone="vio">
            {t(isPerSecond(model) ? 'pricing.billing.second' : 'pricing.billing.request')}
          </ValueTag>
        ) : (
          <ValueTag tone="off">{t('pricing.billing.token')}</ValueTag>
        ),
    },
    {
      key: 'extras',
      label: t('pricing.column.extras'),
      card: { place: 'figure' },
      render: (model) => {
        const sentences = isPriced(model) ? extraPrices(model, money, t) : [];
        return sentences.length === 0 ? (
          none
        ) : (
          <Tooltip
            multiline
            events={{ hover: true, focus: true, touch: true }}
            label={sentences.map((sentence) => <div key={sentence}>{sentence}</div>)}
          >
            <button
              type="button"
              className={classes.extras}
              aria-label={t('pricing.extra.all', {
                count: sentences.length,
                prices: sentences.join('; '),
              })}
            >
              +{sentences.length}
            </button>
          </Tooltip>
        );
      },
    },
    {
      key: 'ratio',
      // Its figures stand in the other columns then, or need the room.
      hidden: view === 'ratio' || tablet,
      label: t('pricing.column.ratio'),
      numeric: true,
      render: ({ row, perRequest }) =>
        perRequest !== undefined ? (
          <span className={classes.dim}>{t('pricing.fixed')}</span>
        ) : row.unpriced ? (
          none
        ) : (
          <span className={classes.ratios}>
            <ValueTag tone={ratioTone(row.model_ratio)}>{ratioText(row.model_ratio)}</ValueTag>
            <span className={classes.dim}>{ratioText(row.completion_ratio)}</span>
          </span>
        ),
    },
    {
      key: 'groups',
      hidden: true,
      label: t('pricing.column.groups'),
      render: ({ row }) => <NameTags names={row.enable_groups} />,
    },
  ];
}
