/** Whose usage, of which time, in which steps. */

import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FilterMenu, type FilterOption, FilterText } from '../../list/filter-bar.tsx';
import { queryKeys } from '../../queries/query-keys.ts';
import type { Granularity } from './bucket-label.ts';
import { allowsHours, type RangeName, ranges, type UsageView } from './use-usage.ts';

/** Users whose usage may be looked at, read when the filter is opened. Administrators only. */
function useUserSuggestions(): readonly FilterOption[] {
  const user = useUser();
  const { data = [] } = useQuery({
    queryKey: queryKeys.suggestion('usage-user', user?.id, true),
    queryFn: async () =>
      (await client.user.list({ p: 1, page_size: 100 })).items.map(({ username }) => username),
    staleTime: 60_000,
  });
  return data.map((name) => ({ value: name, label: name }));
}

const granularities: readonly Granularity[] = ['hour', 'day', 'week'];

interface DashboardFiltersProps {
  readonly view: UsageView;
  readonly onChange: (change: Partial<UsageView>) => void;
}

export function DashboardFilters({ view, onChange }: DashboardFiltersProps) {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const { range, by, own, username } = view;
  return (
    <>
      {admin && (
        <>
          <FilterMenu
            label={t('detail.whose')}
            value={username === '' ? (own ? 'self' : 'site') : 'user'}
            always
            options={[
              { value: 'site', label: t('detail.whose.site') },
              { value: 'self', label: t('detail.whose.self') },
              ...(username === '' ? [] : [{ value: 'user', label: username }]),
            ]}
            onChange={(next) => next !== 'user' && onChange({ own: next === 'self', username: '' })}
          />
          <FilterText
            label={t('detail.user')}
            value={username}
            hint={t('detail.user.hint')}
            digitsOnly={false}
            useOptions={useUserSuggestions}
            onChange={(next) => onChange({ username: next.trim(), own: false })}
          />
        </>
      )}
      <FilterMenu
        label={t('detail.range')}
        value={range}
        always
        options={Object.keys(ranges).map((name) => ({
          value: name,
          label: t(`detail.range.${name as RangeName}`),
        }))}
        onChange={(next) =>
          onChange({ range: next as RangeName, by: next === 'day' ? 'hour' : 'day' })
        }
      />
      <FilterMenu
        label={t('detail.granularity')}
        value={by}
        always
        options={granularities
          .filter((name) => name !== 'hour' || allowsHours(range))
          .map((name) => ({ value: name, label: t(`detail.granularity.${name}`) }))}
        onChange={(next) => onChange({ by: next as Granularity })}
      />
    </>
  );
}
