import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import type { ListFilter } from '../../list/filters.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { failedTest } from './channel-rows.ts';

export function useChannelFilters(): readonly ListFilter<
  'q' | 'model' | 'group' | 'status' | 'tag' | 'tags'
>[] {
  const { t } = useTranslation();
  const groups = useGroupNames();
  return [
    { kind: 'search', name: 'q', label: t('channel.search'), placeholder: t('channel.search') },
    {
      kind: 'text',
      name: 'model',
      label: t('channel.filter.model'),
      hint: t('channel.filter.model.placeholder'),
    },
    {
      kind: 'menu',
      name: 'group',
      label: t('channel.filter.group'),
      options: [
        { value: '', label: t('common.all') },
        ...groups.map((name) => ({ value: name, label: name })),
      ],
    },
    {
      kind: 'menu',
      name: 'status',
      label: t('channel.filter.status'),
      always: true,
      options: [
        { value: '', label: t('common.all') },
        ...Object.values<number>(channelStatuses).map((status) => ({
          value: String(status),
          label: t(wordKey('status.channel', status)),
        })),
        { value: failedTest, label: t('channel.filter.status.failed') },
      ],
    },
    {
      kind: 'text',
      name: 'tag',
      label: t('channel.column.tag'),
      hint: t('channel.filter.tag.placeholder'),
    },
    { kind: 'switch', name: 'tags', label: t('channel.tagMode') },
  ];
}
