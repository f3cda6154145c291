/** The dashboard: four figures, spending beside the ranking of models, channel health beside the base URL. */

import { RefreshCw } from 'lucide-react';
import { nameOf, useIsAdmin, useUser } from '../../client/session.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { PageHeader } from '../../components/page.tsx';
import { FailedState } from '../../components/states.tsx';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FilterMenu } from '../../list/filter-bar.tsx';
import { useOverview } from '../../queries/use-overview.ts';
import { BaseUrl } from './base-url.tsx';
import { ChannelHealthList } from './channel-health.tsx';
import classes from './detail.module.css';
import { FirstSteps } from './first-steps.tsx';
import { Metrics } from './metrics.tsx';
import { ModelRanking } from './model-ranking.tsx';
import { Spending } from './spending.tsx';
import type { Granularity } from './usage-buckets.ts';
import { useDashboardSentence } from './use-dashboard-sentence.ts';
import { type RangeName, ranges, useUsage } from './use-usage.ts';

const defaults = { range: 'day', by: 'hour' } as const;
const granularities: readonly Granularity[] = ['hour', 'day', 'week'];

export function DashboardScreen() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const user = useUser();
  const [state, change] = useUrlState(defaults);
  const range: RangeName = state.range in ranges ? (state.range as RangeName) : 'day';
  const by = granularities.find((name) => name === state.by) ?? 'hour';
  const overview = useOverview();
  const { usage, ...query } = useUsage(range, by);
  const sentence = useDashboardSentence(overview.data, usage, range, user === null ? '' : nameOf(user));
  const refresh = () => void Promise.all([query.refetch(), overview.refetch()]);
  const failure = query.error ?? overview.error;
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('detail.title')}
        sentence={sentence}
        actions={
          <>
            <FilterMenu
              label={t('detail.range')}
              value={range}
              always
              options={Object.keys(ranges).map((name) => ({ value: name, label: t(`detail.range.${name as RangeName}`) }))}
              onChange={(next) => change({ range: next, by: next === 'day' ? 'hour' : 'day' })}
            />
            <FilterMenu
              label={t('detail.granularity')}
              value={by}
              always
              options={granularities.map((name) => ({ value: name, label: t(`detail.granularity.${name}`) }))}
              onChange={(next) => change({ by: next })}
            />
            <IconButton label={t('common.refresh')} onClick={refresh}>
              <RefreshCw size={16} strokeWidth={1.75} className={query.isFetching ? classes.spin : undefined} />
            </IconButton>
          </>
        }
      />
      {failure !== null && usage === undefined ? (
        <FailedState title={t('detail.title')} error={failure} onRetry={refresh} />
      ) : (
        <>
          <Metrics usage={usage} overview={overview.data} />
          <div className={classes.columns}>
            <section className={classes.wide}>
              {usage !== undefined && usage.count === 0 ? <FirstSteps /> : <Spending usage={usage} granularity={by} />}
            </section>
            <section className={classes.side}>
              <ModelRanking usage={usage} />
            </section>
            {admin && (
              <section className={classes.wide}>
                <ChannelHealthList channels={overview.data?.lanes} />
              </section>
            )}
            <section className={admin ? classes.side : classes.full}>
              <BaseUrl url={overview.data?.base_url} />
            </section>
          </div>
        </>
      )}
    </div>
  );
}
