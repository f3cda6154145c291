/** Revenue, cost, margin and share of each channel, and of its models where it is opened. */
import type { Margin, MarginSummary } from '../../../core/contract/data.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { CostText, TotalText } from '../../components/money-text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ExpandableRow } from './expandable-row.tsx';
import classes from './margins.module.css';
import { percent } from './percent.ts';

type ChannelRow = MarginSummary['channels'][number];

export function MarginTable({ margins }: { readonly margins: MarginSummary }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={t('detail.margin.title')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('detail.margin.channel')}</th>
            <th scope="col">{t('detail.measure.count')}</th>
            <th scope="col">{t('detail.margin.revenue')}</th>
            <th scope="col">{t('detail.margin.cost')}</th>
            <th scope="col">{t('detail.margin.margin')}</th>
            <th scope="col">{t('detail.margin.share')}</th>
            <th scope="col">{t('detail.margin.known')}</th>
          </tr>
        </thead>
        <tbody>
          {margins.channels.map((channel) => (
            <ChannelRows key={channel.channel} channel={channel} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('detail.margin.total')}</th>
            <Figures margin={margins.totals} total />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function ChannelRows({ channel }: { readonly channel: ChannelRow }) {
  const { t } = useTranslation();
  const named =
    channel.name === '' ? t('detail.margin.deleted', { id: channel.channel }) : channel.name;
  const name = channel.channel === 0 ? t('detail.margin.unrecorded') : named;
  return (
    <ExpandableRow
      name={name}
      figures={<Figures margin={channel} />}
      rows={() =>
        channel.models.map((model) => (
          <tr key={model.model_name} className={classes.model}>
            <th scope="row" title={model.model_name}>
              {model.model_name}
            </th>
            <Figures margin={model} />
          </tr>
        ))
      }
    />
  );
}

function Figures({ margin, total = false }: { readonly margin: Margin; readonly total?: boolean }) {
  const { t } = useTranslation();
  const Amount = total ? TotalText : CostText;
  const amount = (quota: number | null) =>
    quota === null ? (
      <span className={classes.unknown}>{t('detail.margin.none')}</span>
    ) : (
      <Amount quota={Math.round(quota)} />
    );
  const { count, quota, cost, margin: earned, share, costed_count } = margin;
  return (
    <>
      <td>{formatCount(count)}</td>
      <td>
        <Amount quota={quota} />
      </td>
      <td>{amount(cost)}</td>
      <td data-loss={(earned ?? 0) < 0 || undefined}>{amount(earned)}</td>
      <td>{share === null ? '–' : percent(share, 1)}</td>
      <td>{count === 0 ? '–' : percent(costed_count, count)}</td>
    </>
  );
}
