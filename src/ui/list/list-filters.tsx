/** The filter bar of a list. On phones it shows three filters and puts the others into a sheet. */

import { Switch } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { latePart } from '../client/late-part.ts';
import { IconButton } from '../components/icon-button.tsx';
import { usePhone } from '../hooks/use-phone.ts';
import type { UrlChange } from '../hooks/use-url-state.ts';
import { useTranslation } from '../i18n/index.ts';
import { FilterBar, FilterMenu, FilterText } from './filter-bar.tsx';
import { type ListFilter, switchOn } from './filters.ts';
import { SearchField } from './search-field.tsx';
import { TimeFilter } from './time-filter.tsx';
import { logSpans, presetOf, readRange } from './time-range.ts';
import type { List } from './use-list.ts';

// Only phones have it.
const FilterSheet = latePart(async () => ({
  default: (await import('./filter-sheet.tsx')).FilterSheet,
}));

/** Filters that a phone shows outside the sheet. */
const onPhone = 3;

interface ListFiltersProps<Row, Name extends string> {
  readonly list: List<Row, Name>;
  readonly filters: readonly ListFilter<Name>[];
  readonly end?: ReactNode;
  readonly onRefresh: () => void;
}

export function ListFilters<Row, Name extends string>({
  list,
  filters,
  end,
  onRefresh,
}: ListFiltersProps<Row, Name>) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [sheet, toggle] = useDisclosure(false);
  const draw = (filter: ListFilter<Name>) => (
    <Filter key={filter.name} list={list} filter={filter} />
  );
  // On phones the time stands in the page's header.
  const shown = phone ? filters.filter(({ kind }) => kind !== 'time') : filters;
  // One search field is enough for a phone; the others follow the rest into the sheet.
  const isAside = (filter: ListFilter<Name>) =>
    filter.kind === 'search' && filter.primary === false;
  const beside = phone ? shown.filter((filter) => !isAside(filter)).slice(0, onPhone) : shown;
  const more = shown.filter((filter) => !beside.includes(filter));
  const moreButton = more.length > 0 && (
    <IconButton label={t('common.filter.more')} onClick={toggle.open}>
      <SlidersHorizontal size={16} strokeWidth={1.75} />
    </IconButton>
  );
  return (
    <FilterBar
      end={phone ? moreButton : end}
      onClear={list.filtered ? list.clear : undefined}
      onRefresh={onRefresh}
      refreshing={list.fetching}
    >
      {beside.map(draw)}
      {sheet && (
        <Suspense fallback={null}>
          <FilterSheet onClose={toggle.close}>{more.map(draw)}</FilterSheet>
        </Suspense>
      )}
    </FilterBar>
  );
}

/** The list's time filter alone, for the header on phones; nothing where the list has none. */
export function ListTimeFilter<Row, Name extends string>({
  list,
  filters,
}: Pick<ListFiltersProps<Row, Name>, 'list' | 'filters'>) {
  const filter = filters.find(({ kind }) => kind === 'time');
  return filter === undefined ? null : <Filter list={list} filter={{ ...filter, label: '' }} />;
}

function Filter<Row, Name extends string>({
  list,
  filter,
}: {
  list: List<Row, Name>;
  filter: ListFilter<Name>;
}) {
  const state: Readonly<Record<string, string>> = list.state;
  const value = state[filter.name] ?? '';
  const set = (values: Readonly<Record<string, string>>, how?: UrlChange) =>
    list.change(values as Partial<Record<Name, string>>, how);
  const onChange = (next: string) => set({ [filter.name]: next });
  switch (filter.kind) {
    case 'search': {
      const { placeholder, label, width, primary = true } = filter;
      // Back undoes a search as a whole, not letter by letter.
      const search = (next: string) =>
        set({ [filter.name]: next }, { replace: value !== '' && next !== '' });
      return <SearchField {...{ value, placeholder, label, width, primary }} onSearch={search} />;
    }
    case 'menu': {
      const { label, options, empty = '', always = false } = filter;
      return <FilterMenu {...{ label, value, options, empty, always, onChange }} />;
    }
    case 'text': {
      const { label, hint, useOptions, digitsOnly = false } = filter;
      return <FilterText {...{ label, value, hint, useOptions, digitsOnly, onChange }} />;
    }
    case 'switch':
      return (
        <Switch
          size="xs"
          styles={{ body: { alignItems: 'center' }, label: { fontSize: 13, whiteSpace: 'nowrap' } }}
          label={filter.label}
          checked={value === switchOn}
          onChange={(event) => onChange(event.currentTarget.checked ? switchOn : '')}
        />
      );
    case 'time': {
      const { label, spans = logSpans } = filter;
      return (
        <TimeFilter
          {...{ label, spans }}
          preset={presetOf(value, spans)}
          custom={readRange(state['start'] ?? '', state['end'] ?? '', spans)}
          onPreset={(time) => set({ time, start: '', end: '' })}
          onCustom={({ start, end }) => set({ start: String(start), end: String(end) })}
        />
      );
    }
  }
}
