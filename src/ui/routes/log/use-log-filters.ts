import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { useIsAdmin } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import type { ListFilter } from '../../list/filters.ts';
import { useGroupNames, useOwnGroups } from '../../queries/use-groups.ts';
import {
  useChannelSuggestions,
  useModelSuggestions,
  useTokenSuggestions,
  useUserSuggestions,
} from './log-suggestions.ts';

type LogFilter = ListFilter<
  'request' | 'time' | 'type' | 'model' | 'token' | 'user' | 'channel' | 'group'
>;

/** Types that rows can have; no row of type "unknown" is ever written. */
const offeredTypes = Object.values<number>(logTypes).filter((type) => type !== logTypes.unknown);

export function useLogFilters(): readonly LogFilter[] {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const allGroups = useGroupNames(admin);
  const ownGroups = Object.keys(useOwnGroups() ?? {});
  const groups = admin ? allGroups : ownGroups;
  const forAdmins: readonly LogFilter[] = [
    {
      kind: 'text',
      name: 'user',
      label: t('log.filter.user'),
      hint: t('log.filter.exactName'),
      useOptions: useUserSuggestions,
    },
    {
      kind: 'text',
      name: 'channel',
      label: t('log.filter.channel'),
      hint: t('log.filter.channelId'),
      useOptions: useChannelSuggestions,
      digitsOnly: true,
    },
  ];
  return [
    {
      kind: 'search',
      name: 'request',
      label: t('log.filter.request'),
      placeholder: t('log.filter.request'),
      width: 220,
    },
    { kind: 'time', name: 'time', label: t('log.filter.time') },
    {
      kind: 'menu',
      name: 'type',
      label: t('log.filter.type'),
      empty: '0',
      options: [
        { value: '0', label: t('common.all') },
        ...offeredTypes.map((value) => ({
          value: String(value),
          label: t(wordKey('logType', value)),
        })),
      ],
    },
    {
      kind: 'text',
      name: 'model',
      label: t('log.filter.model'),
      hint: t('log.filter.exact'),
      useOptions: useModelSuggestions,
    },
    {
      kind: 'text',
      name: 'token',
      label: t('log.filter.token'),
      hint: t('log.filter.exactName'),
      useOptions: useTokenSuggestions,
    },
    ...(admin ? forAdmins : []),
    {
      kind: 'menu',
      name: 'group',
      label: t('log.filter.group'),
      options: [
        { value: '', label: t('common.all') },
        ...groups.map((name) => ({ value: name, label: name })),
      ],
    },
  ];
}
