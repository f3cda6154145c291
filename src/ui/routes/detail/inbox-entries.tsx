/** The entries of the inbox, the most urgent first (docs/rules/console.md#inbox). */

import { type ReactNode, Suspense } from 'react';
import type { LossEntity } from '../../../core/contract/losses.ts';
import type { Overview } from '../../../core/contract/overview.ts';
import type { ChannelState } from '../../../core/vocabulary/channel-states.ts';
import { toastFailure } from '../../client/failures.ts';
import { latePart } from '../../client/late-part.ts';
import { useIsRoot } from '../../client/session.ts';
import { minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { channelsIn } from './channels-in.ts';
import type { ExpiringTokens } from './expiring-tokens.ts';

const LateJobs = latePart(async () => ({ default: (await import('./late-jobs.tsx')).LateJobs }));

export interface InboxEntry {
  readonly key: string;
  readonly text: ReactNode;
  /** Where it is mended, or more is known. */
  readonly to?: string;
  /** What mends it here. */
  readonly act?: { readonly label: string; readonly onAct: () => void };
}

const troubles = ['auto_disabled', 'cooling', 'failing', 'untested'] as const;

/** The prices of the settings: one of their views, or the form of a model's price. */
const pricesAddress = (parameters: Readonly<Record<string, string>>) =>
  `/setting?${new URLSearchParams(parameters)}#operation.prices`;

/** A price is mended in the settings, by who may change them; all else at the channel. */
function lossAddress({ kind, channel, model }: LossEntity, isRoot: boolean): string {
  if (kind === 'unpriced')
    return pricesAddress({ prices: 'unset', ...(model !== '' && { price: model }) });
  if (kind === 'price') return pricesAddress({ prices: 'sources' });
  if (channel === 0 || (kind === 'below_cost' && model !== '' && isRoot))
    return pricesAddress({ price: model });
  return `/channel?edit=${channel}`;
}

export function useInboxEntries(
  overview: Overview,
  losses: readonly LossEntity[],
  expiring: ExpiringTokens,
): readonly InboxEntry[] {
  const { t } = useTranslation();
  const isRoot = useIsRoot();
  const { channel_states: states } = overview;
  const comma = t('detail.state.comma');
  const names = expiring.tokens.map(({ name, username }) => `${name} (${username})`);
  const more = expiring.total > names.length ? ' …' : '';
  /** With names where they are among the worst channels, which are listed. */
  const channelText = (state: ChannelState) => {
    const counted = t(`detail.state.${state}`, { count: states[state] });
    const known = overview.channels.filter((channel) => channel.state === state);
    if (state === 'untested' || known.length === 0)
      return t('detail.state.channels', { states: counted });
    const names = new Set(known.map(({ name }) => name));
    const rest = names.size < states[state] ? ' …' : '';
    return t('detail.inbox.channels', { state: counted, names: [...names].join(' · ') + rest });
  };
  const lateJobs = (
    <Suspense fallback={t('detail.lateJobs', { names: overview.late_jobs.join(comma) })}>
      <LateJobs names={overview.late_jobs} />
    </Suspense>
  );
  return [
    ...(overview.disk_left < 0
      ? []
      : [
          {
            key: 'disk',
            text: t('detail.inbox.disk', { megabytes: overview.disk_left }),
            to: '/setting#operation.log',
          },
        ]),
    ...overview.separate_nodes.map((node) => ({
      key: node.host + node.address,
      text: t('detail.separateNode', node),
      to: '/node',
    })),
    ...troubles
      .filter((state) => states[state] > 0)
      .map((state) => ({
        key: state,
        text: channelText(state),
        to: channelsIn(state),
        act: {
          label: t('detail.inbox.test'),
          onAct: () =>
            void import('./test-channels.ts')
              .then(({ testChannels }) => testChannels(state))
              .catch(toastFailure),
        },
      })),
    ...losses.map((loss) => ({
      key: `${loss.kind} ${loss.channel} ${loss.model}`,
      text: (
        <>
          {loss.text} {loss.since > 0 && <time>{minuteTime(loss.since)}</time>}
        </>
      ),
      to: lossAddress(loss, isRoot),
    })),
    ...(expiring.total === 0
      ? []
      : [
          {
            key: 'expiring',
            text: t('detail.inbox.expiring', {
              count: expiring.total,
              names: names.join(comma) + more,
            }),
            act: {
              label: t('detail.inbox.expiring.act'),
              onAct: () =>
                void import('./change-expiring.ts')
                  .then(({ changeExpiring }) =>
                    changeExpiring(
                      expiring,
                      t('detail.inbox.expiring.title', { count: expiring.total }),
                    ),
                  )
                  .catch(toastFailure),
            },
          },
        ]),
    ...(overview.late_jobs.length === 0 ? [] : [{ key: 'jobs', text: lateJobs }]),
    ...overview.ending_models.map(({ model, ends, successor, channels }) => ({
      key: `ends ${model}`,
      text: t(successor === '' ? 'detail.modelEnds' : 'detail.modelEnds.successor', {
        model,
        ends,
        successor,
      }),
      to:
        channels.length === 1
          ? `/channel?edit=${channels[0]}`
          : `/channel?${new URLSearchParams({ model })}`,
    })),
  ];
}
