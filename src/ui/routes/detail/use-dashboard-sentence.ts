/** The one dim sentence under the title: a greeting, and how things stand now. */

import type { Overview } from '../../../core/contract/overview.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { useIsAdmin } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { Usage, UsageView } from './use-usage.ts';

/** Hours at which the greeting changes. */
function greetingAt(hour: number) {
  if (hour < 5) return 'detail.greeting.night';
  if (hour < 11) return 'detail.greeting.morning';
  if (hour < 13) return 'detail.greeting.noon';
  if (hour < 18) return 'detail.greeting.afternoon';
  return 'detail.greeting.evening';
}

export function useDashboardSentence(
  overview: Overview | undefined,
  usage: Usage | undefined,
  { range, own }: UsageView,
  name: string,
): string {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const greeting = t(greetingAt(new Date().getHours()), { name });
  if (!admin || own) {
    if (usage === undefined) return greeting;
    const span = t(`detail.range.${range}`);
    return (
      greeting +
      (usage.totals.count === 0
        ? t('detail.state.userNone', { range: span })
        : t('detail.state.user', { range: span, count: usage.totals.count }))
    );
  }
  if (overview === undefined) return greeting;
  const { lanes: channels } = overview;
  const autoDisabled = channels.filter(
    (channel) => channel.status === channelStatuses.autoDisabled,
  ).length;
  const tripped = channels.filter(
    (channel) => channel.status === channelStatuses.enabled && channel.tripped,
  ).length;
  const open = channels.filter((channel) => channel.status === channelStatuses.enabled).length;
  const failing = channels.filter(
    (channel) => channel.status === channelStatuses.enabled && channel.recent.at(-1) === 2,
  ).length;
  if (channels.length === 0) return greeting + t('detail.state.noChannels');
  if (autoDisabled > 0) return greeting + t('detail.state.autoDisabled', { count: autoDisabled });
  if (tripped > 0) return greeting + t('detail.state.tripped', { count: tripped });
  if (failing > 0) return greeting + t('detail.state.failing', { count: failing });
  return (
    greeting + (open === 0 ? t('detail.state.none') : t('detail.state.clear', { count: open }))
  );
}
