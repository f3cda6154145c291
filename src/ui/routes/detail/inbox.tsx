/** What the operator should look at, each with the way to its remedy (docs/rules/console.md#inbox). */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import type { LossEntity } from '../../../core/contract/losses.ts';
import type { Overview } from '../../../core/contract/overview.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import layout from './detail.module.css';
import classes from './inbox.module.css';

interface Entry {
  readonly key: string;
  readonly text: ReactNode;
  /** Where it is mended. */
  readonly to?: string;
}

const troubles = ['auto_disabled', 'cooling', 'failing', 'untested'] as const;
/** Entries that are shown before somebody wants all. */
const shown = 5;
/** Names of models that end, which are written out. */
const mostNames = 8;

/** Where the site loses money now; undefined before the first answer. */
export function useLosses(enabled: boolean): readonly LossEntity[] | undefined {
  const user = useUser();
  const { data, isError } = useQuery({
    queryKey: queryKeys.usage.losses(user?.id),
    queryFn: () => client.losses.list({}),
    enabled,
  });
  return data ?? (isError ? [] : undefined);
}

function useEntries(overview: Overview, losses: readonly LossEntity[]): readonly Entry[] {
  const { t } = useTranslation();
  const { channel_states: states, ending_models: ending } = overview;
  const comma = t('detail.state.comma');
  const names = ending
    .slice(0, mostNames)
    .map(({ model, ends, successor }) =>
      [`${model} (${ends})`, successor].filter(Boolean).join(' → '),
    )
    .join(comma);
  return [
    ...(overview.disk_left < 0
      ? []
      : [{ key: 'disk', text: t('detail.inbox.disk', { megabytes: overview.disk_left }) }]),
    ...overview.separate_nodes.map((node) => ({
      key: node.host + node.address,
      text: t('detail.separateNode', node),
      to: '/node',
    })),
    ...troubles
      .filter((state) => states[state] > 0)
      .map((state) => ({
        key: state,
        text: t('detail.state.channels', {
          states: t(`detail.state.${state}`, { count: states[state] }),
        }),
        to: `/channel?status=${state === 'auto_disabled' ? channelStatuses.autoDisabled : state}`,
      })),
    ...losses.map(({ kind, channel, model, since, text }) => ({
      key: `${kind} ${channel} ${model}`,
      text: (
        <>
          {text} {since > 0 && <time>{minuteTime(since)}</time>}
        </>
      ),
      to:
        kind === 'unpriced' || channel === 0
          ? '/setting#operation.prices'
          : `/channel?edit=${channel}`,
    })),
    ...(overview.late_jobs.length === 0
      ? []
      : [{ key: 'jobs', text: t('detail.lateJobs', { names: overview.late_jobs.join(comma) }) }]),
    ...(ending.length === 0
      ? []
      : [
          {
            key: 'ends',
            text: t('detail.modelEnds', { names: names + (ending.length > mostNames ? ' …' : '') }),
            to: `/channel?edit=${ending[0]?.channels[0]}`,
          },
        ]),
  ];
}

export function Inbox({
  overview,
  losses,
}: {
  readonly overview: Overview;
  readonly losses: readonly LossEntity[];
}) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const entries = useEntries(overview, losses);
  if (entries.length === 0) return null;
  return (
    <section className={classes.inbox} aria-label={t('detail.inbox')}>
      <div className={layout.head}>
        <h2>{t('detail.inbox')}</h2>
        <span className={layout.hint}>{entries.length}</span>
      </div>
      <ul>
        {entries.slice(0, all ? undefined : shown).map(({ key, text, to }) => (
          <li key={key}>
            <span>{text}</span>
            {to !== undefined && <Link to={to}>{t('detail.inbox.open')}</Link>}
          </li>
        ))}
      </ul>
      {entries.length > shown && !all && (
        <button type="button" onClick={() => setAll(true)}>
          {t('detail.inbox.all', { count: entries.length })}
        </button>
      )}
    </section>
  );
}
