import { channelFilters } from '../../../core/entities/channel-filters.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { labelOf, useFilterBar } from '../../list/declared-filters.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { failedTest, liveStates } from './channel-rows.ts';

/** Those of the list. */
const stateWords = {
  cooling: 'channel.status.tripped',
  failing: 'channel.failing',
  working: 'channel.working',
  untested: 'channel.untested',
} as const;

export function useChannelFilters() {
  const { t } = useTranslation();
  const groups = useGroupNames();
  const statuses = Object.values<number>(channelStatuses).map((status) => ({
    value: String(status),
    label: t(wordKey('status.channel', status)),
  }));
  const filters = useFilterBar(channelFilters, undefined, {
    keyword: { kind: 'search' },
    model: { hint: t('channel.filter.model.placeholder') },
    group: { options: groups.map((name) => ({ value: name, label: name })) },
    status: {
      always: true,
      options: [
        ...statuses,
        { value: failedTest, label: labelOf(channelFilters.failed) },
        ...liveStates.map((value) => ({ value, label: t(stateWords[value]) })),
      ],
    },
    tag: { hint: t('channel.filter.tag.placeholder') },
    // Choices of the status.
    failed: false,
    state: false,
  });
  return [...filters, { kind: 'switch', name: 'tags', label: t('channel.tagMode') }] as const;
}
