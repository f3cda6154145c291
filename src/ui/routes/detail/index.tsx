/**
 * The dashboard: four figures, usage beside the ranking of models, channel health beside the base
 * URL, margins.
 */

import { RefreshCw } from 'lucide-react';
import { Suspense } from 'react';
import { latePart } from '../../client/late-part.ts';
import { nameOf, useIsAdmin, useUser } from '../../client/session.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { PageHeader } from '../../components/page.tsx';
import { FailedState } from '../../components/states.tsx';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOverview } from '../../queries/use-overview.ts';
import { useStatus } from '../../queries/use-status.ts';
import { BaseUrl } from './base-url.tsx';
import type { Granularity } from './bucket-label.ts';
import { ChannelHealthList } from './channel-health.tsx';
import { DashboardFilters } from './dashboard-filters.tsx';
import classes from './detail.module.css';
import { useExpiringTokens } from './expiring-tokens.ts';
import { Inbox, useLosses } from './inbox.tsx';
import { Metrics } from './metrics.tsx';
import { ModelRanking } from './model-ranking.tsx';
import { measures, UsagePanel } from './usage-panel.tsx';
import { useDashboardSentence } from './use-dashboard-sentence.ts';
import {
  allowsHours,
  type RangeName,
  rangeOf,
  ranges,
  type UsageView,
  useUsage,
} from './use-usage.ts';

const FirstSteps = latePart(async () => ({
  default: (await import('./first-steps.tsx')).FirstSteps,
}));
const Tags = latePart(async () => ({ default: (await import('./tags.tsx')).Tags }));
const Budgets = latePart(async () => ({ default: (await import('./budgets.tsx')).Budgets }));
const Margins = latePart(async () => ({ default: (await import('./margins.tsx')).Margins }));

const defaults = { range: '', by: '', whose: '', user: '', show: 'quota', as: '' } as const;

/** What the address says, else what the site begins with (DataExportDefaultTime). */
function useView(): readonly [
  UsageView,
  Record<keyof typeof defaults, string>,
  ReturnType<typeof useUrlState>[1],
] {
  const [state, change] = useUrlState(defaults);
  const isAdmin = useIsAdmin();
  const first = (useStatus()?.data_export_default_time ?? 'hour') as Granularity;
  const range = state.range in ranges ? (state.range as RangeName) : rangeOf[first];
  const usual: Granularity = state.range === '' ? first : range === 'day' ? 'hour' : 'day';
  const chosen = (['hour', 'day', 'week'] as const).find((name) => name === state.by) ?? usual;
  const by = chosen === 'hour' && !allowsHours(range) ? 'day' : chosen;
  const username = isAdmin ? state.user : '';
  return [{ range, by, own: !isAdmin || state.whose === 'self', username }, state, change];
}

export function DashboardScreen() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const user = useUser();
  const status = useStatus();
  const [view, state, change] = useView();
  const overview = useOverview();
  const { usage, ...query } = useUsage(view);
  const sentence = useDashboardSentence(
    overview.data,
    usage,
    view,
    user === null ? '' : nameOf(user),
  );
  const refresh = () => void Promise.all([query.refetch(), overview.refetch()]);
  const failure = query.error ?? overview.error;
  const isSite = admin && !view.own && view.username === '';
  const losses = useLosses(isSite);
  const expiring = useExpiringTokens(isSite);
  // Drawn at once with what stands above it, or it would be pushed down.
  const isWaiting =
    isSite &&
    failure === null &&
    (overview.data === undefined || losses === undefined || expiring === undefined);
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('detail.title')}
        // A line of its height, until it is known.
        sentence={sentence ?? '\u00a0'}
        actions={
          <>
            <DashboardFilters
              view={view}
              onChange={({ own, username, ...rest }) =>
                change({
                  ...rest,
                  ...(own === undefined ? {} : { whose: own ? 'self' : '' }),
                  ...(username === undefined ? {} : { user: username }),
                })
              }
            />
            <IconButton label={t('common.refresh')} onClick={refresh}>
              <RefreshCw
                size={16}
                strokeWidth={1.75}
                className={query.isFetching ? classes.spin : undefined}
              />
            </IconButton>
          </>
        }
      />
      {status?.enable_data_export === false && (
        <p className={classes.notice} role="status">
          {t('detail.off')}
        </p>
      )}
      {failure !== null && usage === undefined ? (
        <FailedState title={t('detail.title')} error={failure} onRetry={refresh} />
      ) : isWaiting ? null : (
        <>
          {isSite &&
            overview.data !== undefined &&
            losses !== undefined &&
            expiring !== undefined && (
              <Inbox overview={overview.data} losses={losses} expiring={expiring} />
            )}
          <Metrics usage={usage} overview={overview.data} view={view} />
          <div className={classes.columns} data-margins={isSite || undefined}>
            <section className={classes.wide}>
              {usage !== undefined &&
              usage.totals.count === 0 &&
              view.username === '' &&
              state.show !== 'balance' ? (
                <Suspense fallback={null}>
                  <FirstSteps />
                </Suspense>
              ) : (
                <UsagePanel
                  usage={usage}
                  measure={measures.find((name) => name === state.show) ?? 'quota'}
                  asTable={state.as === 'table'}
                  onChange={({ measure, asTable }) =>
                    change({
                      ...(measure === undefined ? {} : { show: measure }),
                      ...(asTable === undefined ? {} : { as: asTable ? 'table' : '' }),
                    })
                  }
                />
              )}
            </section>
            <section className={classes.side}>
              <ModelRanking usage={usage} />
            </section>
            {isSite && (
              <section className={classes.full}>
                <Suspense fallback={null}>
                  <Margins range={view.range} by={view.by} />
                </Suspense>
              </section>
            )}
            {admin && (
              <section className={classes.wide}>
                <ChannelHealthList overview={overview.data} />
              </section>
            )}
            <section className={admin ? classes.side : classes.full}>
              <BaseUrl url={overview.data?.base_url} />
            </section>
            <Suspense fallback={null}>
              <Budgets />
              <Tags view={view} />
            </Suspense>
          </div>
        </>
      )}
    </div>
  );
}
