import { channelFilters } from '../../../core/entities/channel-filters.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { labelOf, useFilterBar } from '../../list/declared-filters.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { failedTest } from './channel-rows.ts';

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
      options: [...statuses, { value: failedTest, label: labelOf(channelFilters.failed) }],
    },
    tag: { hint: t('channel.filter.tag.placeholder') },
    // A choice of the status.
    failed: false,
  });
  return [...filters, { kind: 'switch', name: 'tags', label: t('channel.tagMode') }] as const;
}
