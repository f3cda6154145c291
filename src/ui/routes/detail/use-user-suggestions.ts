import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import type { FilterOption } from '../../list/filter-bar.tsx';
import { queryKeys } from '../../queries/query-keys.ts';

/** Users whose usage may be looked at, read when the filter is opened. Administrators only. */
export function useUserSuggestions(): readonly FilterOption[] {
  const user = useUser();
  const { data = [] } = useQuery({
    queryKey: queryKeys.suggestion('usage-user', user?.id, true),
    queryFn: async () =>
      (await client.user.list({ p: 1, page_size: 100 })).items.map(({ username }) => username),
    staleTime: 60_000,
  });
  return data.map((name) => ({ value: name, label: name }));
}
