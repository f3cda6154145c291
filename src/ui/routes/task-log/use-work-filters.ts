import { drawingFilters, taskFilters } from '../../../core/entities/task-filters.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useFilterBar } from '../../list/declared-filters.ts';
import { drawingSpans, taskSpans } from '../../list/time-range.ts';
import { useChannelNames } from '../../queries/use-overview.ts';
import { actionWord, platformWord, statusWord } from './work-words.ts';

/** By id and name; the filter's value is the id. Administrators only. */
function useChannelSuggestions() {
  return useChannelNames().map(({ id, name }) => ({
    value: String(id),
    label: `#${id} ${name}`,
  }));
}

/** What both lists offer, and the options of a menu. */
function useOffers() {
  const { t } = useTranslation();
  const shared = {
    id: { kind: 'search', width: 240 },
    user: { hint: t('taskLog.filter.user') },
    channel: { hint: t('taskLog.filter.channel'), useOptions: useChannelSuggestions },
  } as const;
  const menu = (values: readonly string[], wordOf: typeof actionWord) => ({
    options: values.map((value) => {
      const word = wordOf(value);
      return { value, label: word === undefined ? value : t(word.label) };
    }),
  });
  return { shared, menu };
}

export function useDrawingFilters() {
  const { shared, menu } = useOffers();
  return useFilterBar(drawingFilters, drawingSpans, {
    ...shared,
    status: menu(drawingFilters.status.choices, statusWord),
    action: menu(drawingFilters.action.choices, actionWord),
  });
}

export function useTaskFilters() {
  const { shared, menu } = useOffers();
  return useFilterBar(taskFilters, taskSpans, {
    ...shared,
    status: menu(taskFilters.status.choices, statusWord),
    action: menu(taskFilters.action.choices, actionWord),
    platform: menu(taskFilters.platform.choices, platformWord),
  });
}
