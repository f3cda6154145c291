/**
 * What the filters of the log suggest: read when a filter is opened, with the names of the rows
 * that were loaded.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LogView } from '../../../core/logs/log-view.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import type { FilterOption } from '../../list/filter-bar.tsx';
import { queryKeys } from '../../queries/query-keys.ts';
import { useChannelNames } from '../../queries/use-overview.ts';

const staleTime = 60_000;
/** Names that are read from the server; those of the rows are added. */
const most = 100;

/** A name of each log row that is in the cache. */
function useNamesOfRows(nameOf: (row: LogView) => string): readonly string[] {
  const queryClient = useQueryClient();
  return queryClient
    .getQueriesData<{ readonly items?: readonly LogView[] }>({ queryKey: queryKeys.log.lists })
    .flatMap(([, page]) => (page?.items ?? []).map(nameOf));
}

const optionsOf = (...lists: readonly (readonly string[])[]): readonly FilterOption[] =>
  [...new Set(lists.flat())]
    .filter((name) => name !== '')
    .sort((a, b) => a.localeCompare(b))
    .map((name) => ({ value: name, label: name }));

export function useModelSuggestions(): readonly FilterOption[] {
  const admin = useIsAdmin();
  const user = useUser();
  const { data = [] } = useQuery({
    queryKey: queryKeys.suggestion('model', user?.id, admin),
    queryFn: () => (admin ? client.channel.enabledModels() : client.self.models()),
    staleTime,
  });
  return optionsOf(
    data,
    useNamesOfRows(({ entity }) => entity.model_name),
  );
}

export function useTokenSuggestions(): readonly FilterOption[] {
  const user = useUser();
  const { data = [] } = useQuery({
    queryKey: queryKeys.suggestion('token', user?.id, false),
    queryFn: async () =>
      (await client.token.list({ p: 0, size: most })).items.map(({ name }) => name),
    staleTime,
  });
  return optionsOf(
    data,
    useNamesOfRows(({ entity }) => entity.token_name),
  );
}

/** Administrators only. */
export function useUserSuggestions(): readonly FilterOption[] {
  const user = useUser();
  const { data = [] } = useQuery({
    queryKey: queryKeys.suggestion('user', user?.id, true),
    queryFn: async () =>
      (await client.user.list({ p: 1, page_size: most })).items.map(({ username }) => username),
    staleTime,
  });
  return optionsOf(
    data,
    useNamesOfRows(({ entity }) => entity.username),
  );
}

/** By id and name; the filter's value is the id. Administrators only. */
export function useChannelSuggestions(): readonly FilterOption[] {
  return useChannelNames().map(({ id, name }) => ({ value: String(id), label: `#${id} ${name}` }));
}
