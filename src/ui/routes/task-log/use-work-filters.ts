import {
  drawingActions,
  drawingStatuses,
  taskActions,
  taskPlatforms,
  taskStatuses,
} from '../../../core/vocabulary/task-types.ts';
import { useIsAdmin } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { ListFilter } from '../../list/filters.ts';
import { drawingSpans, taskSpans } from '../../list/time-range.ts';
import { useChannelNames } from '../../queries/use-overview.ts';
import { actionWord, platformWord, statusWord } from './work-words.ts';

type Name = 'id' | 'time' | 'status' | 'action' | 'user' | 'channel';

/** By id and name; the filter's value is the id. Administrators only. */
function useChannelSuggestions() {
  return useChannelNames().map(({ id, name }) => ({
    value: String(id),
    label: `#${id} ${name}`,
  }));
}

function useMenus() {
  const { t } = useTranslation();
  const all = { value: '', label: t('common.all') };
  const menu = <N extends string>(
    name: N,
    label: string,
    values: readonly string[],
    wordOf: typeof actionWord,
  ): ListFilter<N> => ({
    kind: 'menu',
    name,
    label,
    options: [
      all,
      ...values.map((value) => {
        const word = wordOf(value);
        return { value, label: word === undefined ? value : t(word.label) };
      }),
    ],
  });
  return menu;
}

function useAdminFilters(): readonly ListFilter<'user' | 'channel'>[] {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  if (!admin) return [];
  return [
    { kind: 'text', name: 'user', label: t('taskLog.column.user'), hint: t('taskLog.filter.user') },
    {
      kind: 'text',
      name: 'channel',
      label: t('taskLog.column.channel'),
      hint: t('taskLog.filter.channel'),
      useOptions: useChannelSuggestions,
      digitsOnly: true,
    },
  ];
}

export function useDrawingFilters(): readonly ListFilter<Name>[] {
  const { t } = useTranslation();
  const menu = useMenus();
  const forAdmins = useAdminFilters();
  return [
    {
      kind: 'search',
      name: 'id',
      label: t('taskLog.filter.id'),
      placeholder: t('taskLog.filter.id'),
      width: 240,
    },
    { kind: 'time', name: 'time', label: t('taskLog.column.submitted'), spans: drawingSpans },
    menu('status', t('taskLog.column.status'), drawingStatuses, statusWord),
    menu('action', t('taskLog.column.action'), drawingActions, actionWord),
    ...forAdmins,
  ];
}

export function useTaskFilters(): readonly ListFilter<Name | 'platform'>[] {
  const { t } = useTranslation();
  const menu = useMenus();
  const forAdmins = useAdminFilters();
  return [
    {
      kind: 'search',
      name: 'id',
      label: t('taskLog.filter.id'),
      placeholder: t('taskLog.filter.id'),
      width: 240,
    },
    { kind: 'time', name: 'time', label: t('taskLog.column.submitted'), spans: taskSpans },
    menu('status', t('taskLog.column.status'), taskStatuses, statusWord),
    menu('action', t('taskLog.column.action'), taskActions, actionWord),
    menu('platform', t('taskLog.column.platform'), taskPlatforms, platformWord),
    ...forAdmins,
  ];
}
