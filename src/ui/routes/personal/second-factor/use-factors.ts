import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { useUser } from '../../../client/session.ts';
import { queryKeys } from '../../../queries/query-keys.ts';

/** The account's second factors, and how to read them again. */
export function useFactors() {
  const queryKey = queryKeys.secondFactor(useUser()?.id);
  const queries = useQueryClient();
  const query = useQuery({ queryKey, queryFn: () => client.secondFactor.get() });
  return { ...query, refresh: () => queries.invalidateQueries({ queryKey }) };
}
