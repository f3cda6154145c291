import { useQuery } from '@tanstack/react-query';
import { client } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { queryKeys } from './query-keys.ts';

const staleTime = 60_000;

/** Names of all groups; administrators only. */
export function useGroupNames(enabled = true): readonly string[] {
  return (
    useQuery({
      queryKey: queryKeys.group.names,
      queryFn: () => client.channel.groups(),
      staleTime,
      enabled,
    }).data ?? []
  );
}

/**
 * The groups that the signed-in user may use, with their ratios; undefined until they are known.
 */
export function useOwnGroups() {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.group.own(user?.id),
    queryFn: () => client.self.groups(),
    staleTime,
  }).data;
}

/** The models that the signed-in user may call, and whether they are being read. */
export function useOwnModelsQuery() {
  const user = useUser();
  const { data = [], isPending } = useQuery({
    queryKey: queryKeys.model.own(user?.id),
    queryFn: () => client.self.models(),
    staleTime,
  });
  return { models: data, isPending };
}

/** None while they are being read. */
export function useOwnModels(): readonly string[] {
  return useOwnModelsQuery().models;
}
