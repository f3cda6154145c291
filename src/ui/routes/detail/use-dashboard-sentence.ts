/** The one dim sentence under the title: a greeting, and how things stand now. */

import type { Overview } from '../../../core/contract/overview.ts';
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

/** States of channels that are meant to serve. */
const inUse = ['auto_disabled', 'cooling', 'failing', 'working', 'untested'] as const;

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
  const { channel_states: counts } = overview;
  const states = inUse.filter((state) => counts[state] > 0);
  if (states.length === 0)
    return greeting + t(counts.disabled === 0 ? 'detail.state.noChannels' : 'detail.state.none');
  if (states.length === 1 && states[0] === 'working')
    return greeting + t('detail.state.clear', { count: counts.working });
  const parts = states.map((state) => t(`detail.state.${state}`, { count: counts[state] }));
  return greeting + t('detail.state.channels', { states: parts.join(t('detail.state.comma')) });
}
