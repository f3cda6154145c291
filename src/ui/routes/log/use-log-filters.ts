import { logFilters } from '../../../core/entities/log-filters.ts';
import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { useIsAdmin } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { useFilterBar } from '../../list/declared-filters.ts';
import { logSpans } from '../../list/time-range.ts';
import { useGroupNames, useOwnGroups } from '../../queries/use-groups.ts';
import {
  useChannelSuggestions,
  useModelSuggestions,
  useTokenSuggestions,
  useUserSuggestions,
} from './log-suggestions.ts';

/** Types that rows can have; no row of type "unknown" is ever written. */
const offeredTypes = Object.values<number>(logTypes).filter((type) => type !== logTypes.unknown);

export function useLogFilters() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const allGroups = useGroupNames(admin);
  const ownGroups = Object.keys(useOwnGroups() ?? {});
  const groups = admin ? allGroups : ownGroups;
  const exactName = t('log.filter.exactName');
  return useFilterBar(logFilters, logSpans, {
    request: { kind: 'search', width: 220 },
    type: {
      options: offeredTypes.map((type) => ({
        value: String(type),
        label: t(wordKey('logType', type)),
      })),
    },
    model: { hint: t('log.filter.exact'), useOptions: useModelSuggestions },
    token: { hint: exactName, useOptions: useTokenSuggestions },
    user: { hint: exactName, useOptions: useUserSuggestions },
    channel: { hint: t('log.filter.channelId'), useOptions: useChannelSuggestions },
    tag: { hint: exactName },
    group: { options: groups.map((name) => ({ value: name, label: name })) },
  });
}
