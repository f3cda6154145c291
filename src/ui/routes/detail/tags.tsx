/** Spending by tag, and of each tag by time where it is opened (docs/rules/tags.md#sums). */
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { TagUsage } from '../../../core/contract/tag-usage.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { saveFile } from '../../client/save-file.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { CostText } from '../../components/money-text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { bucketTitle } from './bucket-label.ts';
import layout from './detail.module.css';
import { ExpandableRow } from './expandable-row.tsx';
import classes from './margins.module.css';
import { percent } from './percent.ts';
import { type UsageView, usageInput, useTagUsage } from './use-usage.ts';

export function Tags({ view }: { readonly view: UsageView }) {
  const { t } = useTranslation();
  const { data } = useTagUsage(view);
  const csv = useMutation({
    mutationFn: async () =>
      saveFile(await client.data.exportTags({ ...usageInput(view), bom: true })),
    meta: { quiet: true },
    onError: (failure) => toastFailure(failure, t('detail.tags.csv.failed')),
  });
  // Who tags nothing is shown nothing.
  if (data === undefined || data.tags.length === 0) return null;
  const title = t('detail.tags.title');
  return (
    <section className={layout.full}>
      <div className={layout.head}>
        <h2>{title}</h2>
        <span className={layout.end}>
          <IconButton
            size={28}
            label={t('detail.tags.csv')}
            onClick={() => csv.mutate()}
            disabled={csv.isPending}
          >
            <Download size={16} strokeWidth={1.75} />
          </IconButton>
        </span>
      </div>
      <p className={layout.hint}>{t('detail.tags.hint')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={title}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('detail.tags.tag')}</th>
              <th scope="col">{t('detail.measure.quota')}</th>
              <th scope="col">{t('detail.tags.share')}</th>
              <th scope="col">{t('detail.measure.count')}</th>
              <th scope="col">{t('detail.measure.tokens')}</th>
            </tr>
          </thead>
          <tbody>
            {data.tags.map((tag) => (
              <TagRows key={tag.tag} usage={data} tag={tag} />
            ))}
          </tbody>
        </table>
      </section>
      {data.more > 0 && (
        <p className={layout.empty}>{t('detail.tags.more', { count: data.more })}</p>
      )}
    </section>
  );
}

function TagRows({
  usage: { starts, by, totals },
  tag: { tag, spans, ...sums },
}: {
  readonly usage: TagUsage;
  readonly tag: TagUsage['tags'][number];
}) {
  const { t } = useTranslation();
  const name = tag === '' ? t('detail.tags.other') : tag;
  const share = (quota: number) => (totals.quota === 0 ? '–' : percent(quota, totals.quota));
  return (
    <ExpandableRow
      name={name}
      figures={<Figures {...sums} share={share(sums.quota)} />}
      rows={() =>
        starts.map((start, at) => {
          const count = spans.count[at] ?? 0;
          if (count === 0) return null;
          const quota = spans.quota[at] ?? 0;
          return (
            <tr key={start} className={classes.model}>
              <th scope="row">{bucketTitle(start, by)}</th>
              <Figures {...{ quota, count, tokens: spans.tokens[at] ?? 0 }} share={share(quota)} />
            </tr>
          );
        })
      }
    />
  );
}

function Figures({
  quota,
  count,
  tokens,
  share,
}: {
  readonly quota: number;
  readonly count: number;
  readonly tokens: number;
  readonly share: string;
}) {
  return (
    <>
      <td>
        <CostText quota={quota} />
      </td>
      <td>{share}</td>
      <td>{formatCount(count)}</td>
      <td>{formatCount(tokens)}</td>
    </>
  );
}
